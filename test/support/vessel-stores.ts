import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AllWorkspaces } from '../../src/database/workspace-store.ts';
import { createState, type FollowFleets, type WorkCtx } from '../../src/features/ctx.ts';
import {
  addFleets,
  addToFleet,
  findFleet,
  fleetsHere,
  removeFromFleet,
} from '../../src/features/fleets/fleets.ts';
import type { WorkspaceServices } from '../../src/features/services.ts';
import {
  deleteNames,
  namedVessels,
  readDirectory,
  saveNames,
  saveReferences,
} from '../../src/features/vessels/vessel-names.ts';
import { referenceLimits } from '../../src/features/vessels/vessel-references.ts';
import { type Change, createAuditedTransaction } from '../../src/workspaces/audit.ts';
import { bindTo } from './bind.ts';
import { direct } from './statements/direct.ts';
import { workspaceId } from './store-engines.ts';

interface Options
  extends Pick<WorkspaceServices, 'store'>,
    Partial<Pick<WorkspaceServices, 'newId' | 'realNow'>> {
  followFleets?: FollowFleets;
}

/** What changes of names and fleets use. Each has a memory of its own, as in another process. */
export function vesselsCtx({
  store,
  newId = randomUUID,
  realNow = Date.now,
  followFleets = async () => new Map(),
}: Options): WorkCtx {
  const services = { store, newId, realNow, audited: createAuditedTransaction(store), state: createState() };
  return { services, registry: { followFleets } } as unknown as WorkCtx;
}

/** The functions for fleets, with their context. */
export function createFleets(options: Options) {
  const ctx = vesselsCtx(options);
  const bind = bindTo(ctx);
  return {
    list: bind(fleetsHere),
    find: bind(findFleet),
    add: bind(addToFleet),
    remove: bind(removeFromFleet),
    /** As a file does. */
    addAll: (fleets: Parameters<typeof addFleets>[1], by: Change) =>
      ctx.services.audited((transaction, record) => addFleets(transaction, fleets, { by, record }, ctx)),
  };
}

export type VesselNames = ReturnType<typeof createVesselNames>;

/** The functions for names and references, with their context. */
export function createVesselNames(options: Options) {
  const ctx = vesselsCtx(options);
  const bind = bindTo(ctx);
  type Saved = Parameters<typeof saveNames>[1];
  return {
    directory: bind(readDirectory),
    list: bind(namedVessels),
    save: (
      vessels: Parameters<typeof saveNames>[0],
      by: Change,
      source?: Saved['source'],
      more: Saved = {},
    ) => saveNames(vessels, { ...(source && { source }), ...more }, by, ctx),
    changeReferences: bind(saveReferences),
    forget: bind(deleteNames),
  };
}

/** The vessels of `leaveRoom` have lower numbers. */
export const firstOwnImo = 9_000_000;

/** Gives references to other vessels, until the workspace has room for only so many more. */
export async function leaveRoom(db: AllWorkspaces, room: typeof referenceLimits): Promise<void> {
  const [vessels, references] = [
    referenceLimits.vessels - room.vessels,
    referenceLimits.references - room.references,
  ];
  await direct(db).deleteFrom('vessel_references').where('imo', '<', firstOwnImo).execute();
  const each = Math.floor(references / vessels);
  const listOf = (length: number) =>
    sql`'[' || ${sql.join(
      Array.from({ length }, (_, index) => sql`'"OF ' || i || ${sql.lit(` ${index}"`)}`),
      sql` || ',' || `,
    )} || ']'`;
  // As rows, they would take longer than all else.
  await sql`with recursive vessel (i) as (select 0 union all select i + 1 from vessel where i < ${sql.lit(vessels - 1)})
    insert into vessel_references (workspace_id, imo, "references", updated_at, updated_by)
    select ${workspaceId}, ${sql.lit(1_000_000)} + i,
      case when i < ${sql.lit(references % vessels)} then ${listOf(each + 1)} else ${listOf(each)} end,
      0, 'U1' from vessel`.execute(direct(db));
}

import { z } from 'zod';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { UserError } from '../../errors.ts';
import { maxPorts } from '../../grammar/port.ts';
import { fleetKey } from '../../grammar/vessel.ts';
import type { Locode } from '../../reference/codes.ts';
import { samePort } from '../../reference/ports.ts';
import { locode } from '../../reference/prediction.ts';
import type { Change } from '../../workspaces/audit.ts';
import type { AskCtx, FollowingWatch, WorkCtx } from '../ctx.ts';
import { changeBy } from '../ctx.ts';
import { readFleetNames } from '../fleets/index.ts';
import { changeNames, readPortGroups } from '../vessels/index.ts';
import { formatGroups, type GroupChange, groupExample } from './words.ts';

export interface StoredGroup {
  name: string;
  /** As typed, at least one. */
  ports: readonly Locode[];
  /** The person who changed it last. */
  updatedBy: string;
}

/** `before` and `after` are empty for a group that there wasn't, or isn't any more. */
export interface GroupChanged {
  name: string;
  before: readonly Locode[];
  after: readonly Locode[];
  /** Those that follow the change; not everybody may know of all of them. */
  watches: readonly FollowingWatch[];
}

/** Sorted by name. */
export const groupsHere = ({ services: { store } }: WorkCtx): Promise<StoredGroup[]> => readGroups(store);

async function readGroups(store: WorkspaceStore): Promise<StoredGroup[]> {
  const rows = await store.selectFrom('port_groups').selectAll().orderBy('name').execute();
  return rows.map(({ name, ports, updated_by }) => ({
    ...{ name, updatedBy: updated_by },
    ports: z.array(locode).parse(ports),
  }));
}

export const findGroup = async (name: string, ctx: WorkCtx): Promise<StoredGroup | undefined> =>
  (await groupsHere(ctx)).find((group) => group.name === name);

/** Somebody else has set the group, and nothing has changed. */
interface AnotherSet {
  another: StoredGroup;
}

/**
 * Changes the group, its watches and the audit log at once. Throws UserError for too many ports, or too many groups, and
 * for the name of a fleet. A group without ports is deleted.
 */
export async function changeGroup(change: GroupChange, ctx: AskCtx): Promise<GroupChanged | AnotherSet> {
  const { name } = change;
  const by = changeBy(ctx);
  const { changed } = await changeNames(by, ctx, async (transaction, record, note) => {
    const groups = await readGroups(transaction);
    const existing = groups.find((group) => group.name === name);
    if (existing && isAnother(existing, change, by)) return { changed: { another: existing } };
    const before = existing?.ports ?? [];
    const after = portsAfter(before, change);
    if (!existing) await checkIsNoFleet(name, transaction);
    checkSizes(after, { isNew: !existing, groups: groups.length });
    if (after.join() === before.join()) return { changed: { name, before, after, watches: [] } };
    await write(transaction, { name, ports: after }, by);
    const portGroups = await readPortGroups(transaction);
    await note([
      {
        action: after.length === 0 ? 'ports.forget' : 'ports.set',
        subject: name,
        ...(before.length > 0 && { before: { ports: before } }),
        ...(after.length > 0 && { after: { ports: after } }),
      },
    ]);
    const followed = await ctx.registry.followPortGroups(...[transaction, [name], { ...by, record }, ctx]);
    const watches = followed.get(name) ?? [];
    return { portGroups, changed: { name, before, after, watches } };
  });
  return changed;
}

const isAnother = ({ ports, updatedBy }: StoredGroup, change: GroupChange, { actorId }: Change): boolean =>
  change.change === 'set' && updatedBy !== actorId && ports.join() !== change.ports.join();

async function checkIsNoFleet(name: string, store: WorkspaceStore): Promise<void> {
  const fleets = await readFleetNames(store);
  if (!fleets.some((fleet) => fleetKey(fleet) === fleetKey(name))) return;
  throw new UserError({
    code: 'unexpected-words',
    message: `${name} is a fleet here, so it can't name a group of ports.`,
    hint: `${name}-PORTS would do.`,
    example: groupExample,
  });
}

function portsAfter(before: readonly Locode[], { change, ports }: GroupChange): readonly Locode[] {
  const isIn = (port: Locode, some: readonly Locode[]) => some.some((other) => samePort(port, other));
  switch (change) {
    case 'set':
    case 'replace':
      return ports;
    case 'add':
      return [...before, ...ports.filter((port) => !isIn(port, before))];
    case 'remove':
      return before.filter((port) => !isIn(port, ports));
    case 'forget':
      return [];
  }
}

/** Every line reads all groups of the workspace. */
const maxGroups = 50;

function checkSizes(ports: readonly Locode[], { isNew, groups }: { isNew: boolean; groups: number }): void {
  if (ports.length > maxPorts)
    throw new UserError({
      code: 'too-many-ports',
      message: `A group can have at most ${maxPorts} ports; this one would have ${ports.length}. Nothing was changed.`,
      hint: 'Make a second group.',
    });
  if (isNew && ports.length > 0 && groups >= maxGroups)
    throw new UserError({
      code: 'too-many-ports',
      message: `A workspace can have at most ${maxGroups} groups of ports. Nothing was changed.`,
      hint: 'Forget groups that nobody uses.',
      example: formatGroups(),
    });
}

async function write(
  transaction: WorkspaceStore,
  { name, ports }: { name: string; ports: readonly Locode[] },
  { actorId, now }: { actorId: string; now: Date },
): Promise<void> {
  if (ports.length === 0) {
    await transaction.deleteFrom('port_groups').where('name', '=', name).execute();
    return;
  }
  const row = { ports: JSON.stringify(ports), updated_at: now, updated_by: actorId };
  await transaction
    .insertInto('port_groups', { name, ...row })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'name']).doUpdateSet(row))
    .execute();
}

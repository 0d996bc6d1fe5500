import { z } from 'zod';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { UserError } from '../../errors.ts';
import { maxPorts } from '../../grammar/port.ts';
import type { Locode } from '../../reference/codes.ts';
import { samePort } from '../../reference/ports.ts';
import { locode } from '../../reference/prediction.ts';
import type { AskCtx, FollowingWatch, WorkCtx } from '../ctx.ts';
import { changeBy } from '../ctx.ts';
import { changeNames, readPortGroups } from '../vessels/index.ts';
import { formatGroups, type GroupChange } from './words.ts';

export interface StoredGroup {
  name: string;
  /** As typed, at least one. */
  ports: readonly Locode[];
  /** The person who changed it last. */
  updatedBy: string;
}

/** `before` and `after` are empty for a group that there wasn't, or isn't any more. */
export interface GroupChanged {
  before: readonly Locode[];
  after: readonly Locode[];
  /** Those that follow the change; not everybody may know of all of them. */
  watches: readonly FollowingWatch[];
}

/** Sorted by name. */
export async function groupsHere({ services: { store } }: WorkCtx): Promise<StoredGroup[]> {
  const rows = await store.selectFrom('port_groups').selectAll().orderBy('name').execute();
  return rows.map(({ name, ports, updated_by }) => ({
    ...{ name, updatedBy: updated_by },
    ports: z.array(locode).parse(ports),
  }));
}

export const findGroup = async (name: string, ctx: WorkCtx): Promise<StoredGroup | undefined> =>
  (await groupsHere(ctx)).find((group) => group.name === name);

/**
 * Changes the group, its watches and the audit log at once. Throws UserError for too many ports, or too many groups.
 * A group without ports is deleted.
 */
export async function changeGroup(change: GroupChange, ctx: AskCtx): Promise<GroupChanged> {
  const by = changeBy(ctx);
  const { changed } = await changeNames(by, ctx, async (transaction, record, note) => {
    const groups = await readPortGroups(transaction);
    const before = groups.get(change.name) ?? [];
    const after = portsAfter(before, change);
    checkSizes(after, { isNew: before.length === 0, groups: groups.size });
    if (after.join() === before.join()) return { changed: { before, after, watches: [] } };
    await write(transaction, { name: change.name, ports: after }, by);
    const portGroups = await readPortGroups(transaction);
    await note([
      {
        action: after.length === 0 ? 'ports.forget' : 'ports.set',
        subject: change.name,
        ...(before.length > 0 && { before: { ports: before } }),
        ...(after.length > 0 && { after: { ports: after } }),
      },
    ]);
    const followed = await ctx.registry.followPortGroups(
      ...[transaction, [change.name], { ...by, record }, ctx],
    );
    const watches = followed.get(change.name) ?? [];
    return { portGroups, changed: { before, after, watches } };
  });
  return changed;
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

import { type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely';
import type { WorkspaceStore, WorkspaceTables } from '../../database/workspace-store.ts';
import { UserError } from '../../errors.ts';
import type { AuditEntry, Change } from '../../workspaces/audit.ts';
import { seenOutside } from '../outsiders.ts';
import type { Pausable, PausedThing } from '../services.ts';
import { isPersonalThing, listChoice, type OwnedKind, type OwnedThing } from './kind.ts';

/** Throws UserError if the channel already has `max` of them. */
export async function checkChannelLimit(
  kind: OwnedKind,
  store: WorkspaceStore,
  { channelId, max }: { channelId: string; max: number },
): Promise<void> {
  const { plural } = kind.noun;
  let query = store
    .selectFrom(plural)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('channel_id', '=', channelId);
  if (plural === 'digests') query = query.where('removed_at', 'is', null);
  const { count } = await query.executeTakeFirstOrThrow();
  if (count < max) return;
  throw new UserError({
    code: 'not-allowed',
    message: `This channel already has ${count} ${plural}; at most ${max} are allowed.`,
    hint: kind.howToMakeRoom,
    choices: [listChoice(kind)],
  });
}

/** Returns a function that makes the audit entry of one change. */
export const auditEntries =
  (newId: () => string) =>
  (
    { title: subject, ...thing }: Omit<OwnedThing, 'id' | 'outsidersAllowedBy'>,
    action: string,
    { actorId, now: at }: Change,
    values: Partial<AuditEntry> = {},
  ): AuditEntry => ({
    id: newId(),
    at,
    actorId,
    action,
    subject,
    channelId: thing.channelId,
    isPersonal: isPersonalThing(thing),
    ownerIds: [thing.ownerId],
    ...values,
  });

interface PausableTable {
  noticeKind: string;
  /** The condition for rows that are not removed. */
  exists?: RawBuilder<SqlBool>;
  /** The condition for rows that `pause` may pause. */
  canPause?: (store: WorkspaceStore) => RawBuilder<SqlBool>;
  /** Further columns that `pause` sets. */
  reset?: Updateable<WorkspaceTables['digests']>;
  /** The columns to set for the outbox messages that wait to be sent. `code` is Slack's error code. */
  messages(code: string): Updateable<WorkspaceTables['outbox']>;
  /** `number`: digests only. */
  noticeOf(row: { id: string; title: string; number?: number; destination: string }): PausedThing['notice'];
}

/**
 * Pauses rows of a table. Parses no JSON columns, so a row that can't be read doesn't prevent the pause of its channel.
 */
export function pausableRows(
  { noun, lists }: OwnedKind,
  options: PausableTable,
): Pick<Pausable, 'noun' | 'lists' | 'noticeKind' | 'pause' | 'findPaused'> {
  const always = sql<SqlBool>`true`;
  const table = noun.plural;
  const { noticeKind, exists = always, canPause = () => always } = options;
  const pausedThing = (row: Parameters<typeof options.noticeOf>[0] & { owner_id: string }): PausedThing => ({
    id: row.id,
    title: row.title,
    ownerId: row.owner_id,
    isPersonal: row.destination === 'direct-message',
    notice: options.noticeOf(row),
  });
  return {
    ...{ noun, lists },
    noticeKind,
    async pause(transaction, { of, code }) {
      if ('ids' in of && of.ids.length === 0) return [];
      const locked = await transaction
        .selectFrom(table)
        .select('id')
        .where(exists)
        .where(canPause(transaction))
        .where(code === seenOutside ? sql<SqlBool>`outsiders_allowed_by is null` : always)
        .where((where) =>
          'ids' in of ? where('id', 'in', [...of.ids]) : where('channel_id', '=', of.channelId),
        )
        // All transactions lock rows in this order, which prevents deadlocks.
        .orderBy('id')
        .forUpdate()
        .execute();
      if (locked.length === 0) return [];
      const ids = locked.map(({ id }) => id);
      const rows = await transaction
        .updateTable(table)
        .set({ status: 'paused', pause_reason: code, ...options.reset })
        .where('id', 'in', ids)
        .where('status', '<>', 'paused')
        .returningAll()
        .execute();
      await transaction
        .updateTable('outbox')
        .set(options.messages(code))
        .where('thread_key', 'in', ids)
        .where('status', '=', 'pending')
        .where('kind', '<>', noticeKind)
        .execute();
      return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(pausedThing);
    },
    async findPaused(store, { ownerId, channelId, reason }) {
      const rows = await store
        .selectFrom(table)
        .selectAll()
        .where('owner_id', '=', ownerId)
        .where('channel_id', '=', channelId)
        .where('status', '=', 'paused')
        .where((where) =>
          reason === undefined ? where('pause_reason', 'is not', null) : where('pause_reason', '=', reason),
        )
        .where(exists)
        .orderBy('id')
        .execute();
      return rows.map(pausedThing);
    },
  };
}

import { type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely';
import type { WorkspaceStore, WorkspaceTables } from '../database/workspace-store.ts';
import type { PendingMessage, Refusal } from '../outbox/outgoing-message.ts';
import type { Actor } from '../workspaces/permissions.ts';
import { seenOutside } from './outsiders.ts';

/** A kind of thing that posts in channels, such as watches. It is paused when Slack refuses its messages for good. */
export interface Pausable<Ctx = unknown, AskCtx = Ctx> {
  /** `singular` is also the command that lists the things, and begins their actions in the audit log: `watch.pause`. */
  noun: { singular: string; plural: string };
  /** A sentence for the owner about the time until the things are resumed, or after that. */
  effectOfPause: string;
  /** The outbox kind of the notice about a single thing. */
  noticeKind: string;
  /** Pauses the things with these ids, or all in the channel. Returns those that were not paused before. */
  pause(
    transaction: WorkspaceStore,
    which: {
      code: string;
      of: { ids: readonly string[] } | { channelId: string };
      now: Date;
    },
  ): Promise<PausedThing[]>;
  /** The things that were paused because Slack refused their messages. */
  findPaused(store: WorkspaceStore, filter: PausedFilter): Promise<PausedThing[]>;
  /** The current titles. If left out, the notice shows the titles at the time of the pause. */
  getTitles?(things: readonly { id: string; title: string }[], ctx: Ctx): Promise<string[]>;
  resume(id: string, actor: Actor, ctx: AskCtx): Promise<unknown>;
  /** `resume` throws UserError if the bot can't post in the channel. */
  resumeChecksChannel: boolean;
}

export interface PausedThing {
  id: string;
  title: string;
  ownerId: string;
  /** A notice to the owner about this thing alone. pausing/ adds `channelId` and `reason` to its message. */
  notice: Notice;
}

type Notice = Pick<PendingMessage, 'threadKey' | 'message'>;

/** `reason`: Slack's error code; any if omitted. */
export interface PausedFilter {
  ownerId: string;
  channelId: string;
  reason?: string;
}

/** Call this when Slack refuses a message for good. Pauses the things that it is about, or all in the channel. */
export type PauseRefused = (
  store: WorkspaceStore,
  refusal: Refusal,
  /** `toPerson`: the channel of the refused message is a person's id. */
  about: { pausable: Pausable; ids: readonly string[]; toPerson: boolean },
) => Promise<void>;

interface PausableTable {
  table: 'watches' | 'digests';
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
  noticeOf(row: { id: string; title: string; number?: number; destination: string }): Notice;
}

/**
 * Pauses rows of a table. Parses no JSON columns, so a row that can't be read doesn't prevent the pause of its channel.
 */
export function pausableRows(options: PausableTable): Pick<Pausable, 'noticeKind' | 'pause' | 'findPaused'> {
  const always = sql<SqlBool>`true`;
  const { table, noticeKind, exists = always, canPause = () => always } = options;
  const pausedThing = (row: Parameters<typeof options.noticeOf>[0] & { owner_id: string }): PausedThing => ({
    id: row.id,
    title: row.title,
    ownerId: row.owner_id,
    notice: options.noticeOf(row),
  });
  return {
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

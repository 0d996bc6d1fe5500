import { type Kysely, type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { PendingMessage, Refusal } from '../outbox/outgoing-message.ts';
import type { Actor } from '../workspaces/permissions.ts';

/** The things of a feature that post in a channel. They are paused once Slack no longer accepts their messages. */
export interface Pausable {
  /** The singular is also used in the audit log, and is the command that lists the things. */
  noun: { singular: string; plural: string };
  /** For the notice: what happens after they are resumed. */
  meanwhile: string;
  /** The outbox kind of the notice about a single thing. */
  noticeKind: string;
  /** Pauses things in the caller's transaction. Returns those that it has paused. */
  pause(
    db: Kysely<Schema>,
    which: { workspaceId: string; code: string; of: { ids: readonly string[] } | { channelId: string } },
  ): Promise<PausedThing[]>;
  /** The things that were paused because Slack refused their messages. */
  findPaused(db: Kysely<Schema>, filter: PausedFilter): Promise<PausedThing[]>;
  /** Their current titles; if omitted, they keep the titles that they had when they were paused. */
  getTitles?(things: readonly { id: string; title: string }[]): Promise<string[]>;
  resume(id: string, actor: Actor): Promise<unknown>;
  /** `resume` throws UserError if the bot can't post in the channel, so these things are resumed before others. */
  checksChannel: boolean;
}

export interface PausedThing {
  id: string;
  title: string;
  ownerId: string;
  /** The notice to its owner about this thing alone; pausing/ adds the channel and the reason. */
  notice: Notice;
}

type Notice = Pick<PendingMessage, 'watchId' | 'digestId' | 'message'>;

/** `reason`: Slack's error code; any if omitted. */
export interface PausedFilter {
  workspaceId: string;
  ownerId: string;
  channelId: string;
  reason?: string;
}

/** Called when Slack refuses a message for good: pauses the things that it is about, or the whole channel. */
export type PauseRefused = (
  db: Kysely<Schema>,
  refusal: Refusal,
  /** `toPerson`: the channel of the refused message is a person's id. */
  about: { pausable: Pausable; ids: readonly string[]; toPerson: boolean },
) => Promise<void>;

/** A table of pausable things. */
interface PausableTable {
  table: 'watches' | 'digests';
  /** Refers to the thing in the outbox. */
  outboxColumn: 'watch_id' | 'digest_id';
  noticeKind: string;
  /** Rows that are not removed. */
  exists?: RawBuilder<SqlBool>;
  /** Rows that `pause` locks; those already paused stay as they are. */
  canPause?: RawBuilder<SqlBool>;
  /** Further columns that pausing sets. */
  reset?: Updateable<Schema['digests']>;
  /** What becomes of the messages that wait to be sent. */
  messages(code: string): Updateable<Schema['outbox']>;
  /** `number`: only digests have one. */
  noticeOf(row: { id: string; title: string; number?: number; destination: string }): Notice;
}

/**
 * Pauses rows of a table. Reads plain columns only, so that a row with unreadable JSON doesn't keep its channel from
 * being paused.
 */
export function pausableRows(options: PausableTable): Pick<Pausable, 'noticeKind' | 'pause' | 'findPaused'> {
  const always = sql<SqlBool>`true`;
  const { table, outboxColumn, noticeKind, exists = always, canPause = always } = options;
  const pausedThing = (row: Parameters<typeof options.noticeOf>[0] & { owner_id: string }): PausedThing => ({
    id: row.id,
    title: row.title,
    ownerId: row.owner_id,
    notice: options.noticeOf(row),
  });
  return {
    noticeKind,
    async pause(db, { workspaceId, of, code }) {
      if ('ids' in of && of.ids.length === 0) return [];
      const locked = await db
        .selectFrom(table)
        .select('id')
        .where('workspace_id', '=', workspaceId)
        .where(exists)
        .where(canPause)
        .where((where) =>
          'ids' in of ? where('id', 'in', [...of.ids]) : where('channel_id', '=', of.channelId),
        )
        // Everything locks rows in this order, which prevents deadlocks.
        .orderBy('id')
        .forUpdate()
        .execute();
      if (locked.length === 0) return [];
      const ids = locked.map(({ id }) => id);
      const rows = await db
        .updateTable(table)
        .set({ status: 'paused', pause_reason: code, ...options.reset })
        .where('id', 'in', ids)
        .where('status', '<>', 'paused')
        .returningAll()
        .execute();
      await db
        .updateTable('outbox')
        .set(options.messages(code))
        .where(outboxColumn, 'in', ids)
        .where('status', '=', 'pending')
        .where('kind', '<>', noticeKind)
        .execute();
      return rows.map(pausedThing);
    },
    async findPaused(db, { workspaceId, ownerId, channelId, reason }) {
      const rows = await db
        .selectFrom(table)
        .selectAll()
        .where('workspace_id', '=', workspaceId)
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

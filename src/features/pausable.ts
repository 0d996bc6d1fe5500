import { type Kysely, type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { PendingMessage, Refusal } from '../outbox/outgoing-message.ts';
import type { Actor } from '../workspaces/permissions.ts';

/** A kind of things that post in channels, such as watches. They are paused when Slack refuses their messages. */
export interface Pausable {
  /** The singular is also a word of the audit log, and the command that lists the things. */
  noun: { singular: string; plural: string };
  /** A sentence of the notice: what happens until they are resumed, or after that. */
  meanwhile: string;
  /** The outbox kind of the notice about a single thing. */
  noticeKind: string;
  /** Pauses things in the caller's transaction. Returns those that were not paused before. */
  pause(
    db: Kysely<Schema>,
    which: { workspaceId: string; code: string; of: { ids: readonly string[] } | { channelId: string } },
  ): Promise<PausedThing[]>;
  /** The things that were paused because Slack refused their messages. */
  findPaused(db: Kysely<Schema>, filter: PausedFilter): Promise<PausedThing[]>;
  /** The current titles. If left out, the notice shows the titles at the time of the pause. */
  getTitles?(things: readonly { id: string; title: string }[]): Promise<string[]>;
  resume(id: string, actor: Actor): Promise<unknown>;
  /** `resume` throws UserError if the bot can't post in the channel, so these things are resumed before others. */
  checksChannel: boolean;
}

export interface PausedThing {
  id: string;
  title: string;
  ownerId: string;
  /** For the owner, about this thing alone; pausing/ adds the channel and the reason. */
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

/** Called when Slack refuses a message for good. Pauses the things that the message is about, or the whole channel. */
export type PauseRefused = (
  db: Kysely<Schema>,
  refusal: Refusal,
  /** `toPerson`: the channel of the refused message is a person's id. */
  about: { pausable: Pausable; ids: readonly string[]; toPerson: boolean },
) => Promise<void>;

/** A table of pausable things. */
interface PausableTable {
  table: 'watches' | 'digests';
  /** The column of the outbox that refers to the thing. */
  outboxColumn: 'watch_id' | 'digest_id';
  noticeKind: string;
  /** Rows that are not removed. */
  exists?: RawBuilder<SqlBool>;
  /** Rows that `pause` may pause. */
  canPause?: RawBuilder<SqlBool>;
  /** Further columns that pausing sets. */
  reset?: Updateable<Schema['digests']>;
  /** The new state of the messages that wait to be sent. */
  messages(code: string): Updateable<Schema['outbox']>;
  /** `number`: digests only. */
  noticeOf(row: { id: string; title: string; number?: number; destination: string }): Notice;
}

/**
 * Pauses rows of a table. Parses no JSON columns, so a row that can't be read doesn't prevent the pause of its channel.
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
        // All transactions lock rows in this order, which prevents deadlocks.
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

import type { Insertable, Selectable } from 'kysely';
import { z } from 'zod';
import type { Message } from '../answers/message.ts';
import type { Schema } from '../database/schema.ts';
import type { WorkspaceStore, WorkspaceTables } from '../database/workspace-store.ts';

export type OutboxRow = Selectable<Schema['outbox']>;
export type PendingRow = Insertable<WorkspaceTables['outbox']>;

/** One operation in Slack. */
export type Delivery =
  /**
   * `id`: stored in its metadata instead of the row's. `since`: a message with this id may have gone out since then
   * (real clock), whatever the row says. `mergedIds`: of rows that this message stands for, so that it is found by
   * these too. `mayBeIn`: another thread where it may have gone out.
   * `threadTs`: the first message of its thread; if that was deleted, the reply goes to the channel.
   * `toPerson`: the row's channel is a person's id, and the message goes to their direct message with the bot.
   */
  | {
      operation: 'post';
      id?: string;
      since?: Date;
      mergedIds?: readonly string[];
      mayBeIn?: string;
      threadTs?: string;
      isBroadcast?: boolean;
      toPerson?: boolean;
      render(): Promise<Message>;
    }
  /** `ts` is null if the message is known to be gone. */
  | { operation: 'update'; ts: string | null; render(): Promise<Message> }
  /** Removes the message posted with this id after `since` (real clock), if there is one. */
  | { operation: 'remove'; id: string; since: Date };

/** A kind of message, as its feature declares it. */
export interface OutgoingMessage<Ctx = unknown> {
  kind: string;
  /** If the outcome is unknown, only a post is looked up: an update or a removal may be repeated. */
  operation: Delivery['operation'];
  /**
   * Replies of a thread go out one after the other, and so do its opener and the opener's updates. A reply waits for an
   * unsent opener, and a new opener waits for replies that may have gone out. An update of a reply waits for the replies
   * and updates before it, but nothing else waits for it. Default: no order.
   */
  inThread?: 'opener' | 'reply' | 'reply-update';
  /** Informs a person that other messages can't be posted. It is tried for a week, whatever Slack answers. */
  isNotice?: boolean;
  /** For an update: the kind to post if the message is gone. Default: none. */
  postedAgainAs?: string;
  /** Undefined if its watch or digest was deleted: then the row is deleted too. Throws ZodError for an unreadable payload. */
  open(row: OutboxRow, ctx: Ctx): Promise<Delivery | undefined>;
  /** Called in the transaction that marks the message as sent. */
  onSent?(store: WorkspaceStore, sent: { row: OutboxRow; ts: string; now: Date }, ctx: Ctx): Promise<void>;
  /** Slack refuses the message for good. Called in the transaction that marks it as `failed`. */
  onRefused?(store: WorkspaceStore, refusal: Refusal, ctx: Ctx): Promise<void>;
  /** Merges pending messages before they are sent. */
  group?(store: WorkspaceStore, context: GroupContext, ctx: Ctx): Promise<void>;
}

export interface Refusal {
  row: OutboxRow;
  /** Slack's error code. */
  code: string;
  now: Date;
  realNow: Date;
}

export interface GroupContext {
  now: Date;
  realNow: Date;
  newId: () => string;
}

type Operation = Delivery['operation'];
type DeliveryOf<D extends Operation> = Omit<Extract<Delivery, { operation: D }>, 'operation'>;

/** Like OutgoingMessage, but `open` gets the parsed payload. */
interface Declaration<Payload, D extends Operation, Ctx>
  extends Omit<OutgoingMessage<Ctx>, 'kind' | 'operation' | 'open'> {
  payload: z.ZodType<Payload>;
  operation: D;
  open(payload: Payload, row: OutboxRow, ctx: Ctx): Promise<DeliveryOf<D> | undefined>;
}

export function outgoingMessage<Payload, D extends Operation, Ctx = unknown>(
  kind: string,
  { payload, open, ...declared }: Declaration<Payload, D, Ctx>,
): OutgoingMessage<Ctx> {
  // A notice goes to a person's direct message.
  const common: object = { operation: declared.operation, ...(declared.isNotice && { toPerson: true }) };
  return {
    ...declared,
    kind,
    async open(row, ctx) {
      const opened: object | undefined = await open(payload.parse(row.payload), row, ctx);
      // DeliveryOf<D> with its `operation` is a Delivery, but TypeScript can't see that.
      return opened && ({ ...common, ...opened } as Delivery);
    },
  };
}

export interface PendingMessage {
  /** Stored in the message's metadata, so that the message can be found in Slack. */
  id: string;
  /** The thing whose messages go out in order, such as a watch: its id. */
  threadKey?: string | null;
  channelId: string;
  /** The payload; JSON can hold it. */
  message: { kind: string };
  /** A reply that shows in the channel too, or a summary of such replies. */
  isInChannel?: boolean;
  /** On the domain clock. */
  now: Date;
  /** On the real clock. */
  dueAt: Date;
}

/** A row of the outbox, to be written in the same transaction as the change that it reports. */
export function pendingMessage(pending: PendingMessage): PendingRow {
  return {
    id: pending.id,
    thread_key: pending.threadKey ?? null,
    channel_id: pending.channelId,
    kind: pending.message.kind,
    payload: JSON.stringify(pending.message),
    is_in_channel: pending.isInChannel ?? false,
    goes_before: null,
    status: 'pending',
    created_at: pending.now,
    attempted_at: null,
    ts: null,
    error: null,
    due_at: pending.dueAt,
    lease_until: null,
    lease_token: null,
    attempts: 0,
  };
}

/**
 * Deletes the messages of a thread that are not sent, as when its watch is stopped, and returns their kinds. One may just
 * be going out. Leaves out a row whose outcome is being stored, since that transaction may wait for the watch.
 */
export async function deleteUnsent(store: WorkspaceStore, threadKey: string): Promise<string[]> {
  const unsent = store
    .selectFrom('outbox')
    .select('id')
    .where('thread_key', '=', threadKey)
    .where('status', 'in', ['pending', 'sending', 'held'])
    .forUpdate()
    .skipLocked();
  const rows = await store.deleteFrom('outbox').where('id', 'in', unsent).returning('kind').execute();
  return rows.map(({ kind }) => kind);
}

export type Kinds<Ctx = unknown> = ReturnType<typeof createKinds<Ctx>>;

export function createKinds<Ctx>(all: readonly OutgoingMessage<Ctx>[]) {
  const byKind = new Map(all.map((message) => [message.kind, message]));
  const declaredKind = z.custom<OutgoingMessage<Ctx>>(
    (message) => message !== undefined,
    'no feature declares this kind',
  );
  return {
    all,
    find: (kind: string) => byKind.get(kind),
    /** Throws ZodError for a kind that no feature declares: a later version may have written it. */
    get: (kind: string): OutgoingMessage<Ctx> => declaredKind.parse(byKind.get(kind)),
  };
}

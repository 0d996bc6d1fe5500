import type { Insertable, Selectable } from 'kysely';
import { z } from 'zod';
import type { Message } from '../answers/message.ts';
import type { Schema } from '../database/schema.ts';
import type { WorkspaceStore, WorkspaceTables } from '../database/workspace-store.ts';
import { UserError } from '../errors.ts';

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

export interface Post {
  /** Stored in the message's metadata, so that the message can be found again. */
  id: string;
  /** A channel's id, or a user's for a direct message. */
  channelId: string;
  delivery: Delivery;
  /** The message may have gone out before, and its text says so. */
  isPossiblyRepeated: boolean;
}

/** The outbox's way to Slack. Each request ends within 10 s. */
export interface Poster {
  /** Returns the message's `ts`. Throws PostError if Slack refuses, anything else if the outcome is unknown. */
  post(post: Post): Promise<{ ts: string }>;
  /** Looks for a message that may have gone out at `attemptedAt` (real clock) or later. `unknown`: the search gave up. */
  find(post: Post, attemptedAt: Date): Promise<{ ts: string } | 'absent' | 'unknown'>;
}

/** Slack's code for an update of a message that does not exist. */
export const messageGone = 'message_not_found';

/** Slack refused a request, so nothing was posted. Does not cover requests without an answer. */
export class PostError extends Error {
  override readonly name = 'PostError';
  /** Slack's error code: `channel_not_found`, `ratelimited`. */
  readonly code: string;
  /** Slack will refuse it again until a person does something. */
  readonly isPermanent: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(details: { code: string; isPermanent: boolean; retryAfterMs?: number }) {
    super(`Slack refused a message: ${details.code}`);
    this.code = details.code;
    this.isPermanent = details.isPermanent;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** Tells a person why Slack refused their message; undefined if the error is no refusal. */
export function postRefusal(error: unknown): UserError | undefined {
  if (!(error instanceof PostError)) return undefined;
  switch (error.code) {
    case 'not_in_channel':
    case 'channel_not_found':
      return badChannel(
        "Landfall can't post in that channel, so nothing was saved.",
        "Type /invite @Landfall there, then try again. It can't post in direct messages between people.",
      );
    case 'is_archived':
      return badChannel('That channel is archived, so nothing was saved.', 'Choose another one.');
    case 'restricted_action':
    case 'restricted_action_read_only_channel':
    case 'restricted_action_thread_only_channel':
      return badChannel(
        "Only some people may post in that channel, and Landfall isn't one of them, so nothing was saved.",
        'A workspace admin can allow it to post there; or choose another channel.',
      );
    case 'ratelimited':
    case 'rate_limited':
      return badChannel(
        'Slack accepts no more messages for this channel right now, so nothing was saved.',
        'Please try again in a minute.',
      );
    default:
      return badChannel(
        `Slack refused the first message of the watch (${error.code}), so nothing was saved.`,
        'Choose another channel, or tell whoever runs this bot.',
      );
  }
}

const badChannel = (message: string, hint: string) => new UserError({ code: 'bad-channel', message, hint });

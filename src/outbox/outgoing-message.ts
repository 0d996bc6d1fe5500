import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../database/schema.ts';
import type { Message } from '../messages/message.ts';

export type OutboxRow = Selectable<Schema['outbox']>;

/** What is to be done in Slack. */
export type Delivery =
  /**
   * `threadTs`: of the message below which it is; where that is gone, it is in the channel. `toPerson`: the
   * row's channel is a person's id, and it goes to their direct message with the bot.
   */
  | {
      does: 'post';
      threadTs?: string;
      isBroadcast?: boolean;
      toPerson?: boolean;
      render(): Promise<Message>;
    }
  /** Null: the message is known to be gone. */
  | { does: 'update'; ts: string | null; render(): Promise<Message> }
  /** What was posted with this id since then (real clock), if anything was. */
  | { does: 'remove'; id: string; since: Date };

/** A kind of message, as the feature that writes it declares it. */
export interface OutgoingMessage {
  kind: string;
  /** Only a post whose outcome is unknown is looked up: an update or a removal may be repeated. */
  does: Delivery['does'];
  /**
   * Its order in its thread; none where left out. Replies go out one after the other, and so do the opener and its
   * updates. A reply waits for an opener that is to be posted; that waits for replies that may have gone out.
   */
  inThread?: 'opener' | 'reply';
  /** The key of its payload that lists the ids of messages which go out before it. */
  after?: string;
  /** To a person: other messages can't be posted. It is tried for a week, whatever Slack answers. */
  isNotice?: boolean;
  /** Of an update: the kind that is posted where the message is gone. Left out: then there is nothing to do. */
  postedAgainAs?: string;
  /** Undefined: what it is about is gone, and its row too. Throws ZodError for what can't be read. */
  open(row: OutboxRow): Promise<Delivery | undefined>;
  /** In the transaction that marks it as sent. */
  onSent?(db: Kysely<Schema>, sent: { row: OutboxRow; ts: string }): Promise<void>;
  /** Slack refuses it for good; in the transaction that marks it as `failed`. */
  onRefused?(db: Kysely<Schema>, refusal: Refusal): Promise<void>;
  /** Puts together, and splits, what waits to be sent; before that. */
  group?(db: Kysely<Schema>, context: GroupContext): Promise<void>;
  /** It was written after the last grouping, and can't go out as it is. */
  isTooLarge?(row: OutboxRow): boolean;
}

export interface Refusal {
  row: OutboxRow;
  /** Slack's. */
  code: string;
  /** The domain clock. */
  now: Date;
  realNow: Date;
}

export interface GroupContext {
  /** The domain clock. */
  now: Date;
  realNow: Date;
  newId: () => string;
}

type Does = Delivery['does'];
type DeliveryOf<D extends Does> = Omit<Extract<Delivery, { does: D }>, 'does'>;

/** `open` and `isTooLarge` with the payload as its schema reads it. */
interface Declaration<Payload, D extends Does>
  extends Omit<OutgoingMessage, 'kind' | 'does' | 'open' | 'isTooLarge'> {
  payload: z.ZodType<Payload>;
  does: D;
  open(payload: Payload, row: OutboxRow): Promise<DeliveryOf<D> | undefined>;
  isTooLarge?(payload: Payload): boolean;
}

export function outgoingMessage<Payload, D extends Does>(
  kind: string,
  { payload, open, isTooLarge, ...declared }: Declaration<Payload, D>,
): OutgoingMessage {
  const always: object = { does: declared.does, ...(declared.isNotice && { toPerson: true }) };
  return {
    ...declared,
    kind,
    async open(row) {
      const opened: object | undefined = await open(payload.parse(row.payload), row);
      // DeliveryOf<D> with its `does` is a Delivery, which TypeScript can't follow.
      return opened && ({ ...always, ...opened } as Delivery);
    },
    ...(isTooLarge && { isTooLarge: (row) => isTooLarge(payload.parse(row.payload)) }),
  };
}

/** Throws ZodError for a kind that no feature declares, as one of a later version. */
export function createKinds(all: readonly OutgoingMessage[]) {
  const byKind = new Map(all.map((one) => [one.kind, one]));
  const known = z.custom<OutgoingMessage>((one) => one !== undefined, 'no feature declares this kind');
  return {
    all,
    find: (kind: string) => byKind.get(kind),
    get: (kind: string): OutgoingMessage => known.parse(byKind.get(kind)),
    where: (matches: (one: OutgoingMessage) => boolean) => all.filter(matches).map(({ kind }) => kind),
  };
}
export type Kinds = ReturnType<typeof createKinds>;

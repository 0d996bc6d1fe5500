import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import type { Message } from '../../messages/message.ts';
import {
  type OutboxRow,
  type OutgoingMessage,
  outgoingMessage,
  type Refusal,
} from '../../outbox/outgoing-message.ts';
import { digestDetail, digestMessage, digestNotice, type OutgoingDigest } from './digest-message.ts';

/** What digests put into the outbox: digests, and in their threads whole answers. */
export function digestMessages(
  db: Kysely<Schema>,
  {
    render,
    pause,
  }: {
    render(message: OutgoingDigest, channelId: string): Promise<Message>;
    /** These digests, for what Slack refuses for good. */
    pause(
      transaction: Kysely<Schema>,
      refusal: Refusal,
      about: { ids: readonly string[]; toPerson: boolean },
    ): Promise<void>;
  },
): OutgoingMessage[] {
  const onRefused: OutgoingMessage['onRefused'] = async (transaction, refusal) => {
    const { digest_id: digestId } = refusal.row;
    const toPerson = await isPersonal(transaction, refusal.row);
    await pause(transaction, refusal, { ids: digestId ? [digestId] : [], toPerson });
  };
  const rendered = (message: OutgoingDigest, row: OutboxRow) => ({
    render: () => render(message, row.channel_id),
  });
  const sent = async (message: OutgoingDigest, row: OutboxRow) => ({
    toPerson: await isPersonal(db, row),
    ...rendered(message, row),
  });
  return [
    outgoingMessage('digest', {
      payload: digestMessage,
      does: 'post',
      inThread: 'reply',
      open: sent,
      onRefused,
    }),
    outgoingMessage('digest-detail', {
      payload: digestDetail,
      does: 'post',
      inThread: 'reply',
      async open(message, row) {
        const threadTs = await tsOf(db, message.parent);
        return { ...(threadTs && { threadTs }), ...(await sent(message, row)) };
      },
      onRefused,
    }),
    outgoingMessage('digest-notice', {
      payload: digestNotice,
      does: 'post',
      isNotice: true,
      open: async (message, row) => rendered(message, row),
    }),
  ];
}

/** A digest to its owner alone has the owner's id for a channel. */
async function isPersonal(
  db: Kysely<Schema>,
  { digest_id: id, channel_id: channelId }: OutboxRow,
): Promise<boolean> {
  const digest = await db.selectFrom('digests').select('owner_id').where('id', '=', id).executeTakeFirst();
  return digest?.owner_id === channelId;
}

async function tsOf(db: Kysely<Schema>, id: string): Promise<string | null | undefined> {
  return (await db.selectFrom('outbox').select('ts').where('id', '=', id).executeTakeFirst())?.ts;
}

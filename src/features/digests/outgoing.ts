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
    pause(transaction: Kysely<Schema>, refusal: Refusal, ids: readonly string[]): Promise<void>;
  },
): OutgoingMessage[] {
  const onRefused: OutgoingMessage['onRefused'] = async (transaction, refusal) => {
    const { digest_id: digestId } = refusal.row;
    await pause(transaction, refusal, digestId ? [digestId] : []);
  };
  const rendered = async (message: OutgoingDigest, row: OutboxRow) => ({
    render: () => render(message, row.channel_id),
  });
  return [
    outgoingMessage('digest', {
      payload: digestMessage,
      does: 'post',
      inThread: 'reply',
      open: rendered,
      onRefused,
    }),
    outgoingMessage('digest-detail', {
      payload: digestDetail,
      does: 'post',
      inThread: 'reply',
      async open(message, row) {
        const threadTs = await tsOf(db, message.parent);
        return { ...(threadTs && { threadTs }), ...(await rendered(message, row)) };
      },
      onRefused,
    }),
    outgoingMessage('digest-notice', {
      payload: digestNotice,
      does: 'post',
      isNotice: true,
      open: rendered,
    }),
  ];
}

async function tsOf(db: Kysely<Schema>, id: string): Promise<string | null | undefined> {
  return (await db.selectFrom('outbox').select('ts').where('id', '=', id).executeTakeFirst())?.ts;
}

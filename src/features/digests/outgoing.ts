import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import type { Message, Reader } from '../../messages/message.ts';
import {
  type OutboxRow,
  type OutgoingMessage,
  outgoingMessage,
  type Refusal,
} from '../../outbox/outgoing-message.ts';
import {
  type DigestMessage,
  digestDetail,
  digestMessage,
  digestNotice,
  type OutgoingDigest,
} from './digest-message.ts';
import { type DigestLinesDeps, readerOf } from './run-lines.ts';
import { type DigestFrame, digestNoticeView, digestView } from './views/digest.ts';

interface OutgoingOptions {
  render(message: OutgoingDigest, channelId: string): Promise<Message>;
  pause(
    transaction: Kysely<Schema>,
    refusal: Refusal,
    about: { ids: readonly string[]; toPerson: boolean },
  ): Promise<void>;
}

/** The messages of digests: each digest, the whole answers in its thread, and notices to its owner. */
export function digestMessages(db: Kysely<Schema>, { render, pause }: OutgoingOptions): OutgoingMessage[] {
  const withRender = (message: OutgoingDigest, { channel_id: channelId }: OutboxRow) => ({
    render: () => render(message, channelId),
  });
  const open = async (message: OutgoingDigest, row: OutboxRow) => ({
    toPerson: await isToOwner(db, row),
    ...withRender(message, row),
  });
  const postInThread = {
    operation: 'post',
    inThread: 'reply',
    async onRefused(transaction: Kysely<Schema>, refusal: Refusal) {
      const { thread_key: digestId } = refusal.row;
      const toPerson = await isToOwner(transaction, refusal.row);
      await pause(transaction, refusal, { ids: digestId ? [digestId] : [], toPerson });
    },
  } as const;
  return [
    outgoingMessage('digest', { ...postInThread, payload: digestMessage, open }),
    outgoingMessage('digest-detail', {
      ...postInThread,
      payload: digestDetail,
      async open(message, row) {
        const { parent } = message;
        const sent = await db
          .selectFrom('outbox')
          .select('ts')
          .where('workspace_id', '=', row.workspace_id)
          .where('id', '=', parent)
          .executeTakeFirst();
        return { ...(sent?.ts && { threadTs: sent.ts }), ...(await open(message, row)) };
      },
    }),
    outgoingMessage('digest-notice', {
      payload: digestNotice,
      operation: 'post',
      isNotice: true,
      open: async (message, row) => withRender(message, row),
    }),
  ];
}

/** The channel of a personal digest is its owner's id. */
async function isToOwner(
  db: Kysely<Schema>,
  { workspace_id: workspaceId, thread_key: id, channel_id: channelId }: OutboxRow,
): Promise<boolean> {
  const digest = await db
    .selectFrom('digests')
    .select('owner_id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  return digest?.owner_id === channelId;
}

type RenderDeps = Pick<DigestLinesDeps, 'vessels' | 'slack' | 'source'>;

export async function renderDigest(
  message: OutgoingDigest,
  channelId: string,
  deps: RenderDeps,
): Promise<Message> {
  if (message.kind === 'digest-notice') return digestNoticeView(message);
  if (message.kind === 'digest-detail') return message.message;
  const { frame, reader } = await digestFrame(message, channelId, deps);
  return digestView(message, frame, reader);
}

/** What the view of a message in this channel needs besides the message. */
export async function digestFrame(
  { ownerId, destination, zone, ranAt }: DigestMessage,
  channelId: string,
  deps: RenderDeps,
): Promise<{ frame: DigestFrame; reader: Reader }> {
  const [vessels, owner, reader] = await Promise.all([
    deps.vessels(),
    deps.slack.personOf(ownerId),
    readerOf({ channelId, destination, zone }, { ...deps, now: ranAt }),
  ]);
  return { frame: { ownerName: owner.name, nameOf: (imo) => vessels.nameOf(imo) }, reader };
}

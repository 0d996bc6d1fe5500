import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { withoutReferences } from '../../grammar/vessel-directory.ts';
import type { Message, Reader } from '../../messages/message.ts';
import {
  type OutboxRow,
  type OutgoingMessage,
  outgoingMessage,
  type Refusal,
} from '../../outbox/outgoing-message.ts';
import { checkOutsiders } from '../owned/outsiders.ts';
import { referencesShown } from '../run-context.ts';
import {
  type DigestDetail,
  type DigestMessage,
  type DigestNews,
  digestDetail,
  digestMessage,
  digestNews,
  digestNotice,
  type OutgoingDigest,
} from './digest-message.ts';
import { type DigestLinesDeps, readerOf } from './run-lines.ts';
import { digestNoticeView, digestView, moreNewsView, withheldView } from './views/digest.ts';
import type { NewsVessels } from './views/news-table.ts';

interface DigestPlace {
  /** The owner's id if it goes to them alone. */
  channelId: string;
  toPerson: boolean;
  /** People of other organisations may see it. */
  isAllowed: boolean;
}

interface OutgoingOptions {
  render(message: OutgoingDigest, channel: DigestPlace): Promise<Message>;
  pause(
    transaction: WorkspaceStore,
    refusal: Refusal,
    about: { ids: readonly string[]; toPerson: boolean },
  ): Promise<void>;
}

/** The messages of digests: each digest, more news and the whole answers in its thread, and notices to its owner. */
export function digestMessages(store: WorkspaceStore, { render, pause }: OutgoingOptions): OutgoingMessage[] {
  const open = async (message: OutgoingDigest, row: OutboxRow) => {
    const place = await placeOf(store, row);
    return {
      toPerson: place.toPerson,
      render: () => render(message, { channelId: row.channel_id, ...place }),
    };
  };
  const openReply = async (message: DigestNews | DigestDetail, row: OutboxRow) => {
    const sent = await store
      .selectFrom('outbox')
      .select('ts')
      .where('id', '=', message.parent)
      .executeTakeFirst();
    return { ...(sent?.ts && { threadTs: sent.ts }), ...(await open(message, row)) };
  };
  const postInThread = {
    operation: 'post',
    inThread: 'reply',
    async onRefused(transaction: WorkspaceStore, refusal: Refusal) {
      const { thread_key: digestId } = refusal.row;
      const { toPerson } = await placeOf(transaction, refusal.row);
      await pause(transaction, refusal, { ids: digestId ? [digestId] : [], toPerson });
    },
  } as const;
  return [
    outgoingMessage('digest', { ...postInThread, payload: digestMessage, open }),
    outgoingMessage('digest-news', { ...postInThread, payload: digestNews, open: openReply }),
    outgoingMessage('digest-detail', { ...postInThread, payload: digestDetail, open: openReply }),
    outgoingMessage('digest-notice', {
      payload: digestNotice,
      operation: 'post',
      isNotice: true,
      open: async (message, { channel_id: channelId }) => ({
        render: () => render(message, { channelId, isAllowed: true, toPerson: true }),
      }),
    }),
  ];
}

/** The channel of a personal digest is its owner's id. */
async function placeOf(
  store: WorkspaceStore,
  { thread_key: id, channel_id: channelId }: OutboxRow,
): Promise<Omit<DigestPlace, 'channelId'>> {
  const digest = await store
    .selectFrom('digests')
    .select(['owner_id', 'outsiders_allowed_by'])
    .where('id', '=', id)
    .executeTakeFirst();
  const toPerson = digest?.owner_id === channelId;
  return { toPerson, isAllowed: toPerson || (digest?.outsiders_allowed_by ?? null) !== null };
}

type RenderDeps = Pick<DigestLinesDeps, 'vessels' | 'slack' | 'source' | 'watchThreads'>;

export async function renderDigest(
  message: OutgoingDigest,
  { channelId, toPerson, isAllowed }: DigestPlace,
  deps: RenderDeps,
): Promise<Message> {
  await checkOutsiders({ channelId, isAllowed }, deps.slack);
  switch (message.kind) {
    case 'digest': {
      const { frame, reader } = await digestFrame(message, channelId, deps);
      return digestView(message, frame, reader);
    }
    case 'digest-news': {
      const { vessels } = await newsFrame(message, channelId, deps);
      return moreNewsView(message, vessels);
    }
    case 'digest-detail': {
      // People of another organisation may have come into the channel since the digest ran.
      const place = { channelId, destination: toPerson ? 'direct-message' : 'channel' } as const;
      const isWithheld = message.isInternal && (await deps.slack.audienceOf(place)) === 'outside';
      return isWithheld ? withheldView(message) : message.message;
    }
    case 'digest-notice':
      return digestNoticeView(message);
  }
}

/** What the view of a digest in this channel needs besides the message. */
export async function digestFrame(message: DigestMessage, channelId: string, deps: RenderDeps) {
  const [owner, { vessels, reader }] = await Promise.all([
    deps.slack.personOf(message.ownerId),
    newsFrame(message, channelId, deps),
  ]);
  return { frame: { ownerName: owner.name, vessels }, reader };
}

async function newsFrame(
  { news, destination, zone, ranAt }: DigestMessage | DigestNews,
  channelId: string,
  deps: RenderDeps,
): Promise<{ vessels: NewsVessels; reader: Reader }> {
  const imos = [...new Set(news.map(({ imo }) => imo))];
  // The channel of a personal digest is its owner's id.
  const isForGuest = destination === 'direct-message' && (await deps.slack.asksOnly(channelId));
  const [directory, links, reader] = await Promise.all([
    deps.vessels(),
    deps.watchThreads(channelId, imos),
    readerOf({ channelId, destination, zone }, { ...deps, now: ranAt }),
  ]);
  const referencesOf = referencesShown(isForGuest ? withoutReferences(directory) : directory, reader);
  const vessels = new Map(
    imos.map((imo) => {
      const [name, url] = [directory.nameOf(imo), links.get(imo)];
      return [
        imo,
        {
          imo,
          references: referencesOf(imo),
          ...(name !== undefined && { name }),
          ...(url !== undefined && { url }),
        },
      ];
    }),
  );
  return { vessels, reader };
}

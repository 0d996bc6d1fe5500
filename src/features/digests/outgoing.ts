import type { LineOf } from '../../answers/answer.ts';
import type { Message, Reader } from '../../answers/message.ts';
import { withExportMenu, withoutShare } from '../../answers/slack/answer-message.ts';
import { toMessage, toReply } from '../../answers/slack/render.ts';
import { readStored, type StoredAnswer } from '../../answers/stored.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { withoutReferences } from '../../grammar/vessel-directory.ts';
import {
  type OutboxRow,
  type OutgoingMessage,
  outgoingMessage,
  type Refusal,
} from '../../outbox/outgoing-message.ts';
import type { WorkCtx } from '../ctx.ts';
import { checkOutsiders, pauseRefused } from '../owned/index.ts';
import { watchThreads } from '../polling/index.ts';
import {
  type Digest,
  type DigestMessage,
  type DigestNews,
  digestDetail,
  digestMessage,
  digestNews,
  digestNotice,
} from './digest.ts';
import { pausableDigests } from './digests.ts';
import {
  type DigestFrame,
  digestAnswer,
  moreNewsAnswer,
  type NewsVessels,
  noticeAnswer,
  withheldAnswer,
} from './message.ts';

const postInThread = {
  operation: 'post',
  inThread: 'reply',
  async onRefused(transaction: WorkspaceStore, refusal: Refusal, ctx: WorkCtx) {
    const { thread_key: digestId } = refusal.row;
    const { toPerson } = await placeOf(refusal.row, transaction);
    const about = { pausable: pausableDigests, ids: digestId ? [digestId] : [], toPerson };
    await pauseRefused(transaction, refusal, about, ctx);
  },
} as const;

/** Each digest; more news and the whole answers, in its thread; notices to its owner. */
export const digestMessages: readonly OutgoingMessage<WorkCtx>[] = [
  outgoingMessage('digest', {
    ...postInThread,
    payload: digestMessage,
    open: (message, row, ctx: WorkCtx) =>
      openPost({ row }, ctx, async () => {
        const { frame, reader } = await frameOf(message, row.channel_id, ctx);
        return toReply(digestAnswer(message, frame, reader), { reader, ...ctx.registry });
      }),
  }),
  outgoingMessage('digest-news', {
    ...postInThread,
    payload: digestNews,
    open: (message, row, ctx: WorkCtx) =>
      openPost({ row, parent: message.parent }, ctx, async () => {
        const { vessels, reader } = await newsFrame(message, row.channel_id, ctx);
        return toReply(moreNewsAnswer(message, vessels), {
          // The first message of the thread says that data is invented.
          reader: { ...reader, source: 'service' },
          ...ctx.registry,
        });
      }),
  }),
  outgoingMessage('digest-detail', {
    ...postInThread,
    payload: digestDetail,
    open: (message, row, ctx: WorkCtx) =>
      openPost({ row, parent: message.parent }, ctx, async ({ toPerson }) => {
        // People of another organisation may have come into the channel since the digest ran.
        const destination = toPerson ? 'direct-message' : 'channel';
        const { zone, ranAt, stored } = message;
        const now = await readerOf({ channelId: row.channel_id, destination, zone }, ctx);
        // The times are those of when it ran, and the first message of the thread says that data is invented.
        const reader = { ...now, now: ranAt, source: 'service' } as const;
        const isWithheld = message.isInternal && reader.audience === 'outside';
        return isWithheld
          ? toReply(withheldAnswer(message), { reader, ...ctx.registry })
          : detailOf(stored, { reader, ...ctx.registry });
      }),
  }),
  outgoingMessage('digest-notice', {
    payload: digestNotice,
    operation: 'post',
    isNotice: true,
    async open(message, { channel_id: channelId }, ctx: WorkCtx) {
      const place = { channelId, destination: 'direct-message', zone: 'UTC' } as const;
      return {
        render: async () =>
          toReply(noticeAnswer(message), { reader: await readerOf(place, ctx), ...ctx.registry }),
      };
    },
  }),
];

/** The same question is asked again or exported in the thread; the digest shares it already. */
function detailOf(
  { line, exportedLine, answer }: StoredAnswer,
  context: { reader: Reader; lineOf: LineOf },
): Message {
  const message = withoutShare(toMessage(readStored({ answer }), { line, ...context }));
  return exportedLine === undefined ? message : withExportMenu(message, exportedLine);
}

interface Place {
  /** The channel of a personal digest is its owner's id. */
  toPerson: boolean;
  /** People of other organisations may see it. */
  isAllowed: boolean;
}

/** `parent`: the outbox id of the message in whose thread it goes. */
async function openPost(
  { row, parent }: { row: OutboxRow; parent?: string },
  { services: { store, slack } }: WorkCtx,
  render: (place: Place) => Promise<Message>,
) {
  const place = await placeOf(row, store);
  const sent =
    parent === undefined
      ? undefined
      : await store.selectFrom('outbox').select('ts').where('id', '=', parent).executeTakeFirst();
  return {
    toPerson: place.toPerson,
    ...(sent?.ts && { threadTs: sent.ts }),
    async render() {
      await checkOutsiders({ channelId: row.channel_id, ...place }, slack);
      return render(place);
    },
  };
}

async function placeOf(
  { thread_key: id, channel_id: channelId }: OutboxRow,
  store: WorkspaceStore,
): Promise<Place> {
  const digest = await store
    .selectFrom('digests')
    .select(['owner_id', 'outsiders_allowed_by'])
    .where('id', '=', id)
    .executeTakeFirst();
  const toPerson = digest?.owner_id === channelId;
  return { toPerson, isAllowed: toPerson || (digest?.outsiders_allowed_by ?? null) !== null };
}

/** The reader of the messages in the digest's channel. */
async function readerOf(
  { channelId, destination, zone }: Pick<Digest, 'channelId' | 'destination' | 'zone'>,
  { services: { now, source, slack } }: WorkCtx,
): Promise<Reader> {
  return { now: now(), zone, source, audience: await slack.audienceOf({ channelId, destination }) };
}

/** What the message of a digest needs besides what is stored of it. */
export async function frameOf(
  message: DigestMessage,
  channelId: string,
  ctx: WorkCtx,
): Promise<{ frame: DigestFrame; reader: Reader }> {
  const [owner, { vessels, reader }] = await Promise.all([
    ctx.services.slack.personOf(message.ownerId),
    newsFrame(message, channelId, ctx),
  ]);
  return { frame: { ownerName: owner.name, vessels }, reader };
}

async function newsFrame(
  { destination, zone, ranAt, ...message }: DigestMessage | DigestNews,
  channelId: string,
  ctx: WorkCtx,
): Promise<{ vessels: NewsVessels; reader: Reader }> {
  const calls = 'calls' in message ? message.calls.first : [];
  const imos = [...new Set([...message.news, ...calls].map(({ imo }) => imo))];
  const isForGuest = destination === 'direct-message' && (await ctx.services.slack.asksOnly(channelId));
  const [directory, links, reader] = await Promise.all([
    ctx.registry.vessels(ctx),
    watchThreads(channelId, imos, ctx),
    readerOf({ channelId, destination, zone }, ctx),
  ]);
  const { nameOf, referencesOf } = isForGuest ? withoutReferences(directory) : directory;
  const vessels = new Map(
    imos.map((imo) => {
      const [name, url] = [nameOf(imo), links.get(imo)];
      const known = { imo, ...(name !== undefined && { name }), ...(url !== undefined && { url }) };
      return [imo, { ...known, references: referencesOf(imo) }];
    }),
  );
  // The times in the message are those of when it ran.
  return { vessels, reader: { ...reader, now: ranAt } };
}

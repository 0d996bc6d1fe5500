import { z } from 'zod';
import { toReply } from '../../answers/slack/render.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { outgoingMessage, pendingMessage, type Refusal } from '../../outbox/outgoing-message.ts';
import { lockWorkspace, recordChanges } from '../../workspaces/audit.ts';
import { replyTo } from '../command.ts';
import { type AskCtx, actorIn, type WorkCtx } from '../ctx.ts';
import type { Feature } from '../feature.ts';
import { seenOutside, withDetails } from '../outsiders.ts';
import type { Pausable, PausedFilter, PausedThing, PauseRefused, WorkspaceServices } from '../services.ts';
import {
  type ChannelNotice,
  channelNotice,
  channelNoticeAnswer,
  channelNoticeKind,
  resumeAllId,
  resumedAllAnswer,
} from './channel-notice.ts';

/** `code`: Slack's error code for messages to the channel. */
interface UnavailableChannel extends Omit<Refusal, 'row'> {
  channelId: string;
}

/** The services that pausing needs. */
export interface PauseCtx {
  services: Pick<WorkspaceServices, 'store' | 'botUserId' | 'newId'>;
  registry: Pick<WorkCtx['registry'], 'pausables'>;
}

/** With these codes, Slack refuses every message to the channel. */
const channelCodes: ReadonlySet<string> = new Set([
  'is_archived',
  'not_in_channel',
  'channel_not_found',
  seenOutside,
]);

/** With these codes, Slack refuses every message of the bot, notices included. */
const accountCodes: ReadonlySet<string> = new Set([
  'token_revoked',
  'token_expired',
  'account_inactive',
  'invalid_auth',
  'not_authed',
]);
const noticeDelayMs = 60_000;

/** Every notice about paused things holds these. */
const noticeAbout = z.object({ channelId: z.string(), reason: z.string() });

type Paused = PausedThing & { pausable: Pick<Pausable, 'noun'> };

/** Pauses things whose messages Slack refuses, and notifies their owners. One button resumes all of them. */
export const pausing: Feature = {
  commands: [],
  actions: [
    {
      id: resumeAllId,
      replacesMessage: true,
      async run(channelId, ctx) {
        const answer = resumedAllAnswer(channelId, await resumeAll(channelId, ctx));
        return replyTo(answer, ctx);
      },
    },
  ],
  outgoing: [
    outgoingMessage(channelNoticeKind, {
      payload: channelNotice,
      operation: 'post',
      isNotice: true,
      open: async (message, _, ctx: WorkCtx) => ({ render: () => render(message, ctx) }),
    }),
  ],
  async onChannelGone(channel, ctx) {
    const { now, realNow } = ctx.services;
    await markUnavailable({ ...channel, now: now(), realNow: new Date(realNow()) }, ctx);
  },
};

/** Returns how many of the person's things in the channel are resumed. */
async function resumeAll(channelId: string, ctx: AskCtx): Promise<number> {
  const actor = actorIn(ctx);
  // If the channel is still unavailable, the first `resume` that checks it throws, and nothing is resumed.
  const inOrder = ctx.registry.pausables.toSorted(
    (a, b) => Number(b.resumeChecksChannel) - Number(a.resumeChecksChannel),
  );
  let count = 0;
  for (const pausable of inOrder) {
    const paused = await pausable.findPaused(ctx.services.store, { ownerId: actor.userId, channelId });
    for (const { id } of paused) await pausable.resume(id, actor, ctx).catch(withDetails({ what: 'paused' }));
    count += paused.length;
  }
  return count;
}

async function render({ things, ...place }: ChannelNotice, ctx: WorkCtx) {
  const thingsByKind = await Promise.all(
    ctx.registry.pausables.map(async ({ noun, lists, effectOfPause, getTitles }) => {
      const thingsOfKind = things.filter(({ what }) => what === noun.singular);
      const titles = (await getTitles?.(thingsOfKind, ctx)) ?? thingsOfKind.map(({ title }) => title);
      return { noun, lists, effectOfPause, titles };
    }),
  );
  const { now, source } = ctx.services;
  const reader = { now: now(), zone: 'UTC', source, audience: 'private' } as const;
  return toReply(channelNoticeAnswer({ ...place, things: thingsByKind }), { reader, ...ctx.registry });
}

/** See PauseRefused. If Slack refuses every message to the channel, everything in the channel is paused. */
export async function pauseRefused(
  ...[transaction, refusal, about, ctx]: [...Parameters<PauseRefused>, PauseCtx]
): Promise<void> {
  const { pausable, ids, toPerson } = about;
  const { row, code, now, realNow } = refusal;
  const channel = { channelId: row.channel_id, code, now, realNow };
  if (channelCodes.has(code) && !toPerson) return await pauseChannel(transaction, channel, ctx);
  const which = { code, of: { ids }, now };
  await notify(transaction, withPausable(pausable, await pausable.pause(transaction, which)), channel, ctx);
}

/** Pauses everything in a channel where Slack no longer accepts messages. */
export const markUnavailable = (channel: UnavailableChannel, ctx: PauseCtx): Promise<void> =>
  ctx.services.store.transaction((transaction) => pauseChannel(transaction, channel, ctx));

async function pauseChannel(
  transaction: WorkspaceStore,
  channel: UnavailableChannel,
  ctx: PauseCtx,
): Promise<void> {
  const { channelId, code, now } = channel;
  const which = { code, of: { channelId }, now };
  await notify(
    transaction,
    await collectFromAll(ctx, (pausable) => pausable.pause(transaction, which)),
    channel,
    ctx,
  );
}

/** Calls `read` for one pausable after the other, because they share a transaction. */
async function collectFromAll(
  { registry }: PauseCtx,
  read: (pausable: Pausable<WorkCtx>) => Promise<PausedThing[]>,
): Promise<Paused[]> {
  const all: Paused[] = [];
  for (const pausable of registry.pausables) all.push(...withPausable(pausable, await read(pausable)));
  return all;
}

async function notify(
  transaction: WorkspaceStore,
  paused: readonly Paused[],
  { channelId, code: reason, now, realNow }: UnavailableChannel,
  ctx: PauseCtx,
): Promise<void> {
  if (paused.length === 0) return;
  const { newId, botUserId } = ctx.services;
  // Two transactions that notify an owner at the same moment would not see each other's notices.
  await lockWorkspace(transaction);
  const owners = new Set(paused.map(({ ownerId }) => ownerId));
  for (const ownerId of [...owners].sort()) {
    const filter = { ownerId, channelId, reason };
    // If earlier notices have not been sent, one notice about everything that is paused replaces them.
    const things = (await deleteUnsentNotices(transaction, filter, ctx))
      ? await collectFromAll(ctx, (pausable) => pausable.findPaused(transaction, filter))
      : paused.filter((thing) => thing.ownerId === ownerId);
    // Without a valid account the notice can't be sent either, so it waits for further pauses to list.
    const dueAt = accountCodes.has(reason) ? new Date(realNow.getTime() + noticeDelayMs) : realNow;
    const row = { id: newId(), channelId: ownerId, now, dueAt };
    await transaction
      .insertInto('outbox', pendingMessage({ ...row, ...noticeOf(things, { channelId, reason }) }))
      .execute();
  }
  const after = { status: 'paused', reason };
  await recordChanges(
    transaction,
    paused.map(({ pausable, title: subject, isPersonal }) => {
      const action = `${pausable.noun.singular}.pause`;
      return { id: newId(), at: now, actorId: botUserId, channelId, isPersonal, action, subject, after };
    }),
  );
}

/** Returns whether there were notices to delete. */
async function deleteUnsentNotices(
  transaction: WorkspaceStore,
  { ownerId, channelId, reason }: Required<PausedFilter>,
  { registry }: PauseCtx,
): Promise<boolean> {
  const kinds = [channelNoticeKind, ...registry.pausables.map(({ noticeKind }) => noticeKind)];
  const notices = await transaction
    .selectFrom('outbox')
    .select(['id', 'payload'])
    .where('channel_id', '=', ownerId)
    .where('status', '=', 'pending')
    .where('kind', 'in', kinds)
    .execute();
  const unsent = notices.filter(({ payload }) => {
    const { data: notice } = noticeAbout.safeParse(payload);
    return notice?.channelId === channelId && notice.reason === reason;
  });
  if (unsent.length === 0) return false;
  const { numDeletedRows } = await transaction
    .deleteFrom('outbox')
    .where(
      'id',
      'in',
      unsent.map(({ id }) => id),
    )
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

const withPausable = (pausable: Pick<Pausable, 'noun'>, things: readonly PausedThing[]): Paused[] =>
  things.map((thing) => ({ ...thing, pausable }));

function noticeOf(
  paused: readonly Paused[],
  place: { channelId: string; reason: string },
): PausedThing['notice'] {
  const [first, second] = paused;
  if (first && !second) return { ...first.notice, message: { ...first.notice.message, ...place } };
  const things = paused.map(({ id, title, pausable }) => ({ what: pausable.noun.singular, id, title }));
  const message: ChannelNotice = { kind: channelNoticeKind, things, ...place };
  return { message };
}

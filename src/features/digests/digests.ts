import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { createYieldToEventLoop } from '../../database/batches.ts';
import { type Choice, UserError } from '../../errors.ts';
import type { TimeSpan } from '../../grammar/resolve-period.ts';
import type { Actor } from '../../workspaces/permissions.ts';
import type { WorkCtx } from '../ctx.ts';
import {
  askAboutOutsiders,
  checkMayAdd,
  checkNewOwner,
  checkOutsidersAsked,
  isPersonalThing,
  pausableRows,
  requireToChange,
} from '../owned/index.ts';
import type { DigestRuns } from '../scheduled-calls.ts';
import { filterByScope, type Scope } from '../scope.ts';
import type { Pausable } from '../services.ts';
import { type Digest, digestKind, readDigest } from './digest.ts';
import {
  beginPause,
  createDigest,
  type DigestChange,
  deleteDigest,
  endPause,
  findDigest,
  lastNumber,
  makeDue,
  markRemoved,
  markRestored,
  type NewDigest,
  readDigests,
  updateDigest,
} from './digest-store.ts';
import { checkLines, costOf } from './lines.ts';
import { countRuns, nextRun } from './schedule.ts';
import { type DigestRef, exampleLine } from './words.ts';

// What people do with digests, by command, button or form. The functions throw UserError: `not-allowed` without
// permission, `unknown-digest` if there is no such digest. Then nothing is changed.

export type DigestRequest = Omit<NewDigest, 'ownerId'>;

const by = ({ userId: actorId }: Actor, { services }: WorkCtx) => ({ actorId, now: services.now() });

export async function addDigest(request: DigestRequest, actor: Actor, ctx: WorkCtx): Promise<Digest> {
  const { account, slack } = ctx.services;
  await checkMayAdd(digestKind, request.channelId, actor, ctx);
  // Without an account no line could be answered.
  await account.check();
  await checkChannel(request, ctx);
  await checkLinesOf(request, ctx);
  await checkNotThere(request, actor, ctx);
  const outsidersAllowedBy = await askAboutOutsiders(request, 'digest', actor, slack);
  const owned = { ...request, ownerId: actor.userId, outsidersAllowedBy };
  const saved = await createDigest(owned, by(actor, ctx), ctx);
  // If a form is submitted again with other values, the last values count.
  const values = differences(saved, request);
  return Object.keys(values).length === 0 ? saved : await changeDigest(saved.id, values, actor, ctx);
}

/** Nobody wants the same answers twice. A request that Slack delivers again has the id of its digest. */
async function checkNotThere(request: DigestRequest, { channelId }: Actor, ctx: WorkCtx): Promise<void> {
  const { digests } = await readDigests({ channelId: request.channelId }, ctx);
  const same = digests.find(
    (digest) =>
      digest.id !== request.id &&
      Object.keys(differences(digest, { ...request, onlyNews: digest.onlyNews })).length === 0,
  );
  if (!same) return;
  throw new UserError({
    code: 'conflicting-words',
    message: `There is one already: digest ${same.number} has the same lines at the same times, so no second one was made.`,
    choices: request.channelId === channelId ? choicesOf([same], 'show') : [],
  });
}

export const listDigests = async (
  scope: Scope,
  actor: Actor,
  page: { limit: number; offset: number },
  ctx: WorkCtx,
) => readDigests({ ...(await filterByScope(scope, actor, ctx.services.access)), ...page }, ctx);

export const digestToChange = async (id: string, actor: Actor, ctx: WorkCtx): Promise<Digest> =>
  await requireToChange(digestKind, await findDigest({ id }, ctx), actor, ctx);

/** `ownerId` in the change hands the digest over. */
export async function changeDigest(
  id: string,
  values: DigestChange,
  actor: Actor,
  ctx: WorkCtx,
): Promise<Digest> {
  const before = await digestToChange(id, actor, ctx);
  await checkNewOwner(digestKind, before, values.ownerId, ctx);
  if (values.lines) await checkLinesOf({ ...before, lines: values.lines }, ctx);
  return updateDigest(id, values, by(actor, ctx), ctx);
}

async function pauseDigest(id: string, actor: Actor, ctx: WorkCtx): Promise<Digest> {
  await digestToChange(id, actor, ctx);
  return beginPause(id, by(actor, ctx), ctx);
}

async function resumeDigest(id: string, actor: Actor, ctx: WorkCtx): Promise<Digest> {
  const digest = await digestToChange(id, actor, ctx);
  await checkChannel(digest, ctx);
  await checkOutsiders(digest, actor, ctx);
  return endPause(id, by(actor, ctx), ctx);
}

async function removeDigest(id: string, actor: Actor, ctx: WorkCtx): Promise<Digest> {
  await digestToChange(id, actor, ctx);
  return markRemoved(id, by(actor, ctx), ctx);
}

async function restoreDigest(id: string, actor: Actor, ctx: WorkCtx): Promise<Digest> {
  const found = await findDigest({ id, isRemoved: true }, ctx);
  const removed = await requireToChange(digestKind, found, actor, ctx);
  await checkChannel(removed, ctx);
  const allowedBy = await askAboutOutsiders(removed, 'digest', actor, ctx.services.slack);
  const restored = await markRestored(id, by(actor, ctx), ctx);
  if (allowedBy !== removed.outsidersAllowedBy) await checkOutsiders(restored, actor, ctx);
  return restored;
}

/** The next round of due work posts the digest. */
async function runDigestNow(id: string, actor: Actor, ctx: WorkCtx): Promise<Digest> {
  const digest = await digestToChange(id, actor, ctx);
  await checkOutsiders(digest, actor, ctx);
  await makeDue(id, ctx.services.now(), ctx);
  return digest;
}

/** What one does with a digest by its id, what was done then, and what undoes it. */
export const digestActs = {
  run: { act: runDigestNow, did: 'running', undo: undefined },
  pause: { act: pauseDigest, did: 'paused', undo: 'resume' },
  resume: { act: resumeDigest, did: 'resumed', undo: 'pause' },
  remove: { act: removeDigest, did: 'removed', undo: 'restore' },
  restore: { act: restoreDigest, did: 'restored', undo: 'remove' },
} as const;

export function nextRuns(
  { schedule, zone }: Pick<Digest, 'schedule' | 'zone'>,
  count: number,
  { services: { now } }: WorkCtx,
): Date[] {
  const runs: Date[] = [];
  while (runs.length < count) runs.push(nextRun(schedule, zone, runs.at(-1) ?? now()));
  return runs;
}

/**
 * Pausing drops the messages that wait, because an old digest helps nobody. It also drops the baseline, because nobody
 * has read those messages; the first digest after `resume` is compared with nothing.
 */
export const pausableDigests: Pausable<WorkCtx> = {
  effectOfPause: 'Then they run again at their next time.',
  resume: resumeDigest,
  handOver: (id, ownerId, actor, ctx) => changeDigest(id, { ownerId }, actor, ctx),
  end: deleteDigest,
  resumeChecksChannel: true,
  ...pausableRows(digestKind, {
    noticeKind: 'digest-notice',
    exists: sql`removed_at is null`,
    reset: { baseline: null, lease_until: null, lease_token: null },
    messages: (error) => ({ status: 'failed', error }),
    noticeOf: ({ id: digestId, number, title, destination }) => ({
      threadKey: digestId,
      message: { kind: 'digest-notice', digestId, number, title, destination },
    }),
  }),
};

/** The runs of all digests, also of those that can still be restored. `paused`: when none runs, from `now` to `until`. */
export async function digestRuns(
  { from, now, until, paused }: { from: Date; now: Date; until: Date; paused?: TimeSpan | undefined },
  ctx: WorkCtx,
): Promise<DigestRuns[]> {
  const rows = await ctx.services.store.selectFrom('digests').selectAll().orderBy('id').execute();
  const vessels = await ctx.registry.vessels(ctx);
  const runs: DigestRuns[] = [];
  const yieldToEventLoop = createYieldToEventLoop();
  for (const row of rows) {
    await yieldToEventLoop();
    const digest = readDigest(row);
    const { id, title, schedule, zone, status, lines } = digest;
    const isRunning = status === 'active' && row.removed_at === null;
    const begin = row.created_at > from ? row.created_at : from;
    const skipped = paused ? countRuns(schedule, zone, { from: paused.begin, until: paused.end }) : 0;
    runs.push({
      id,
      title,
      channelId: isPersonalThing(digest) ? null : digest.channelId,
      past: countRuns(schedule, zone, { from: begin, until: now }),
      left: isRunning ? Math.max(0, countRuns(schedule, zone, { from: now, until }) - skipped) : 0,
      callsPerRun: costOf(lines, { ...ctx, vessels }).calls,
    });
  }
  return runs;
}

type WithLines = Pick<Digest, 'channelId' | 'destination' | 'lines'>;

/** In a personal digest, any line is allowed. */
async function checkLinesOf(digest: WithLines, ctx: WorkCtx): Promise<void> {
  if (!isPersonalThing(digest)) await checkLines(digest, ctx);
}

/** The bot can always post to a person. */
async function checkChannel(digest: Omit<WithLines, 'lines'>, { services: { slack } }: WorkCtx) {
  if (!isPersonalThing(digest)) await slack.checkChannel(digest.channelId);
}

const checkOutsiders = (digest: Digest, actor: Actor, ctx: WorkCtx): Promise<void> =>
  checkOutsidersAsked(digestKind, digest, actor, ctx, (outsidersAllowedBy) =>
    updateDigest(digest.id, { outsidersAllowedBy }, by(actor, ctx), ctx),
  );

function differences(saved: Digest, { title, lines, schedule, zone, onlyNews }: DigestRequest): DigestChange {
  const wanted = { title, lines, schedule, zone, onlyNews };
  const entries = Object.entries(wanted).filter(
    // Every key of `wanted` is a key of Digest.
    ([key, value]) => !isDeepStrictEqual(value, saved[key as keyof typeof wanted]),
  );
  return Object.fromEntries(entries);
}

/**
 * The digest of the actor's channel that `ref` names, or the only one there. Otherwise throws UserError with the digests
 * to choose from. In a channel, `ref` can't mean one of the person's own.
 */
export async function chooseDigest(ref: DigestRef | undefined, actor: Actor, ctx: WorkCtx): Promise<Digest> {
  const { channelId, userId } = actor;
  const { digests } = await readDigests(await filterByScope('channel', actor, ctx.services.access), ctx);
  const matches = filterByRef(digests, ref);
  const [first, second] = matches;
  if (first && !second) return first;
  const own = channelId === userId || first ? [] : (await readDigests({ channelId: userId }, ctx)).digests;
  const unknown = (message: string, choices: readonly Digest[]) =>
    notFound(message, choicesOf(choices, 'show'), {
      ...ownInstead(filterByRef(own, ref)),
      example: choices.length === 0 ? exampleLine : digestKind.lists.here,
    });
  const isNumber = ref !== undefined && 'number' in ref;
  if (isNumber && ref.number > 0 && ref.number <= (await lastNumber({ channelId }, ctx)))
    throw unknown(`Digest ${ref.number} of this channel has been removed.`, digests);
  if (digests.length === 0) throw unknown('No digests in this channel yet.', []);
  if (!ref) throw unknown('Which digest? There are several in this channel.', digests);
  if (isNumber) throw unknown(`There is no digest ${ref.number} in this channel.`, digests);
  throw first
    ? unknown(`Several digests are called “${ref.title}”.`, matches)
    : unknown(`There is no digest “${ref.title}” in this channel.`, digests);
}

/** The digest that `ref` names of those that were removed from the actor's channel. */
export async function chooseRemoved(ref: DigestRef | undefined, actor: Actor, ctx: WorkCtx): Promise<Digest> {
  const filter = await filterByScope('channel', actor, ctx.services.access);
  const { digests } = await readDigests({ ...filter, isRemoved: true }, ctx);
  const matches = filterByRef(digests, ref);
  const [removed, second] = matches;
  if (removed && !second) return removed;
  throw notFound(
    removed ? 'Which digest? Several were removed.' : 'Nothing like that was removed from this channel.',
    choicesOf(removed ? matches : digests, 'restore'),
    { example: digestKind.lists.here },
  );
}

/** Exact titles come before titles that contain the words. */
function filterByRef(digests: readonly Digest[], ref: DigestRef | undefined): readonly Digest[] {
  if (!ref) return digests;
  if ('number' in ref) return digests.filter(({ number }) => number === ref.number);
  const wanted = ref.title.toLowerCase();
  const exact = digests.filter(({ title }) => title.toLowerCase() === wanted);
  return exact.length > 0 ? exact : digests.filter(({ title }) => title.toLowerCase().includes(wanted));
}

const notFound = (message: string, choices: readonly Choice[], more: object): UserError =>
  new UserError({ code: 'unknown-digest', message, choices, ...more });

function ownInstead([first, ...others]: readonly Digest[]) {
  if (!first) return {};
  const which = others.length === 0 ? `“${first.title}” is` : `${others.length + 1} of yours are`;
  const hint = `${which} in your direct messages with me: type the same line there.`;
  return { hint, isPersonal: true };
}

const choicesOf = (digests: readonly Digest[], verb: 'show' | 'restore') =>
  digests
    .slice(0, 8)
    .map(({ number, title }) => ({ label: `${number} ${title}`, line: `digest ${verb} ${number}` }));

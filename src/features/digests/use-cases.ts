import type { Answer } from '../../answers/answer.ts';
import { readPage } from '../../answers/slack/answer-message.ts';
import type { Actor } from '../../workspaces/permissions.ts';
import { type AskCtx, actorIn, pageIn, placeIn, zoneHelp, zoneToSave } from '../ctx.ts';
import { withDetails } from '../outsiders.ts';
import { offeredToChange, pausedWork, withPausedWork } from '../owned/index.ts';
import { portCallsExample } from '../port-calls/index.ts';
import type { Scope } from '../scope.ts';
import { costInWords, digestsPerPage, listAnswer, press, type Reply, replyAnswer, sentTo } from './answer.ts';
import type { Digest } from './digest.ts';
import type { DigestChange } from './digest-store.ts';
import {
  addDigest,
  changeDigest,
  chooseDigest,
  type DigestRequest,
  digestActs,
  listDigests,
  nextRuns,
} from './digests.ts';
import { costOf, defaultTitle } from './lines.ts';
import { previewOf } from './run-digest.ts';
import { type DigestRef, type DigestWords, formatDigest } from './words.ts';

/** Outside channels, the actor's channel is their own id: they see and change their personal digests. */
export function digestActor(ctx: AskCtx): Actor {
  const actor = actorIn(ctx);
  return isInChannel(ctx) ? actor : { ...actor, channelId: actor.userId };
}

export const isInChannel = (ctx: AskCtx): boolean => placeIn(ctx).destination === 'channel';

export async function list(values: { scope: Scope; page: number }, ctx: AskCtx): Promise<Answer> {
  const { scope, page } = values;
  const found = await readPage(...pageIn(ctx, page, digestsPerPage), (range) =>
    listDigests(scope, digestActor(ctx), range, ctx),
  );
  const offered = await offeredToChange(found.digests, ctx);
  const pause = await pausedWork(ctx);
  return withPausedWork(listAnswer({ ...found, scope, offered, pause }, ctx.now()), ctx);
}

export async function save(
  words: DigestWords,
  ctx: AskCtx,
  { isAnsweredThere = false }: Pick<How, 'isAnsweredThere'> = {},
): Promise<{ digest: Digest; answer: Answer }> {
  const { idempotencyKey: id } = ctx;
  const actor = digestActor(ctx);
  const request = { ...requestOf(words, ctx), ...(id !== undefined && { id }) };
  const { channelId: _, toMe: __, ...wordsWithoutPlace } = words;
  const press = (place: Pick<DigestWords, 'channelId' | 'toMe'>) => ({
    value: `digest add ${formatDigest({ ...wordsWithoutPlace, ...place })}`,
  });
  const digest = await addDigest(request, actor, ctx).catch(
    withDetails({ again: press({ channelId: request.channelId }), toMe: press({ toMe: true }) }),
  );
  const answer = answerTo('added', digest, ctx, { undo: 'remove', isAnsweredThere });
  return { digest, answer: await withPausedWork(answer, ctx) };
}

/** The digest as it would be posted now. Saves nothing. */
export function dryRun(words: DigestWords, ctx: AskCtx): Promise<Answer> {
  const digest = digestOf(words, ctx);
  const cost = costInWords(costOf(digest.lines, ctx)).map((each) => ` ${each}.`);
  const note = ['Nothing is saved or posted yet. To be sent ', sentTo(digest), '.', ...cost];
  const save = { label: 'Save it', line: `digest add ${formatDigest(words)}` };
  return previewOf(digest, null, { note, runs: [save] }, ctx);
}

/** The digest that would be saved. It has no id and no number yet. Throws UserError. */
export function digestOf(words: DigestWords, ctx: AskCtx): Digest {
  const request = requestOf(words, ctx);
  const { userId } = ctx.actor;
  const [nextRunAt = ctx.now()] = nextRuns(request, 1, ctx);
  return {
    ...request,
    ...{ id: '', ownerId: userId, chosenBy: userId, number: 0, status: 'active', nextRunAt },
    ...{ pauseReason: null, outsidersAllowedBy: null, missed: null, isUndelivered: false },
  };
}

export async function edit(ref: DigestRef | undefined, words: DigestWords, ctx: AskCtx): Promise<Answer> {
  const before = await chooseDigest(ref, digestActor(ctx), ctx);
  if (Object.keys(changeOf(words, before, ctx)).length > 0) return changeTo(before, words, ctx);
  return answerTo(words.ownerId === undefined ? 'how-to-edit' : 'handed-over', before, ctx);
}

/** What one does with a digest that is named by its id. */
export async function actOn(verb: keyof typeof digestActs, id: string, ctx: AskCtx): Promise<Answer> {
  const { act, did, undo } = digestActs[verb];
  return answerTo(did, await act(id, digestActor(ctx), ctx), ctx, { undo });
}

export async function changeTo(
  before: Digest,
  words: DigestWords,
  ctx: AskCtx,
  { isAnsweredThere = false } = {},
): Promise<Answer> {
  const change = changeOf(words, before, ctx);
  const after = await changeDigest(before.id, change, digestActor(ctx), ctx);
  const { ownerId, ...others } = change;
  const isHandedOver = ownerId !== undefined;
  const oldWords = {
    ...(Object.keys(others).length > 0 && wordsOf(before)),
    ...(isHandedOver && { ownerId: before.ownerId }),
  };
  const did = isHandedOver ? 'handed-over' : 'changed';
  return answerTo(did, after, ctx, { undo: oldWords, isAnsweredThere });
}

function requestOf(
  { title, when, onlyNews = false, toMe, channelId, lines = [] }: DigestWords,
  ctx: AskCtx,
): DigestRequest {
  if (!when) throw new Error('a new digest was parsed without a schedule');
  const actor = digestActor(ctx);
  const isPersonal = toMe || (channelId === undefined && !isInChannel(ctx));
  return {
    channelId: isPersonal ? actor.userId : (channelId ?? actor.channelId),
    destination: isPersonal ? 'direct-message' : 'channel',
    title: title ?? defaultTitle(lines, ctx),
    lines,
    schedule: when.schedule,
    zone: when.zone ?? zoneToSave(ctx.actor.zone, zoneHelp(zoneExample)),
    onlyNews,
  };
}

const zoneExample = `digest add weekdays 08:00 Europe/Berlin: ${portCallsExample}`;

/** What the words change. A title that was made from the lines changes with them. */
export function changeOf(
  { when, onlyNews, ownerId, lines, ...words }: DigestWords,
  before: Pick<Digest, 'title' | 'lines' | 'zone' | 'ownerId'>,
  ctx: AskCtx,
): DigestChange {
  const title = words.title ?? (lines && hasDefaultTitle(before, ctx) ? defaultTitle(lines, ctx) : undefined);
  return {
    ...(title !== undefined && { title }),
    ...(when && { schedule: when.schedule, zone: when.zone ?? before.zone }),
    ...(onlyNews !== undefined && { onlyNews }),
    ...(ownerId !== undefined && ownerId !== before.ownerId && { ownerId }),
    ...(lines && { lines }),
  };
}

export const hasDefaultTitle = ({ title, lines }: Pick<Digest, 'title' | 'lines'>, ctx: AskCtx) =>
  title === defaultTitle(lines, ctx);

/** The words that would give a digest the settings that it has now. */
function wordsOf({ title, schedule, zone, onlyNews, lines }: Digest): DigestWords {
  return { title, when: { schedule, zone }, onlyNews, lines };
}

interface How {
  /** What undoes it, or the words that the digest had before. */
  undo?: keyof typeof digestActs | DigestWords | undefined;
  /** The answer is shown in the channel of the digest, where its number is right. */
  isAnsweredThere?: boolean;
}

export function answerTo(
  did: Reply['did'],
  digest: Digest,
  ctx: AskCtx,
  { undo, isAnsweredThere = false }: How = {},
): Answer {
  const { id, number, status, lines } = digest;
  const isElsewhere = !isAnsweredThere && digest.channelId !== digestActor(ctx).channelId;
  const editLine = (words: DigestWords) => `digest edit ${number} ${formatDigest(words)}`;
  const undoing = () => {
    if (typeof undo === 'string') return press(undo, id, 'Undo');
    return undo && !isElsewhere ? { label: 'Undo', line: editLine(undo) } : undefined;
  };
  const reply = {
    ...{ did, digest, isElsewhere, undo: undoing() },
    runs: status === 'active' ? nextRuns(digest, 3, ctx) : [],
    cost: costOf(lines, ctx),
    edit: editLine(wordsOf(digest)),
  };
  return replyAnswer(reply, ctx.now());
}

import { readPage } from '../../messages/frame/paging.ts';
import type { Actor } from '../../workspaces/permissions.ts';
import type { ParseLine } from '../command.ts';
import { withDetails } from '../outsiders.ts';
import type { Scope } from '../owned/scope.ts';
import { actorIn, pageIn, placeIn, type RunContext, zoneHelp, zoneToSave } from '../run-context.ts';
import { defaultTitle } from './default-title.ts';
import type { Digest } from './digest.ts';
import type { DigestChange } from './digest-store.ts';
import type { PreviewDigest } from './preview.ts';
import type { DigestService } from './service.ts';
import { type DigestsAnswer, digestsPerPage } from './views/digest-list.ts';
import type { DigestDryRun, DigestReply } from './views/digest-reply.ts';
import { type DigestRef, type DigestWords, formatDigest } from './words.ts';

export interface DigestsServices {
  digests: DigestService;
  parseLine: ParseLine;
  preview: PreviewDigest;
}

export type DigestsContext = RunContext & DigestsServices;

export async function saveDigest(words: DigestWords, context: DigestsContext): Promise<DigestReply> {
  const { digests, idempotencyKey: id } = context;
  const actor = digestActor(context);
  const request = { ...requestOf(words, context), ...(id !== undefined && { id }) };
  const { channelId: _, toMe: __, ...wordsWithoutPlace } = words;
  const press = (place: Pick<DigestWords, 'channelId' | 'toMe'>) => ({
    value: `digest add ${formatDigest({ ...wordsWithoutPlace, ...place })}`,
  });
  const digest = await digests.add(request, actor).catch(
    withDetails({
      again: press({ channelId: request.channelId }),
      toMe: press({ toMe: true }),
    }),
  );
  const isElsewhere = digest.channelId !== actor.channelId;
  return reply('added', digest, context, { undo: `digest remove ${digest.number}`, isElsewhere });
}

/** The digest as it would be posted now. Saves nothing. */
export async function dryRun(words: DigestWords, context: DigestsContext): Promise<DigestDryRun> {
  const digest = digestOf(words, context);
  const { userId } = context.actor;
  const { view } = await context.preview(digest, { baseline: null, userId, now: context.now() });
  return { kind: 'dry-run', digest, save: `digest add ${formatDigest(words)}`, view };
}

/** The digest that would be saved. It has no id and no number yet. Throws UserError. */
export function digestOf(words: DigestWords, context: DigestsContext): Digest {
  const { actor, digests, now } = context;
  const request = requestOf(words, context);
  const [nextRunAt = now()] = digests.nextRuns(request, 1);
  return {
    ...request,
    id: '',
    ownerId: actor.userId,
    chosenBy: actor.userId,
    number: 0,
    status: 'active',
    pauseReason: null,
    outsidersAllowedBy: null,
    nextRunAt,
    missed: null,
    isUndelivered: false,
  };
}

export async function editDigest(
  ref: DigestRef | undefined,
  words: DigestWords,
  context: DigestsContext,
): Promise<DigestReply> {
  const before = await context.digests.choose(ref, digestActor(context));
  if (Object.keys(changeOf(words, before)).length === 0)
    return reply(words.ownerId === undefined ? 'how-to-edit' : 'handed-over', before, context);
  return changeDigest(before, words, context);
}

export async function changeDigest(
  before: Digest,
  words: DigestWords,
  context: DigestsContext,
): Promise<DigestReply> {
  const change = changeOf(words, before);
  const after = await context.digests.change(before.id, change, digestActor(context));
  const { ownerId, ...others } = change;
  const isHandedOver = ownerId !== undefined;
  const oldWords = {
    ...(Object.keys(others).length > 0 && wordsOf(before)),
    ...(isHandedOver && { ownerId: before.ownerId }),
  };
  const undo = `digest edit ${before.number} ${formatDigest(oldWords)}`;
  return reply(isHandedOver ? 'handed-over' : 'changed', after, context, { undo });
}

export async function actOnDigest(
  action: 'show' | 'pause' | 'resume' | 'remove' | 'restore' | 'run',
  ref: DigestRef | undefined,
  context: DigestsContext,
): Promise<DigestReply> {
  const { digests } = context;
  const actor = digestActor(context);
  if (action === 'restore') {
    const restored = await digests.restore(ref, actor);
    return reply('restored', restored, context, { undo: `digest remove ${restored.number}` });
  }
  const digest = await digests.choose(ref, actor);
  const { id, number } = digest;
  switch (action) {
    case 'show':
      return reply('shown', digest, context);
    case 'run':
      return reply('running', await digests.runNow(id, actor), context);
    case 'pause':
      return reply('paused', await digests.pause(id, actor), context, { undo: `digest resume ${number}` });
    case 'resume':
      return reply('resumed', await digests.resume(id, actor), context, { undo: `digest pause ${number}` });
    case 'remove':
      return reply('removed', await digests.remove(id, actor), context, { undo: `digest restore ${number}` });
  }
}

export async function listDigests(
  { line, scope, page }: { line: string; scope: Scope; page: number },
  context: DigestsContext,
): Promise<DigestsAnswer> {
  const found = await readPage(...pageIn(context, page, digestsPerPage), (range) =>
    context.digests.list(scope, digestActor(context), range),
  );
  return { kind: 'digests', line, scope, ...found };
}

/** Outside channels, the actor's channel is their own id: they see and change their personal digests. */
export function digestActor(context: RunContext): Actor {
  const actor = actorIn(context);
  return isInChannel(context) ? actor : { ...actor, channelId: actor.userId };
}

export const isInChannel = (context: RunContext): boolean => placeIn(context).destination === 'channel';

function requestOf(
  { title, when, onlyNews = false, toMe, channelId, lines = [] }: DigestWords,
  context: DigestsContext,
) {
  if (!when) throw new Error('a new digest was parsed without a schedule');
  const actor = digestActor(context);
  const isPersonal = toMe || (channelId === undefined && !isInChannel(context));
  return {
    channelId: isPersonal ? actor.userId : (channelId ?? actor.channelId),
    destination: isPersonal ? ('direct-message' as const) : ('channel' as const),
    title: title ?? defaultTitle(lines),
    lines,
    schedule: when.schedule,
    zone: when.zone ?? zoneToSave(context.actor.zone, zoneHelp(zoneExample)),
    onlyNews,
  };
}

const zoneExample = 'digest add weekdays 08:00 Europe/Berlin: portcalls NLRTM next 3 days';

/** What the words change. A title that was made from the lines changes with them. */
export function changeOf(
  words: DigestWords,
  before: Pick<Digest, 'title' | 'lines' | 'zone' | 'ownerId'>,
): DigestChange {
  const { when, onlyNews, ownerId, lines } = words;
  const hasTitleOfLines = before.title === defaultTitle(before.lines);
  const title = words.title ?? (lines && hasTitleOfLines ? defaultTitle(lines) : undefined);
  return {
    ...(title !== undefined && { title }),
    ...(when && { schedule: when.schedule, zone: when.zone ?? before.zone }),
    ...(onlyNews !== undefined && { onlyNews }),
    ...(ownerId !== undefined && ownerId !== before.ownerId && { ownerId }),
    ...(lines && { lines }),
  };
}

/** The words that would give a digest the settings that it has now. */
function wordsOf({ title, schedule, zone, onlyNews, lines }: Digest): DigestWords {
  return { title, when: { schedule, zone }, onlyNews, lines };
}

function reply(
  did: DigestReply['did'],
  digest: Digest,
  { digests }: DigestsContext,
  more: Pick<DigestReply, 'undo' | 'isElsewhere'> = {},
): DigestReply {
  const runs = digest.status === 'active' ? digests.nextRuns(digest, 3) : [];
  const edit = `digest edit ${digest.number} ${formatDigest(wordsOf(digest))}`;
  return { kind: 'digest', did, digest, runs, edit, ...more };
}

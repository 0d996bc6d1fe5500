import { clip } from '../../../messages/limits.ts';
import type { Actor } from '../../../workspaces/permissions.ts';
import { actorIn, placeIn, typeTheZone, zoneToSave } from '../../run-context.ts';
import type { Digest } from '../digest.ts';
import type { DigestChange } from '../digest-rows.ts';
import { formatSchedule } from '../schedule-words.ts';
import type { DigestService } from '../service.ts';
import type { DigestsContext } from '../services.ts';
import type { DigestsAnswer, ShownDigest } from '../views/digest-list.ts';
import type { DigestReply } from '../views/digest-reply.ts';
import { type DigestRef, type DigestWords, formatDigest, formatDigestRef } from '../words.ts';

export async function saveDigest(words: DigestWords, context: DigestsContext): Promise<DigestReply> {
  const { service, actor } = serviceIn(context);
  const { idempotencyKey: id } = context;
  const request = { ...requestOf(words, actor, context), ...(id !== undefined && { id }) };
  const digest = await service.add(request, actor);
  const isElsewhere = digest.channelId !== actor.channelId;
  return reply('added', digest, service, { undo: `digest remove ${digest.number}`, isElsewhere });
}

/** Asks for what is missing; in the terminal nothing can be planned. */
export async function planDigest(context: DigestsContext): Promise<{ kind: 'plan' }> {
  serviceIn(context);
  return { kind: 'plan' };
}

/** What `saveDigest` would do; nothing is saved. */
export async function previewDigest(words: DigestWords, context: DigestsContext): Promise<DigestReply> {
  const digest = digestOf(words, context);
  return reply('would-be-added', digest, serviceIn(context).service, {
    save: `digest add ${formatDigest(words)}`,
  });
}

/** As it would be saved; it has no number yet. Throws UserError. */
export function digestOf(words: DigestWords, context: DigestsContext): Digest {
  const { service, actor } = serviceIn(context);
  const request = requestOf(words, actor, context);
  const [nextRunAt = context.now()] = service.nextRuns(request, 1);
  return {
    ...request,
    id: '',
    workspaceId: context.workspaceId,
    ownerId: actor.userId,
    chosenBy: actor.userId,
    number: 0,
    status: 'active',
    pauseReason: null,
    nextRunAt,
    lastRunAt: null,
    missed: null,
    isUndelivered: false,
    createdAt: context.now(),
  };
}

export async function editDigest(
  ref: DigestRef | undefined,
  words: DigestWords,
  context: DigestsContext,
): Promise<DigestReply> {
  const { service, actor } = serviceIn(context);
  const before = await service.pick(ref, actor);
  if (Object.keys(changeOf(words, before)).length === 0)
    return reply(words.ownerId === undefined ? 'how-to-edit' : 'handed-over', before, service);
  return changeDigest(before, words, context);
}

/** What `words` leave out stays as it is. */
export async function changeDigest(
  before: Digest,
  words: DigestWords,
  context: DigestsContext,
): Promise<DigestReply> {
  const { service, actor } = serviceIn(context);
  const change = changeOf(words, before);
  const after = await service.change(before.id, change, actor);
  const { ownerId, ...others } = change;
  const back = {
    ...(Object.keys(others).length > 0 && wordsOf(before)),
    ...(ownerId !== undefined && { ownerId: before.ownerId }),
  };
  return reply(ownerId !== undefined ? 'handed-over' : 'changed', after, service, {
    undo: `digest edit ${before.number} ${formatDigest(back)}`,
  });
}

export async function actOnDigest(
  kind: 'show' | 'pause' | 'resume' | 'remove' | 'restore' | 'run',
  ref: DigestRef | undefined,
  context: DigestsContext,
): Promise<DigestReply> {
  const { service, actor } = serviceIn(context);
  if (kind === 'restore') {
    const restored = await service.restore(ref, actor);
    return reply('restored', restored, service, { undo: `digest remove ${restored.number}` });
  }
  const digest = await service.pick(ref, actor);
  const { id, number } = digest;
  switch (kind) {
    case 'show':
      return reply('shown', digest, service);
    case 'run':
      return reply('running', await service.runNow(id, actor), service);
    case 'pause':
      return reply('paused', await service.pause(id, actor), service, { undo: `digest resume ${number}` });
    case 'resume':
      return reply('resumed', await service.resume(id, actor), service, { undo: `digest pause ${number}` });
    case 'remove':
      return reply('removed', await service.remove(id, actor), service, { undo: `digest restore ${number}` });
  }
}

export async function listDigests(
  { line, scope, page }: { line: string; scope: DigestsAnswer['scope']; page: number },
  context: DigestsContext,
): Promise<DigestsAnswer> {
  const { service, actor } = serviceIn(context);
  const pageSize = 10;
  const { digests, total } = await service.list(scope, actor, {
    limit: pageSize,
    offset: (page - 1) * pageSize,
  });
  return { kind: 'digests', line, scope, page, pageSize, total, digests: digests.map(shown) };
}

/** Outside of channels digests are the person's own. */
export function serviceIn(context: DigestsContext): { service: DigestService; actor: Actor } {
  const actor = actorIn(context);
  const channelId = isInChannel(context) ? actor.channelId : actor.userId;
  return { service: context.digests, actor: { ...actor, channelId } };
}

export const isInChannel = (context: DigestsContext): boolean => placeIn(context).destination === 'channel';

function requestOf(
  { title, when, onlyNews, toMe, channelId, lines = [] }: DigestWords,
  actor: Actor,
  context: DigestsContext,
) {
  if (!when) throw new Error('a digest was read without its time');
  const isOwn = toMe || (channelId === undefined && !isInChannel(context));
  return {
    channelId: isOwn ? actor.userId : (channelId ?? actor.channelId),
    destination: isOwn ? ('direct-message' as const) : ('channel' as const),
    title: title ?? titleOf(lines),
    lines,
    schedule: when.schedule,
    zone: when.zone ?? zoneToSave(context.actor, typeTheZone(zoneExample)),
    onlyNews: onlyNews ?? false,
  };
}

const zoneExample = 'digest add weekdays 08:00 Europe/Berlin: portcalls NLRTM next 3 days';

export function titleOf([first = '', ...others]: readonly string[]): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  // A quotation mark can't be in a title that is typed.
  return `${clip(first.replaceAll('"', ''), 60)}${more}`;
}

/** A zone that is not typed stays as it is; a title that was made of the lines goes with them. */
export function changeOf(
  words: DigestWords,
  before: Pick<Digest, 'title' | 'lines' | 'zone' | 'ownerId'>,
): DigestChange {
  const { when, onlyNews, ownerId, lines } = words;
  const isMade = before.title === titleOf(before.lines);
  const title = words.title ?? (lines && isMade ? titleOf(lines) : undefined);
  return {
    ...(title !== undefined && { title }),
    ...(when && { schedule: when.schedule, zone: when.zone ?? before.zone }),
    ...(onlyNews !== undefined && { onlyNews }),
    ...(ownerId !== undefined && ownerId !== before.ownerId && { ownerId }),
    ...(lines && { lines }),
  };
}

/** The words that make it as it is. */
export function wordsOf({ title, schedule, zone, onlyNews, lines }: Digest): DigestWords {
  return { title, when: { schedule, zone }, onlyNews, lines };
}

function reply(
  did: DigestReply['did'],
  digest: Digest,
  service: DigestService,
  more: Pick<DigestReply, 'undo' | 'save' | 'isElsewhere'> = {},
): DigestReply {
  const runs = digest.status === 'active' ? service.nextRuns(digest, 3) : [];
  const edit = `digest edit ${formatDigestRef({ number: digest.number })} ${formatDigest(wordsOf(digest))}`;
  return { kind: 'digest', did, ...shown(digest), runs, edit, ...more };
}

const shown = (digest: Digest): ShownDigest => ({ digest, when: formatSchedule(digest) });

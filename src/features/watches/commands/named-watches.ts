import { type Choice, UserError } from '../../../errors.ts';
import { fleetKey } from '../../../grammar/list-name.ts';
import { editDistance } from '../../../reference/edit-distance.ts';
import { foldTight } from '../../../reference/fold.ts';
import type { Imo } from '../../../reference/imo.ts';
import { nearest } from '../../../reference/nearest.ts';
import { portLabel } from '../../../reference/ports.ts';
import { actorIn } from '../../run-context.ts';
import { watchedVessels } from '../service/find-watches.ts';
import type { WatchesContext } from '../service/watch-service.ts';
import { withMembers } from '../store/follow-fleets.ts';
import { vesselSubjects, type WatchWithSubjects } from '../store/watch-list.ts';
import type { WatchTarget } from '../store/watch-target.ts';
import { vesselsTitle, withPort } from '../store/watch-title.ts';
import type { WatchSubject } from '../words/subject.ts';
import { formatWatchLine, type WatchArgs } from './parse-watch-line.ts';

/** What a watch of this is about, and its title. Throws UserError for an unknown fleet. */
export async function resolveTarget(
  subject: WatchSubject,
  context: WatchesContext,
): Promise<WatchTarget & { title: string }> {
  if (subject.kind !== 'fleet') return { ...targetOf(subject), title: titleOf(subject, context.vessels) };
  const { name, imos } = await context.getFleet(subject.name, (words) => `watch ${words}`);
  const fleet = { ...subject, name };
  return { ...withMembers(targetOf(fleet), imos), title: titleOf(fleet, context.vessels) };
}

/** A fleet is without its members here. */
function targetOf(subject: WatchSubject): WatchTarget {
  if (subject.kind === 'port') return { fleet: null, condition: null, subjects: [subject] };
  const { kind, at } = subject;
  const fleet = kind === 'fleet' ? fleetKey(subject.name) : null;
  const imos = kind === 'vessels' ? [...subject.imos].sort((one, other) => one - other) : [];
  if (kind === 'list') {
    const condition = at === undefined ? null : { port: at, imos: null };
    return { fleet, condition, subjects: [{ kind: 'shiplist', name: subject.name }] };
  }
  if (at !== undefined)
    return { fleet, condition: { port: at, imos }, subjects: [{ kind: 'port', port: at }] };
  return { fleet, condition: null, subjects: imos.map((imo) => ({ kind: 'vessel', imo })) };
}

/** `DS CYPRESS`, `DS CYPRESS, MSC DIANA and 2 more`, `fleet NORTH at Rotterdam (NLRTM)`. */
export function titleOf(subject: WatchSubject, vessels: WatchesContext['vessels']): string {
  switch (subject.kind) {
    case 'vessels':
      return withPort(vesselsTitle(subject.imos, vessels), subject.at);
    case 'fleet':
    case 'list':
      return withPort(`${subject.kind} ${subject.name}`, subject.at);
    case 'port':
      return `port ${portLabel(subject.port)}`;
  }
}

/** The subject to type in a line about this watch. */
export function subjectOf({
  fleet,
  condition,
  followedSubjects,
}: WatchWithSubjects): WatchSubject | undefined {
  const at = condition && { at: condition.port };
  if (fleet !== null) return { kind: 'fleet', name: fleet, ...at };
  const [subject] = followedSubjects.map((followed) => followed.subject);
  if (subject?.kind === 'shiplist') return { kind: 'list', name: subject.name, ...at };
  const [first, ...others] = condition?.imos ?? vesselSubjects(followedSubjects);
  if (first !== undefined) return { kind: 'vessels', imos: [first, ...others], ...at };
  return subject?.kind === 'port' ? subject : undefined;
}

/** The context for a line with `in #channel`. Throws UserError if the person isn't in that channel. */
export async function inOtherChannel(channelId: string, context: WatchesContext): Promise<WatchesContext> {
  await context.watches.checkMember(channelId, { ...actorIn(context), channelId, mayHaveLeft: true });
  return { ...context, place: { channelId, destination: 'channel', mayHaveLeft: true, isElsewhere: true } };
}

export const thatChannel = ({ place }: WatchesContext): string => {
  if (!place?.isElsewhere) return 'this channel';
  return place.destination === 'direct-message' ? directMessage : 'that channel';
};

const directMessage = 'your direct message with Landfall';

type NamingArgs = Exclude<WatchArgs, { kind: 'add' | 'list' | 'stop-all' }>;

/**
 * Finds the watches of this channel that a line names. A line without a subject means the watch in whose thread it is
 * typed. If there is none, throws UserError with the watches to choose from.
 */
export async function getNamedWatches(
  args: NamingArgs,
  context: WatchesContext,
): Promise<[WatchWithSubjects, ...WatchWithSubjects[]]> {
  const { subject } = args;
  const [first, ...others] = subject ? await findNamed(subject, context) : await findByThread(context);
  if (first) return [first, ...others];
  throw subject ? await notWatched(subject, args, context) : await askWhichWatch(args, context);
}

async function askWhichWatch(args: NamingArgs, context: WatchesContext): Promise<UserError> {
  const watches = await watchesHere(context, maxChoices);
  return new UserError({
    code: 'unknown-watch',
    message: 'Which watch?',
    ...(watches.length === 0 && { hint: `No watches in ${thatChannel(context)} yet.` }),
    choices: choicesOf(watches, args),
    example: watches.length === 0 ? 'watch 9461477' : 'watch list all',
  });
}

async function notWatched(
  subject: WatchSubject,
  args: NamingArgs,
  context: WatchesContext,
): Promise<UserError> {
  const watches = await watchesHere(context);
  const where = context.place?.isElsewhere ? `in ${thatChannel(context)}` : 'here';
  const list = formatWatchLine({ kind: 'list', scope: 'channel', page: 1, channelId: args.channelId });
  return new UserError({
    code: 'unknown-watch',
    message: `No watch ${where} is for ${titleOf(subject, context.vessels)}.`,
    ...(watches.length === 0
      ? { hint: `No watches in ${thatChannel(context)} yet.`, example: 'watch 9461477' }
      : {
          choices: [
            ...choicesOf(watchesLike(subject, watches), args),
            { label: 'List the watches', line: list },
          ],
        }),
  });
}

const choicesOf = (watches: readonly WatchWithSubjects[], args: NamingArgs): Choice[] =>
  watches.map((watch) => ({
    label: args.kind === 'stop' ? `Stop ${watch.title}` : watch.title,
    line: formatWatchLine({ ...args, subject: subjectOf(watch) }),
  }));

const maxAlike = 3;

/** Watches of several vessels that follow one of these, and watches whose IMO number or name is nearly the same. */
function watchesLike(
  subject: WatchSubject,
  watches: readonly WatchWithSubjects[],
): readonly WatchWithSubjects[] {
  if (subject.kind !== 'vessels') {
    const named = watches.flatMap((watch) => {
      const other = subjectOf(watch);
      return other?.kind === subject.kind ? [{ key: nameOf(other), value: watch }] : [];
    });
    return nearest(nameOf(subject), named, maxAlike);
  }
  const isSimilar = (imo: Imo) =>
    subject.imos.some((typed) => typed === imo || editDistance(String(typed), String(imo), 1) === 1);
  return watches
    .filter((watch) => (watch.condition?.imos ?? watchedVessels(watch)).some(isSimilar))
    .slice(0, maxAlike);
}

function nameOf(subject: WatchSubject): string {
  const name = subject.kind === 'port' ? portLabel(subject.port) : 'name' in subject ? subject.name : '';
  return foldTight(name);
}

async function findByThread(context: WatchesContext): Promise<WatchWithSubjects[]> {
  const { channelId } = actorIn(context);
  const threadTs = context.place?.threadTs;
  const watch = threadTs && (await context.watches.findByCard({ channelId, threadTs }));
  return watch ? [watch] : [];
}

/** A fleet's watch is found by its name: its vessels don't matter, nor whether there still is such a fleet. */
async function findNamed(subject: WatchSubject, context: WatchesContext): Promise<WatchWithSubjects[]> {
  return await context.watches.findByTarget(targetOf(subject), actorIn(context));
}

/** No limit: the settings allow a channel fewer watches. */
const noLimit = 100_000;
const maxChoices = 10;

/** The watches of this channel that the person may see, oldest first. */
export async function watchesHere(context: WatchesContext, limit = noLimit): Promise<WatchWithSubjects[]> {
  return (await context.watches.list('channel', actorIn(context), { limit })).watches;
}

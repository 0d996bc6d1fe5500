import { type Choice, UserError } from '../../../errors.ts';
import { editDistance } from '../../../reference/edit-distance.ts';
import { foldTight } from '../../../reference/fold.ts';
import type { Imo } from '../../../reference/imo.ts';
import { nearest } from '../../../reference/nearest.ts';
import { portLabel } from '../../../reference/ports.ts';
import { actorIn } from '../../run-context.ts';
import { watchedVessels } from '../service/find-watches.ts';
import type { WatchesContext } from '../service/watch-service.ts';
import type { Subject } from '../store/subject.ts';
import {
  fleetTitlePrefix,
  vesselSubjects,
  vesselsTitle,
  type WatchWithSubjects,
} from '../store/watch-list.ts';
import type { WatchSubject } from '../words/subject.ts';
import { formatWatchLine, type WatchArgs } from './parse-watch-line.ts';

/** Returns the subjects to poll. Throws UserError for an unknown fleet. */
export async function resolveSubjects(subject: WatchSubject, context: WatchesContext): Promise<Subject[]> {
  switch (subject.kind) {
    case 'list':
      return [{ kind: 'shiplist', name: subject.name }];
    case 'port':
      return [subject];
    case 'vessels':
    case 'fleet': {
      const { imos } =
        subject.kind === 'fleet'
          ? await context.getFleet(subject.name, (words) => `watch ${words}`)
          : subject;
      return imos.map((imo) => ({ kind: 'vessel', imo }));
    }
  }
}

/** `DS CYPRESS`, `DS CYPRESS, MSC DIANA and 2 more`, `fleet NORTH`. */
export function titleOf(subject: WatchSubject, vessels: WatchesContext['vessels']): string {
  switch (subject.kind) {
    case 'vessels':
      return vesselsTitle(subject.imos, vessels);
    case 'fleet':
      return `${fleetTitlePrefix}${subject.name}`;
    case 'list':
      return `list ${subject.name}`;
    case 'port':
      return `port ${portLabel(subject.port)}`;
  }
}

/** The subject to type in a line about this watch. */
export function subjectOf({ title, followedSubjects }: WatchWithSubjects): WatchSubject | undefined {
  if (title.startsWith(fleetTitlePrefix))
    return { kind: 'fleet', name: title.slice(fleetTitlePrefix.length) };
  const [first] = followedSubjects.map(({ subject }) => subject);
  if (first?.kind === 'shiplist') return { kind: 'list', name: first.name };
  if (first?.kind !== 'vessel') return first;
  return { kind: 'vessels', imos: [first.imo, ...vesselSubjects(followedSubjects).slice(1)] };
}

/** The context for a line with `in #channel`. Throws UserError if the person isn't in that channel. */
export async function inOtherChannel(channelId: string, context: WatchesContext): Promise<WatchesContext> {
  await context.watches.checkMember(channelId, { ...actorIn(context), channelId, mayHaveLeft: true });
  return { ...context, place: { channelId, destination: 'channel', mayHaveLeft: true, isElsewhere: true } };
}

export const thatChannel = ({ place }: WatchesContext): string =>
  place?.isElsewhere ? 'that channel' : 'this channel';

type NamingArgs = Exclude<WatchArgs, { kind: 'add' | 'list' | 'changes' | 'stop-all' }>;

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
  const where = context.place?.isElsewhere ? 'in that channel' : 'here';
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
    .filter(({ followedSubjects }) => watchedVessels(followedSubjects).some(isSimilar))
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

async function findNamed(subject: WatchSubject, context: WatchesContext): Promise<WatchWithSubjects[]> {
  if (subject.kind !== 'fleet') {
    return context.watches.findBySubjects(await resolveSubjects(subject, context), actorIn(context));
  }
  // A fleet's watch is found by its name, since its vessels may have changed.
  const title = titleOf(subject, context.vessels).toLowerCase();
  const watches = await watchesHere(context);
  return watches.filter((watch) => watch.title.toLowerCase() === title);
}

/** No limit: the settings allow a channel fewer watches. */
const noLimit = 100_000;
const maxChoices = 10;

/** The watches of this channel that the person may see, oldest first. */
export async function watchesHere(context: WatchesContext, limit = noLimit): Promise<WatchWithSubjects[]> {
  return (await context.watches.list('channel', actorIn(context), { limit })).watches;
}

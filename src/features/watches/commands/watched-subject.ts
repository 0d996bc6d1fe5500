import { UserError } from '../../../errors.ts';
import { joinWords } from '../../../grammar/options.ts';
import { formatChannel } from '../../../grammar/place-words.ts';
import type { VesselDirectory } from '../../../grammar/vessel-directory.ts';
import type { Imo } from '../../../reference/imo.ts';
import { portLabel } from '../../../reference/ports.ts';
import { actorIn } from '../../run-context.ts';
import type { WatchesContext } from '../services.ts';
import type { Subject } from '../store/subject.ts';
import { fleetTitle, vesselsTitle } from '../store/title.ts';
import type { WatchWithFollowings } from '../store/watch-list.ts';
import type { WatchSubject } from '../words/subject.ts';
import { formatWatchSubject } from '../words/subject.ts';

/** What is typed, as what is polled. Throws UserError for a fleet that there is not. */
export async function subjectsOf(
  subject: WatchSubject,
  context: WatchesContext,
): Promise<[Subject, ...Subject[]]> {
  switch (subject.kind) {
    case 'vessels':
      return vesselSubjects(subject.imos);
    case 'fleet':
      return vesselSubjects((await context.getFleet(subject.name, (words) => `watch ${words}`)).imos);
    case 'list':
      return [{ kind: 'shiplist', name: subject.name }];
    case 'port':
      return [{ kind: 'port', port: subject.port }];
  }
}

function vesselSubjects([first, ...others]: readonly [Imo, ...Imo[]]): [Subject, ...Subject[]] {
  return [{ kind: 'vessel', imo: first }, ...others.map((imo) => ({ kind: 'vessel', imo }) as const)];
}

/** In words that need no look-up: `DS CYPRESS`, `DS CYPRESS, MSC DIANA and 2 more`, `fleet NORTH`. */
export function titleOf(subject: WatchSubject, vessels: VesselDirectory): string {
  switch (subject.kind) {
    case 'vessels':
      return vesselsTitle(subject.imos, vessels);
    case 'fleet':
      return `${fleetTitle}${subject.name}`;
    case 'list':
      return `list ${subject.name}`;
    case 'port':
      return `port ${portLabel(subject.port)}`;
  }
}

/** The words that name a watch: what follows `watch stop `. */
export function wordsOf({ title, followings }: WatchWithFollowings): string {
  const [first] = followings;
  if (title.startsWith(fleetTitle)) {
    return formatWatchSubject({ kind: 'fleet', name: title.slice(fleetTitle.length) });
  }
  if (first?.subject.kind === 'shiplist')
    return formatWatchSubject({ kind: 'list', name: first.subject.name });
  if (first?.subject.kind === 'port') return formatWatchSubject(first.subject);
  return followings.flatMap(({ subject }) => (subject.kind === 'vessel' ? [subject.imo] : [])).join(', ');
}

/** As if it were asked there. Throws UserError for who is not in that channel. */
export async function inOtherChannel(channelId: string, context: WatchesContext): Promise<WatchesContext> {
  const actor = actorIn(context);
  const there = { ...actor, channelId, mayHaveLeft: true };
  await context.watches.checkMember(channelId, there);
  return { ...context, place: { channelId, destination: 'channel', mayHaveLeft: true, isElsewhere: true } };
}

/** `in <#C024BE7LR>`, for lines about things in another channel. */
export const elsewhereWords = ({ place }: WatchesContext): string =>
  formatChannel(place?.isElsewhere ? place.channelId : undefined);

export const placeWords = ({ place }: WatchesContext): string =>
  place?.isElsewhere ? 'that channel' : 'this channel';

/**
 * The watches that a line names: what they named, in this channel; without a name the one whose thread they
 * write in. Throws UserError where there is none, with those that there are.
 */
export async function resolveWatches(
  subject: WatchSubject | undefined,
  verb: string,
  context: WatchesContext,
): Promise<[WatchWithFollowings, ...WatchWithFollowings[]]> {
  const actor = actorIn(context);
  const threadTs = context.place?.threadTs;
  const { channelId } = actor;
  if (!subject) {
    const watch =
      threadTs === undefined ? undefined : await context.watches.findByCard({ channelId, threadTs });
    if (watch) return [watch];
    throw await whichOne('Which watch?', verb, context);
  }
  const [first, ...others] = await named(subject, context);
  if (first) return [first, ...others];
  throw await whichOne(
    `${capitalised(titleOf(subject, context.vessels))} is not watched in ${placeWords(context)}.`,
    verb,
    context,
  );
}

async function named(subject: WatchSubject, context: WatchesContext): Promise<WatchWithFollowings[]> {
  const actor = actorIn(context);
  if (subject.kind !== 'fleet') {
    return context.watches.findBySubjects(await subjectsOf(subject, context), actor);
  }
  // A fleet may have got other vessels since; its watch still bears its name.
  const title = titleOf(subject, context.vessels).toLowerCase();
  const watches = await watchesHere(context);
  return watches.filter((watch) => watch.title.toLowerCase() === title);
}

/** As many as the settings allow. */
const allOfChannel = 100_000;
const maxChoices = 10;

/** Those of this channel that the person may see, the oldest first. */
export async function watchesHere(
  context: WatchesContext,
  limit = allOfChannel,
): Promise<WatchWithFollowings[]> {
  const actor = actorIn(context);
  return (await context.watches.list('channel', actor, { limit, offset: 0 })).watches;
}

async function whichOne(message: string, verb: string, context: WatchesContext): Promise<UserError> {
  const watches = await watchesHere(context, maxChoices);
  return new UserError({
    code: 'unknown-watch',
    message,
    ...(watches.length === 0 && { hint: `No watches in ${placeWords(context)} yet.` }),
    choices: watches.map((watch) => ({
      label: verb === 'stop' ? `Stop ${watch.title}` : watch.title,
      line: joinWords(
        'watch',
        verb.includes('…') ? verb.replace('…', wordsOf(watch)) : `${verb} ${wordsOf(watch)}`,
        elsewhereWords(context),
      ),
    })),
    example: watches.length === 0 ? 'watch 9461477' : 'watch list all',
  });
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

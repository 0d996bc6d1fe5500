import { type Choice, UserError } from '../../errors.ts';
import { expandPorts } from '../../grammar/port.ts';
import { fleetKey } from '../../grammar/vessel.ts';
import { groupName, groupOf, type Imo, isPortGroup } from '../../reference/codes.ts';
import { editDistance, foldTight, nearest } from '../../reference/nearest.ts';
import { portLabel } from '../../reference/ports.ts';
import { type AskCtx, actorIn } from '../ctx.ts';
import { getFleet } from '../fleets/index.ts';
import {
  findByCard,
  findByTarget,
  findInScope,
  targetOf as pollingTargetOf,
  vesselSubjects,
  vesselsTitle,
  type WatchTarget,
  type WatchWithSubjects,
  watchedPort,
  watchedVessels,
  withMembers,
  withPort,
  withPorts,
} from '../polling/index.ts';
import { formatWatchSubject, type WatchSubject } from './words/subject.ts';

/** What a watch of this is about, and its title. Throws UserError for an unknown fleet. */
export async function resolveTarget(
  subject: WatchSubject,
  ctx: AskCtx,
): Promise<WatchTarget & { title: string }> {
  if (subject.kind !== 'fleet') {
    const target = withCurrentPorts(targetOf(subject), subject, ctx);
    return { ...target, title: titleOf(subject, ctx.vessels) };
  }
  const { name, imos } = await getFleet(subject.name, (words) => `watch ${words}`, ctx);
  const fleet = { ...subject, name };
  const target = withCurrentPorts(targetOf(fleet), fleet, ctx);
  return { ...withMembers(target, imos), title: titleOf(fleet, ctx.vessels) };
}

/** Throws UserError for an unknown group of ports. */
function withCurrentPorts(
  target: WatchTarget,
  subject: WatchSubject,
  { vessels: groups }: AskCtx,
): WatchTarget {
  if (target.portGroup === null) return target;
  const line = (fixed: string) => `watch ${subject.kind === 'port' ? fixed : withAt(subject, fixed)}`;
  return withPorts(
    target,
    expandPorts([groupOf(target.portGroup)], { example: 'watch port Rotterdam', groups, line }),
  );
}

const withAt = ({ at: _, ...vessels }: Exclude<WatchSubject, { kind: 'port' }>, port: string): string =>
  `${formatWatchSubject(vessels)} at ${port}`;

/** A fleet is without its members here, and a group without its ports. */
function targetOf(subject: WatchSubject): WatchTarget {
  const where = subject.kind === 'port' ? subject.port : subject.at;
  const portGroup = where !== undefined && isPortGroup(where) ? groupName(where) : null;
  if (subject.kind === 'port') {
    const { port } = subject;
    const subjects = isPortGroup(port) ? [] : [{ kind: 'port' as const, port }];
    return { fleet: null, portGroup, condition: null, subjects };
  }
  const { kind } = subject;
  const at = where === undefined || isPortGroup(where) ? undefined : where;
  const fleet = kind === 'fleet' ? fleetKey(subject.name) : null;
  const imos = kind === 'vessels' ? [...subject.imos].sort((one, other) => one - other) : [];
  if (kind === 'list') {
    const condition = at === undefined ? null : { port: at, imos: null };
    return { fleet, portGroup, condition, subjects: [{ kind: 'shiplist', name: subject.name }] };
  }
  if (portGroup !== null) return { fleet, portGroup, condition: { port: null, imos }, subjects: [] };
  if (at !== undefined)
    return { fleet, portGroup, condition: { port: at, imos }, subjects: [{ kind: 'port', port: at }] };
  return { fleet, portGroup, condition: null, subjects: imos.map((imo) => ({ kind: 'vessel', imo })) };
}

/** `DS CYPRESS`, `DS CYPRESS, MSC DIANA and 2 more`, `fleet NORTH at Rotterdam (NLRTM)`. */
export function titleOf(subject: WatchSubject, vessels: AskCtx['vessels']): string {
  switch (subject.kind) {
    case 'vessels':
      return withPort(vesselsTitle(subject.imos, vessels), subject.at);
    case 'fleet':
    case 'list':
      return withPort(`${subject.kind} ${subject.name}`, subject.at);
    case 'port':
      return `${isPortGroup(subject.port) ? 'group' : 'port'} ${portLabel(subject.port)}`;
  }
}

/** The subject to type in a line about this watch. */
export function subjectOf(watch: WatchWithSubjects): WatchSubject | undefined {
  const { fleet, condition, followedSubjects } = watch;
  const port = watchedPort(pollingTargetOf(watch));
  const at = condition && port !== undefined && { at: port };
  if (fleet !== null) return { kind: 'fleet', name: fleet, ...at };
  const [subject] = followedSubjects.map((followed) => followed.subject);
  if (subject?.kind === 'shiplist') return { kind: 'list', name: subject.name, ...at };
  const [first, ...others] = condition?.imos ?? vesselSubjects(followedSubjects);
  if (first !== undefined) return { kind: 'vessels', imos: [first, ...others], ...at };
  return port === undefined ? undefined : { kind: 'port', port };
}

export const thatChannel = ({ place }: AskCtx): string => {
  if (!place?.isElsewhere) return 'this channel';
  return place.destination === 'direct-message' ? directMessage : 'that channel';
};

const directMessage = 'your direct message with Landfall';

/** A line about watches of this channel. `lineFor`: the same line about another one. */
export interface Named {
  /** Left out: the watch in whose thread the line is typed. */
  subject?: WatchSubject | undefined;
  lineFor: (subject: WatchSubject | undefined) => string;
  /** What a button does to a watch: `Stop`; left out, it shows the title alone. */
  verb?: string;
  /** The line that lists the watches there. */
  list: string;
}

/** Finds the watches that a line names. If there is none, throws UserError with the watches to choose from. */
export async function getNamedWatches(
  named: Named,
  ctx: AskCtx,
): Promise<[WatchWithSubjects, ...WatchWithSubjects[]]> {
  const { subject } = named;
  const [first, ...others] = subject ? await findNamed(subject, ctx) : await findByThread(ctx);
  if (first) return [first, ...others];
  throw subject ? await notWatched(subject, named, ctx) : await askWhichWatch(named, ctx);
}

async function askWhichWatch(named: Named, ctx: AskCtx): Promise<UserError> {
  const watches = await watchesHere(ctx, maxChoices);
  return new UserError({
    code: 'unknown-watch',
    message: 'Which watch?',
    ...(watches.length === 0 && { hint: `No watches in ${thatChannel(ctx)} yet.` }),
    choices: choicesOf(watches, named),
    example: watches.length === 0 ? 'watch 9461477' : 'watch list all',
  });
}

async function notWatched(subject: WatchSubject, named: Named, ctx: AskCtx): Promise<UserError> {
  const watches = await watchesHere(ctx);
  const where = ctx.place?.isElsewhere ? `in ${thatChannel(ctx)}` : 'here';
  return new UserError({
    code: 'unknown-watch',
    message: `No watch ${where} is for ${titleOf(subject, ctx.vessels)}.`,
    ...(watches.length === 0
      ? { hint: `No watches in ${thatChannel(ctx)} yet.`, example: 'watch 9461477' }
      : {
          choices: [
            ...choicesOf(watchesLike(subject, watches), named),
            { label: 'List the watches', line: named.list },
          ],
        }),
  });
}

const choicesOf = (watches: readonly WatchWithSubjects[], { verb, lineFor }: Named): Choice[] =>
  watches.map((watch) => ({
    label: verb === undefined ? watch.title : `${verb} ${watch.title}`,
    line: lineFor(subjectOf(watch)),
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

async function findByThread(ctx: AskCtx): Promise<WatchWithSubjects[]> {
  const { channelId } = actorIn(ctx);
  const threadTs = ctx.place?.threadTs;
  const watch = threadTs && (await findByCard({ channelId, threadTs }, ctx));
  return watch ? [watch] : [];
}

/**
 * The watches of this channel that are about exactly this. A fleet's watch is found by its name: its vessels don't
 * matter, nor whether there still is such a fleet.
 */
export async function findNamed(subject: WatchSubject, ctx: AskCtx): Promise<WatchWithSubjects[]> {
  const { channelId, userId } = actorIn(ctx);
  const watches = await findByTarget(channelId, targetOf(subject), ctx);
  const isMember = await ctx.services.access.mayUse(channelId, actorIn(ctx));
  return watches.filter(({ ownerId }) => isMember || ownerId === userId);
}

/** No limit: the settings allow a channel fewer watches. */
const noLimit = 100_000;
const maxChoices = 10;

/** The watches of this channel that the person may see, oldest first. */
export async function watchesHere(ctx: AskCtx, limit = noLimit): Promise<WatchWithSubjects[]> {
  return (await findInScope('channel', ctx, { limit })).watches;
}

import type { Person } from '../../workspaces/permissions.ts';
import type { AskCtx } from '../ctx.ts';
import { planDays } from '../digests/index.ts';
import { askEach, readVisibleChannels } from '../visible-channels.ts';
import {
  countsOf,
  type Everything,
  readEverything,
  type StoredThing,
  type Thing,
  type ThingKind,
} from './read-things.ts';

/** What nobody but its owner or the members of its channel may know of: how much there is, and what it costs. */
export interface Hidden {
  counts: Readonly<Record<ThingKind, number>>;
  calls: number;
}

export interface Overview {
  /** What this admin may see. */
  things: readonly Thing[];
  /** Private channels that they aren't in. */
  elsewhere: Hidden;
  personal: Hidden;
  /** Channels that Slack has not described in time; they count as private. */
  unknownChannels: number;
  /** The owners of `things`, as far as Slack has described them. */
  people: ReadonlyMap<string, Person>;
  /** The requests of some of `things` in 30 days: of watches that share a poll, it counts once. */
  callsOf(things: readonly Thing[]): number;
}

export async function readOverview(ctx: AskCtx): Promise<Overview> {
  const { slack } = ctx.services;
  const everything = await readEverything(ctx);
  const { mayKnow, isUnknown } = await readVisibleChannels(channelsOf(everything.things), ctx);
  const things = everything.things.flatMap(({ at, thing }) => {
    if (at === 'everywhere') return mayKnow(thing.channelId) ? thing : withoutPlace(thing);
    return at === 'channel' && mayKnow(thing.channelId) ? thing : [];
  });
  const owners = [...new Set(things.flatMap(({ ownerId }) => ownerId ?? []))];
  const hidden = (which: StoredThing['at']): Hidden =>
    summed(
      everything.things.flatMap(({ at, thing }) =>
        at === which && !(which === 'channel' && mayKnow(thing.channelId)) ? thing : [],
      ),
      everything,
    );
  return {
    things,
    elsewhere: hidden('channel'),
    personal: hidden('personal'),
    unknownChannels: new Set(
      everything.things.flatMap(({ at, thing: { channelId = '' } }) =>
        at === 'channel' && isUnknown(channelId) ? channelId : [],
      ),
    ).size,
    people: await askEach(owners, (id) => slack.personOf(id)),
    callsOf: (some) => callsOf(some, everything),
  };
}

/** Those with the most things first, since Slack may not describe all in time. */
function channelsOf(things: readonly StoredThing[]): string[] {
  const inChannels = things.filter(({ at }) => at !== 'personal');
  const byChannel = Map.groupBy(inChannels, ({ thing }) => thing.channelId);
  return [...byChannel]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .flatMap(([channelId]) => channelId ?? []);
}

const withoutPlace = (thing: Thing): Thing => ({ ...thing, channelId: undefined, ownerId: undefined });

const summed = (things: readonly Thing[], everything: Everything): Hidden => ({
  counts: countsOf(things),
  calls: callsOf(things, everything),
});

function callsOf(things: readonly Thing[], { subjects }: Everything): number {
  const active = new Set(things.flatMap(({ id, status }) => (status === 'active' ? id : [])));
  const polls = subjects
    .filter(({ watchIds }) => watchIds.some((id) => active.has(id)))
    .reduce((sum, { callsPerDay }) => sum + callsPerDay * planDays, 0);
  return things.reduce((sum, { kind, calls = 0 }) => (kind === 'digest' ? sum + calls : sum), polls);
}

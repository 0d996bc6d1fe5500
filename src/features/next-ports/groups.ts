import { UserError } from '../../errors.ts';
import type { Imo } from '../../reference/imo.ts';
import { actorIn, placeIn } from '../run-context.ts';
import { askVessels, byEta } from './answer.ts';
import type { FleetNextPorts } from './fleet-view.ts';
import type { NextPortsContext } from './services.ts';

interface Asked {
  line: string;
  page: number;
}

/** Each vessel costs a call: for more than these, a list of the provider is the right thing. */
const maxVessels = 100;

export async function askFleet(
  name: string,
  asked: Asked,
  context: NextPortsContext,
): Promise<FleetNextPorts> {
  const fleet = await context.groups.findFleet(name);
  return askGroup(fleet.imos, `Fleet ${fleet.name}`, asked, context);
}

/** The channel's watched vessels; anywhere else, and in a digest to oneself, those the person owns. */
export async function askWatched(asked: Asked, context: NextPortsContext): Promise<FleetNextPorts> {
  const actor = actorIn(context);
  const isOwn = placeIn(context).destination !== 'channel';
  const whose = isOwn ? { ownerId: actor.userId } : { channelId: actor.channelId };
  const [first, ...others] = await context.groups.watchedVessels(whose, actor);
  if (first === undefined) {
    throw new UserError({
      code: 'unknown-watch',
      message: isOwn ? 'You own no watches yet.' : 'No vessels are watched in this channel yet.',
      hint: 'A watch notifies you in a thread when the next port or the ETA changes.',
      example: 'watch 9461477',
    });
  }
  return askGroup([first, ...others], isOwn ? 'Watched by you' : 'Watched in this channel', asked, context);
}

async function askGroup(
  imos: readonly [Imo, ...Imo[]],
  group: string,
  asked: Asked,
  context: NextPortsContext,
): Promise<FleetNextPorts> {
  if (imos.length > maxVessels) throw tooMany(imos.length, group);
  const answer = await askVessels(imos, asked, context);
  return { ...answer, group, vessels: answer.vessels.toSorted(byEta) };
}

const tooMany = (count: number, group: string): UserError =>
  new UserError({
    code: 'too-many-vessels',
    message: `${group}: ${count} vessels. One question can cover at most ${maxVessels}.`,
    hint: "Ask for one of the provider's lists, which takes one call, or for fewer vessels.",
    example: 'nextport list:FEEDERS',
  });

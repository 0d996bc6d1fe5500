import { UserError } from '../../../errors.ts';
import type { FinishedCall } from '../../../predictions/stability.ts';
import type { Imo } from '../../../reference/imo.ts';
import { samePort } from '../../../reference/ports.ts';
import { type ActorsScope, scopeHere } from '../../owned.ts';
import { actorIn, knownVessel } from '../../run-context.ts';
import type { WatchesContext } from '../service/watch-service.ts';
import type { StabilityAnswer } from '../views/stability-view.ts';
import { formatStability, type StabilityArgs } from './parse-stability.ts';
import { formatWatchLine } from './parse-watch-line.ts';

type Found = Pick<StabilityAnswer, 'about'> & { imos: readonly Imo[] };

/** The calls that ended while they were watched, and how much their predictions had changed until then. */
export async function showStability(args: StabilityArgs, context: WatchesContext): Promise<StabilityAnswer> {
  const { place, vessels } = context;
  const isOwn = args.channelId === undefined && place?.destination === 'direct-message';
  const scope = isOwn && args.scope === 'channel' ? 'mine' : args.scope;
  const { channelId, page } = args;
  const isOfWatched = args.of.kind === 'watched' || args.of.kind === 'lane';
  const seen = isOfWatched ? { scope, actor: actorIn(context) } : scopeHere(context);
  const { about, imos } = await find(args, seen, context);
  const calls = await context.watches.finishedCalls(imos, seen);
  return {
    kind: 'watch-stability',
    line: formatStability(args),
    listLine: formatWatchLine({ kind: 'list', scope, page: 1, channelId }),
    page,
    scope,
    ...(channelId !== undefined && { channelId }),
    about,
    vessels: imos.length,
    calls: calls.filter(isAbout(about)).map((call) => ({ ...call, ...knownVessel(call.imo, vessels) })),
  };
}

const isAbout =
  (about: StabilityAnswer['about']) =>
  ({ previousPort, port }: FinishedCall): boolean =>
    about.kind !== 'lane' ||
    (previousPort !== null && samePort(previousPort, about.origin) && samePort(port, about.destination));

async function find({ of }: StabilityArgs, seen: ActorsScope, context: WatchesContext): Promise<Found> {
  const { watches, vessels, getFleet } = context;
  switch (of.kind) {
    case 'watched':
    case 'lane':
      return { about: of, imos: await watches.vesselsInScope(seen.scope, seen.actor) };
    case 'fleet': {
      const { name, imos } = await getFleet(of.name, (words) => `watch stability ${words}`);
      return { about: { kind: 'group', title: `Fleet ${name}` }, imos };
    }
    case 'list': {
      const list = await watches.vesselsOfList(of.name, seen);
      if (!list) throw unwatchedList(of.name);
      return { about: { kind: 'group', title: `List ${list.name}` }, imos: list.imos };
    }
    case 'vessels': {
      const [imo, ...others] = of.imos;
      return others.length === 0
        ? { about: { kind: 'vessel', vessel: knownVessel(imo, vessels) }, imos: of.imos }
        : { about: { kind: 'group', title: `${of.imos.length} vessels` }, imos: of.imos };
    }
  }
}

const unwatchedList = (name: string): UserError =>
  new UserError({
    code: 'unknown-list',
    message: `No list called ${name} is watched here, so its calls aren't known.`,
    hint: 'Predictions are stored while a list or its vessels are watched.',
    choices: [
      { label: 'Watched vessels', line: 'watch stability' },
      { label: 'List the watches', line: 'watch list' },
    ],
  });

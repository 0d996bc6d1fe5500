import type { Prediction } from '../../analytics/answers.ts';
import { type Comparison, type NextCall, watchThese } from '../../answers/answer.ts';
import { portTime, portTimeInColumn, untilEta, zonedTime } from '../../answers/formatting/times.ts';
import { type KnownVessel, percent, referenceNote } from '../../answers/formatting/words.ts';
import { field } from '../../answers/kinds.ts';
import { mergeProvenance } from '../../answers/slack/answer-message.ts';
import { forMembers, onlyInLine, type Text } from '../../answers/text.ts';
import { StoreUnavailable, UserError } from '../../errors.ts';
import { exampleVessels, hasValidCheckDigit, type Imo, type Locode } from '../../reference/codes.ts';
import { foldTight, nearest } from '../../reference/nearest.ts';
import { canonicalPort, portName, portOf } from '../../reference/ports.ts';
import type { Provenance } from '../../reference/prediction.ts';
import { type AskCtx, actorIn, example, knownVessel, placeIn, requestOptions } from '../ctx.ts';
import { getFleet } from '../fleets/index.ts';
import { watchedLists as listsWatchedBy, watchedVessels } from '../history/index.ts';

/** What the service predicts for a vessel. */
export interface VesselPredictions extends Provenance {
  vessel: KnownVessel;
  endpoint: 'vessel' | 'ship';
  /** The most probable first. */
  predictions: readonly Prediction[];
  isRefused?: true;
}

export const askNextPorts = async (imo: Imo, ctx: AskCtx): Promise<VesselPredictions> => ({
  vessel: knownVessel(imo, ctx.vessels),
  ...(await predictionsOf(imo, ctx)),
});

/**
 * The service predicts a vessel's next ports at two endpoints, which may disagree; the ETAs of the ship endpoint have
 * no UTC offset. This asks the ship endpoint only if the vessel endpoint has no predictions.
 */
async function predictionsOf(imo: Imo, ctx: AskCtx) {
  const { analytics } = ctx.services;
  const options = requestOptions(ctx);
  const fromVesselEndpoint = await analytics.vesselPredictions(imo, options);
  if (fromVesselEndpoint.predictions.length > 0)
    return { endpoint: 'vessel' as const, ...fromVesselEndpoint };
  const fromShipEndpoint = await analytics.shipNextPorts(imo, options);
  const droppedRecords = fromVesselEndpoint.droppedRecords + fromShipEndpoint.droppedRecords;
  return { endpoint: 'ship' as const, ...fromShipEndpoint, droppedRecords };
}

/** The predictions of both endpoints, by port. */
export interface NextPortsComparison extends Provenance {
  vessel: KnownVessel;
  ports: readonly ComparedPort[];
}

export async function compareNextPorts(imo: Imo, ctx: AskCtx): Promise<NextPortsComparison> {
  const { analytics } = ctx.services;
  const options = requestOptions(ctx);
  const [fromVesselEndpoint, fromShipEndpoint] = await Promise.all([
    analytics.vesselPredictions(imo, options),
    analytics.shipNextPorts(imo, options),
  ]);
  return {
    vessel: knownVessel(imo, ctx.vessels),
    ports: comparePorts(fromVesselEndpoint.predictions, fromShipEndpoint.predictions),
    ...mergeProvenance([fromVesselEndpoint, fromShipEndpoint]),
  };
}

/** A port with the prediction of the vessel endpoint and that of the ship endpoint; undefined if there is none. */
export interface ComparedPort {
  port: Locode;
  vesselView?: Prediction | undefined;
  shipView?: Prediction | undefined;
}

/** Treats all codes of a port as one port. The most probable port comes first. */
function comparePorts(
  fromVesselEndpoint: readonly Prediction[],
  fromShipEndpoint: readonly Prediction[],
): ComparedPort[] {
  const byPort = Map.groupBy([...fromVesselEndpoint, ...fromShipEndpoint], ({ port }) => canonicalPort(port));
  const ports = [...byPort].map(([port, predictions]) => ({
    port,
    vesselView: predictions.find((prediction) => fromVesselEndpoint.includes(prediction)),
    shipView: predictions.find((prediction) => fromShipEndpoint.includes(prediction)),
  }));
  const maxProbability = ({ vesselView, shipView }: ComparedPort) =>
    Math.max(vesselView?.probability ?? 0, shipView?.probability ?? 0);
  return ports.sort((first, second) => maxProbability(second) - maxProbability(first));
}

/** The next ports of several vessels. `group` and `list` are left out if the line names each vessel. */
export interface FleetPredictions extends Provenance {
  /** The provider's name for the list. */
  list?: string;
  /** `Fleet NORTH`, `Watched here`. */
  group?: string;
  /** By ETA. */
  vessels: readonly FleetVessel[];
}

export interface FleetVessel {
  vessel: KnownVessel;
  endpoint: 'vessel' | 'ship';
  /** The most probable first. */
  predictions: readonly Prediction[];
  /** The service did not answer for this vessel. */
  failed: boolean;
}

/** By ETA. Marks a vessel whose request fails as `failed`; throws only if all requests fail. */
export async function askVessels(imos: readonly [Imo, ...Imo[]], ctx: AskCtx): Promise<FleetPredictions> {
  const results = await Promise.allSettled(imos.map((imo) => predictionsOf(imo, ctx)));
  ctx.signal.throwIfAborted();
  const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const [first, ...others] = answers;
  if (!first) throw results.find((result) => result.status === 'rejected')?.reason;
  const vessels = imos.map((imo, index): FleetVessel => {
    const vessel = knownVessel(imo, ctx.vessels);
    const result = results[index];
    if (result?.status !== 'fulfilled') return { vessel, endpoint: 'vessel', predictions: [], failed: true };
    const { endpoint, predictions } = result.value;
    return { vessel, endpoint, predictions, failed: false };
  });
  const provenance = mergeProvenance([first, ...others]);
  return { vessels: vessels.sort(byEta), ...provenance };
}

export async function askFleet(name: string, ctx: AskCtx): Promise<FleetPredictions> {
  const fleet = await getFleet(name, (words) => `nextport ${words}`, ctx);
  return await askGroup(fleet.imos, `Fleet ${fleet.name}`, ctx);
}

/** In a channel, asks about the vessels watched there; in a direct message, about those that the person watches. */
export async function askWatched(ctx: AskCtx): Promise<FleetPredictions> {
  const actor = actorIn(ctx);
  const isOwn = placeIn(ctx).destination !== 'channel';
  const filter = isOwn ? { ownerId: actor.userId } : { channelId: actor.channelId };
  const [first, ...others] = await watchedVessels(filter, actor, ctx.services);
  if (first === undefined) {
    throw new UserError({
      code: 'unknown-watch',
      message: isOwn ? 'You own no watches yet.' : 'No vessels are watched in this channel yet.',
      hint: 'A watch notifies you in a thread when the next port or the ETA changes.',
      example: example(watchThese(exampleVessels[0].imo), ctx.registry),
    });
  }
  return await askGroup([first, ...others], isOwn ? 'Watched by you' : 'Watched here', ctx);
}

/** Each vessel costs a request. */
const maxVessels = 100;

async function askGroup(imos: readonly [Imo, ...Imo[]], group: string, ctx: AskCtx) {
  if (imos.length > maxVessels) {
    throw new UserError({
      code: 'too-many-vessels',
      message: `${group}: ${imos.length} vessels. One question can cover at most ${maxVessels}.`,
      hint: "Ask for one of the provider's lists, which takes one request, or for fewer vessels.",
      example: 'nextport list:FEEDERS',
    });
  }
  return { ...(await askVessels(imos, ctx)), group };
}

/** Vessels without an ETA come last. */
export function byEta(first: FleetVessel, second: FleetVessel): number {
  const eta = ({ predictions: [first] }: FleetVessel) => first?.eta?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return eta(first) - eta(second) || first.vessel.imo - second.vessel.imo;
}

export interface ListPredictions extends FleetPredictions {
  list: string;
  /** The typed name of the list, if the service knows another spelling of it. */
  insteadOf?: string;
  /** Lists that the person may have meant, if there is no such list. */
  offered?: readonly string[];
}

/** Buttons for lists that the person may have meant. */
const maxOffered = 5;

/**
 * The vessels of one of the provider's lists, by ETA. The service tells names apart by case and has no list of its lists:
 * if it has nothing for the typed name, this asks for the same name as a watch spells it, and in capitals.
 */
export async function askList(typed: string, ctx: AskCtx): Promise<ListPredictions> {
  const answer = await vesselsOfList(typed, ctx);
  if (answer.vessels.length > 0) return answer;
  const watched = await watchedLists(ctx);
  const sameName = watched.filter((name) => foldTight(name) === foldTight(typed));
  const spellings = new Set([...sameName, typed.toUpperCase()]);
  spellings.delete(typed);
  for (const name of spellings) {
    const other = await vesselsOfList(name, ctx);
    if (other.vessels.length > 0) return { ...other, insteadOf: typed };
  }
  const near = nearest(
    foldTight(typed),
    watched.map((name) => ({ key: foldTight(name), value: name })),
    maxOffered,
  );
  return { ...answer, offered: near.length > 0 ? near : watched.slice(0, maxOffered) };
}

async function vesselsOfList(list: string, ctx: AskCtx): Promise<ListPredictions> {
  const answer = await ctx.services.analytics.shiplistNextPorts(list, requestOptions(ctx));
  const byVessel = Map.groupBy(answer.predictions, ({ imo }) => imo);
  const vessels = [...byVessel].map(([imo, ranked]): FleetVessel => {
    const vessel = knownVessel(imo, ctx.vessels);
    return { vessel, endpoint: 'ship', predictions: ranked, failed: false };
  });
  const provenance = mergeProvenance([answer]);
  return { list, vessels: vessels.sort(byEta), ...provenance };
}

/** The lists that this channel watches; in a direct message, those of the person. None in the terminal. */
async function watchedLists(ctx: AskCtx): Promise<readonly string[]> {
  if (!ctx.place) return [];
  const actor = actorIn(ctx);
  const { channelId, userId: ownerId } = actor;
  try {
    const filter = ctx.place.destination === 'channel' ? { channelId } : { ownerId };
    return await listsWatchedBy(filter, actor, ctx.services);
  } catch (error) {
    // The service has answered, so there is an answer without them.
    if (error instanceof StoreUnavailable) return [];
    throw error;
  }
}

/** `Rotterdam 82%`. */
export const portAndPercent = ({ port, probability }: Prediction): string =>
  `${portName(port)} ${percent(probability)}`;

/** `Mon 23 Nov 15:05 LT (14:05 UTC)`. */
export const etaInWords = ({ port, eta }: Prediction, now: Date): string =>
  eta ? portTime(eta, portOf(port)?.zone, now) : 'ETA not given';

/** The ETA, and `in 2 d 5 h`. */
export const timeOf = (prediction: Prediction, now: Date): string[] => [
  etaInWords(prediction, now),
  ...(prediction.eta ? [untilEta(prediction.eta, now)] : []),
];

/** What follows a verdict. */
export const after = (words: readonly string[]): string[] => words.map((each) => ` · ${each}`);

/** The ETA in the reader's own zone. */
export const inOwnZone = (prediction: Prediction | undefined): Text =>
  prediction?.eta ? { moment: prediction.eta, portZone: portOf(prediction.port)?.zone } : '';

/** For the small print. The service's numbers may have a wrong check digit. */
export const imoNote = ({ imo }: KnownVessel): string =>
  `IMO ${imo}${hasValidCheckDigit(imo) ? '' : ', check digit wrong'}`;

/** The same, with the vessel's references, but for the one that leads the answer. */
export const vesselNotes = (of: KnownVessel, leading?: string): Text[] => [
  imoNote(of),
  ...referenceNote((of.references ?? []).filter((reference) => reference !== leading)).map((note) =>
    forMembers(note),
  ),
];

/** The service gives some times without a UTC offset. */
export const readAsUtc = 'time zone not given, read as UTC';

/** Notes about times whose zone is unknown, each once. */
export function zoneNotes(predictions: readonly Prediction[]): string[] {
  const dated = predictions.filter(({ eta }) => eta !== undefined);
  const unknown = new Set<Locode>(
    dated.filter(({ port }) => portOf(port)?.zone === undefined).map(({ port }) => port),
  );
  return [
    ...(dated.some(({ etaZone }) => etaZone === 'assumed-utc') ? [readAsUtc] : []),
    ...(unknown.size > 0 ? [`zone of ${[...unknown].slice(0, 3).join(', ')} not known here`] : []),
  ];
}

/** For tables with ETAs of endpoints that give no UTC offset. */
export const etaZone = <Row>(predictionIn: (row: Row) => Pick<Prediction, 'eta' | 'etaZone'> | undefined) =>
  field<Row>(
    'text',
    '`given`, or `assumed-utc` where the service gave a time without a UTC offset',
    (row) => {
      const prediction = predictionIn(row);
      return prediction?.eta && prediction.etaZone;
    },
  );

export const view = <Row>(viewOf: (row: Row) => 'vessel' | 'ship' | 'list') =>
  field<Row>('text', 'the endpoint of the service that was asked: `vessel`, `ship` or `list`', viewOf);

type Call = Pick<Prediction, 'port'> & { eta?: Date | null | undefined };

/** The first two columns are all that a phone shows, so the port and its ETA share one: `Rotterdam 82% · Mon 23 Nov 15:05`. */
export function portAndTime(ports: string, { port, eta }: Call, now: Date): Text {
  if (!eta) return `${ports} · ETA not given`;
  const zone = portOf(port)?.zone;
  return [`${ports} · ${portTimeInColumn(eta, zone, now)}`, zone === undefined ? '' : onlyInLine(' LT')];
}

/** Beside it, the ETA in UTC. */
export const utcTime = (eta: Date | null | undefined, now: Date): Text =>
  eta ? [zonedTime(eta, 'UTC', now), onlyInLine(' UTC')] : '';

export const percents = (predictions: readonly Pick<Prediction, 'probability'>[]): string =>
  predictions.map(({ probability }) => percent(probability)).join(' or ');

/** The vessel's small print, if the endpoint that most answers come from has nothing. */
export const secondForecast = "the service's second forecast: its first has none";

/** What digests compare: the most probable port of each vessel. */
export const comparisonOf = (
  vessels: readonly Pick<FleetVessel, 'vessel' | 'predictions' | 'failed'>[],
): Comparison => ({
  questions: vessels.map(({ vessel: { imo }, predictions, failed }) => {
    const id = String(imo);
    const rows = predictions
      .slice(0, 1)
      .map(({ port, probability, eta }) => ({ id, imo, call: { port, probability, eta: eta ?? null } }));
    return { id, isList: false, rows: failed ? null : rows };
  }),
});

/** What every answer about one vessel's forecast has. */
export const forecastOf = (found: VesselPredictions) => ({
  provenance: found,
  isForecast: true,
  comparison: comparisonOf([{ ...found, failed: false }]),
});

/** The likeliest next call, or the one at the port that was asked about. Undefined if none is predicted. */
export function nextCall([found]: readonly Prediction[]): NextCall | undefined {
  if (!found) return undefined;
  const { port, probability, eta } = found;
  return { port: portName(port), locode: port, probability, ...(eta && { eta }) };
}

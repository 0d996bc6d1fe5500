import type { Prediction } from '../../analytics/answers.ts';
import { UserError } from '../../errors.ts';
import type { KnownVessel } from '../../messages/formatting/vessel-label.ts';
import { mergeProvenance } from '../../messages/frame/answer-message.ts';
import type { FinishedCall } from '../../predictions/stability.ts';
import type { Imo } from '../../reference/imo.ts';
import type { Locode } from '../../reference/locode.ts';
import { canonicalPort } from '../../reference/ports.ts';
import type { Groups, WorkspaceServices } from '../feature.ts';
import type { ActorsScope } from '../owned.ts';
import {
  type AnalyticsServices,
  actorIn,
  knownVessel,
  placeIn,
  type RunContext,
  requestOptions,
} from '../run-context.ts';

export interface NextPortsServices extends AnalyticsServices {
  groups: Groups;
  /** The polls of a vessel that is watched in this scope, oldest first. */
  history(imo: Imo, from: Date, of: ActorsScope): Promise<readonly PolledPredictions[]>;
  /** The calls of these vessels that ended while they were watched in this scope, the newest first. */
  finishedCalls(imos: readonly Imo[], of: ActorsScope): Promise<readonly FinishedCall[]>;
  pictures: WorkspaceServices['pictures'];
}

export interface PolledPredictions {
  at: Date;
  predictions: readonly Prediction[];
}

export type NextPortsContext = RunContext & NextPortsServices;

export const askNextPorts = async (imo: Imo, context: NextPortsContext) => ({
  kind: 'next-ports' as const,
  vessel: knownVessel(imo, context.vessels),
  /** The same can be shown on a map: `nextport <vessel> map`. */
  ...(context.pictures && { hasMap: true as const }),
  ...(await predictionsOf(imo, context)),
});

/**
 * The service predicts a vessel's next ports at two endpoints, which may disagree; the ETAs of the ship endpoint have
 * no UTC offset. This asks the ship endpoint only if the vessel endpoint has no predictions.
 */
async function predictionsOf(imo: Imo, context: NextPortsContext) {
  const options = requestOptions(context);
  const fromVesselEndpoint = await context.analytics.vesselPredictions(imo, options);
  if (fromVesselEndpoint.predictions.length > 0)
    return { endpoint: 'vessel' as const, ...fromVesselEndpoint };
  const fromShipEndpoint = await context.analytics.shipNextPorts(imo, options);
  const droppedRecords = fromVesselEndpoint.droppedRecords + fromShipEndpoint.droppedRecords;
  return { endpoint: 'ship' as const, ...fromShipEndpoint, droppedRecords };
}

export async function compareNextPorts(imo: Imo, context: NextPortsContext) {
  const options = requestOptions(context);
  const [fromVesselEndpoint, fromShipEndpoint] = await Promise.all([
    context.analytics.vesselPredictions(imo, options),
    context.analytics.shipNextPorts(imo, options),
  ]);
  return {
    kind: 'next-ports-comparison' as const,
    vessel: knownVessel(imo, context.vessels),
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

export interface FleetVessel {
  vessel: KnownVessel;
  endpoint: 'vessel' | 'ship';
  /** The two most probable ports, if there are any. */
  top: readonly Prediction[];
  /** The service did not answer for this vessel. */
  failed: boolean;
}

/** By ETA. Marks a vessel whose request fails as `failed`; throws only if all requests fail. */
export async function askVessels(imos: readonly [Imo, ...Imo[]], context: NextPortsContext) {
  const results = await Promise.allSettled(imos.map((imo) => predictionsOf(imo, context)));
  context.signal.throwIfAborted();
  const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const [first, ...others] = answers;
  if (!first) throw results.find((result) => result.status === 'rejected')?.reason;
  const vessels = imos.map((imo, index): FleetVessel => {
    const vessel = knownVessel(imo, context.vessels);
    const result = results[index];
    if (result?.status !== 'fulfilled') return { vessel, endpoint: 'vessel', top: [], failed: true };
    const { endpoint, predictions } = result.value;
    return { vessel, endpoint, top: predictions.slice(0, 2), failed: false };
  });
  const provenance = mergeProvenance([first, ...others]);
  return { kind: 'fleet-next-ports' as const, vessels: vessels.sort(byEta), ...provenance };
}

export async function askFleet(name: string, context: NextPortsContext) {
  const fleet = await context.groups.getFleet(name);
  return await askGroup(fleet.imos, `Fleet ${fleet.name}`, context);
}

/** In a channel, asks about the vessels watched there; in a direct message, about those that the person watches. */
export async function askWatched(context: NextPortsContext) {
  const actor = actorIn(context);
  const isOwn = placeIn(context).destination !== 'channel';
  const filter = isOwn ? { ownerId: actor.userId } : { channelId: actor.channelId };
  const [first, ...others] = await context.groups.watchedVessels(filter, actor);
  if (first === undefined) {
    throw new UserError({
      code: 'unknown-watch',
      message: isOwn ? 'You own no watches yet.' : 'No vessels are watched in this channel yet.',
      hint: 'A watch notifies you in a thread when the next port or the ETA changes.',
      example: 'watch 9461477',
    });
  }
  return await askGroup([first, ...others], isOwn ? 'Watched by you' : 'Watched here', context);
}

/** Each vessel costs a request. */
const maxVessels = 100;

async function askGroup(imos: readonly [Imo, ...Imo[]], group: string, context: NextPortsContext) {
  if (imos.length > maxVessels) {
    throw new UserError({
      code: 'too-many-vessels',
      message: `${group}: ${imos.length} vessels. One question can cover at most ${maxVessels}.`,
      hint: "Ask for one of the provider's lists, which takes one request, or for fewer vessels.",
      example: 'nextport list:FEEDERS',
    });
  }
  return { ...(await askVessels(imos, context)), group };
}

/** Vessels without an ETA come last. */
export function byEta(first: FleetVessel, second: FleetVessel): number {
  const eta = ({ top }: FleetVessel) => top[0]?.eta?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return eta(first) - eta(second) || first.vessel.imo - second.vessel.imo;
}

import type { Prediction, PredictionsAnswer } from '../../analytics/answers.ts';
import { mergeProvenance } from '../../messages/frame/answer-message.ts';
import type { Imo } from '../../reference/imo.ts';
import { canonicalPort } from '../../reference/ports.ts';
import { callOptions, knownVessel } from '../run-context.ts';
import type { ComparedPort, NextPortsComparison } from './compare-view.ts';
import type { FleetNextPorts, FleetVessel } from './fleet-view.ts';
import type { NextPortsContext } from './services.ts';
import type { NextPortsAnswer } from './view.ts';

interface Asked {
  line: string;
  page: number;
}

/** One vessel. Where the vessel endpoint knows nothing the ship endpoint is asked, and the answer says which it is. */
export async function askNextPorts(
  imo: Imo,
  asked: Asked,
  context: NextPortsContext,
): Promise<NextPortsAnswer> {
  const { endpoint, answer } = await predictionsOf(imo, context);
  return { kind: 'next-ports', ...asked, vessel: knownVessel(imo, context.vessels), endpoint, ...answer };
}

/** The vessel and the ship endpoint side by side; alias codes of one port are one port. */
export async function compareNextPorts(
  imo: Imo,
  asked: Asked,
  context: NextPortsContext,
): Promise<NextPortsComparison> {
  const options = callOptions(context);
  const [vesselView, shipView] = await Promise.all([
    context.analytics.vesselPredictions(imo, options),
    context.analytics.shipNextPorts(imo, options),
  ]);
  return {
    kind: 'next-ports-comparison',
    ...asked,
    vessel: knownVessel(imo, context.vessels),
    ports: sideBySide(vesselView.predictions, shipView.predictions),
    ...mergeProvenance([vesselView, shipView]),
  };
}

/** Several vessels in the order typed. One that fails is marked; where all fail the first failure is thrown. */
export async function askVessels(
  imos: readonly [Imo, ...Imo[]],
  asked: Asked,
  context: NextPortsContext,
): Promise<FleetNextPorts> {
  const results = await Promise.allSettled(imos.map((imo) => predictionsOf(imo, context)));
  context.signal.throwIfAborted();
  const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.answer] : []));
  const [first, ...others] = answers;
  if (!first) throw results.find((result) => result.status === 'rejected')?.reason;
  const vessels = imos.map((imo, index): FleetVessel => {
    const result = results[index];
    const vessel = knownVessel(imo, context.vessels);
    if (result?.status !== 'fulfilled') return { vessel, endpoint: 'vessel', top: [], failed: true };
    const { endpoint, answer } = result.value;
    return { vessel, endpoint, top: answer.predictions.slice(0, 2), failed: false };
  });
  return { kind: 'fleet-next-ports', ...asked, vessels, ...mergeProvenance([first, ...others]) };
}

/** Every vessel of a list with its most probable ports, by ETA; those without one last. */
export async function askList(
  name: string,
  asked: Asked,
  context: NextPortsContext,
): Promise<FleetNextPorts> {
  const {
    predictions,
    scale: _,
    ...provenance
  } = await context.analytics.shiplistNextPorts(name, callOptions(context));
  const vessels = [...Map.groupBy(predictions, ({ imo }) => imo)].map(
    ([imo, ranked]): FleetVessel => ({
      vessel: knownVessel(imo, context.vessels),
      endpoint: 'ship',
      top: ranked.slice(0, 2),
      failed: false,
    }),
  );
  vessels.sort(byEta);
  return { kind: 'fleet-next-ports', ...asked, list: name, vessels, ...provenance };
}

/** Those without one last. */
export function byEta(one: FleetVessel, other: FleetVessel): number {
  const eta = ({ top }: FleetVessel) => top[0]?.eta?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return eta(one) - eta(other) || one.vessel.imo - other.vessel.imo;
}

async function predictionsOf(
  imo: Imo,
  context: NextPortsContext,
): Promise<{ endpoint: 'vessel' | 'ship'; answer: PredictionsAnswer }> {
  const options = callOptions(context);
  const vesselView = await context.analytics.vesselPredictions(imo, options);
  if (vesselView.predictions.length > 0) return { endpoint: 'vessel', answer: vesselView };
  const shipView = await context.analytics.shipNextPorts(imo, options);
  const answer = { ...shipView, faults: shipView.faults + vesselView.faults };
  return { endpoint: 'ship', answer };
}

function sideBySide(vesselView: readonly Prediction[], shipView: readonly Prediction[]): ComparedPort[] {
  const all = Map.groupBy([...vesselView, ...shipView], ({ port }) => canonicalPort(port));
  const ports = [...all].map(([port, some]): ComparedPort => {
    const inVessel = some.find((prediction) => vesselView.includes(prediction));
    const inShip = some.find((prediction) => shipView.includes(prediction));
    return { port, ...(inVessel && { vesselView: inVessel }), ...(inShip && { shipView: inShip }) };
  });
  const best = ({ vesselView: one, shipView: other }: ComparedPort) =>
    Math.max(one?.probability ?? 0, other?.probability ?? 0);
  return ports.sort((one, other) => best(other) - best(one));
}

import { mergeProvenance } from '../../messages/frame/answer-message.ts';
import type { Locode } from '../../reference/locode.ts';
import type { Provenance } from '../../reference/provenance.ts';
import type { AnalyticsContext } from '../run-context.ts';
import { askPortCalls, byEta, type PortCall, type PortCalls } from './answer.ts';

/** A port whose request failed. */
export interface FailedPort {
  port: Locode;
}

/** Runs one request for each port, side by side. Throws only if all fail. */
export async function askEach<Answer extends Provenance>(
  ports: readonly Locode[],
  ask: (port: Locode) => Promise<Answer>,
  { signal }: Pick<AnalyticsContext, 'signal'>,
): Promise<{ answers: Answer[]; failed: FailedPort[]; provenance: Provenance }> {
  const results = await Promise.allSettled(ports.map(ask));
  signal.throwIfAborted();
  const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const [first, ...others] = answers;
  if (!first) throw results.find((result) => result.status === 'rejected')?.reason;
  const failed = ports.filter((_, index) => results[index]?.status === 'rejected').map((port) => ({ port }));
  return { answers, failed, provenance: mergeProvenance([first, ...others]) };
}

export type CallAtPort = PortCall & { port: Locode };

export type SeveralPortCalls = Awaited<ReturnType<typeof askSeveralPorts>>;

/** The vessels that may call at any of these ports. A vessel may be predicted at several. */
export async function askSeveralPorts(
  ports: readonly Locode[],
  questionOf: (port: Locode) => Parameters<typeof askPortCalls>[0],
  context: AnalyticsContext,
) {
  const ask = (port: Locode): Promise<PortCalls> => askPortCalls(questionOf(port), context);
  const { answers, failed, provenance } = await askEach(ports, ask, context);
  const calls = answers.flatMap(({ port, calls }): CallAtPort[] => calls.map((call) => ({ ...call, port })));
  const portsByVessel = Map.groupBy(calls, ({ vessel }) => vessel.imo);
  const isByEta = answers.every(({ by }) => by === 'eta');
  return {
    /** In the typed order. */
    ports: answers.map(({ calls: { length: listedCalls }, ...answer }) => ({ ...answer, listedCalls })),
    failed,
    calls: calls
      .map((call) => {
        const others = portsByVessel.get(call.vessel.imo) ?? [];
        return { ...call, alsoAt: others.filter((other) => other !== call).map(({ port }) => port) };
      })
      .sort(
        isByEta ? byEta : (first, second) => second.probability - first.probability || byEta(first, second),
      ),
    /** The number of vessels; a vessel at several of the ports counts once. */
    vessels: portsByVessel.size,
    ...provenance,
  };
}

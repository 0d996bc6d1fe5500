import { z } from 'zod';
import { date, locode, type Prospect } from '../reference/prediction.ts';
import { type Answer, hasProbablyCalled, rankByVessel } from './next-port.ts';
import type { EndedCall } from './stability.ts';

const openCall = z.object({
  /** The likeliest port, with its last ETA. */
  port: locode,
  eta: date.nullable(),
  /** The last poll that predicted anything for the vessel. */
  at: date,
  /** The first poll of the call. */
  since: date,
  /** The port of the call before; null if some calls in between may be unknown. */
  from: locode.nullable(),
});
type OpenCall = z.infer<typeof openCall>;

/** The calls under way of a subject's vessels, by IMO number. */
export const openCalls = z.object({
  scale: z.enum(['fraction', 'percent']),
  vessels: z.record(z.string(), openCall),
});
export type OpenCalls = z.infer<typeof openCalls>;

/**
 * A call has ended once its port, the likeliest, is no longer predicted at its ETA: the same rule as for the ordinary
 * next leg. A port that goes long before its ETA is a diversion, and the call goes on with the new one. An answer that
 * isn't newer changes nothing, and neither does one without predictions for the vessel. After a longer pause than
 * `maxPauseMs` it isn't known which calls were made in between.
 */
export function followCalls(
  before: OpenCalls | null,
  { at, scale, predictions }: Answer,
  { maxPauseMs }: { maxPauseMs: number },
): { open: OpenCalls; ended: Omit<EndedCall, 'list'>[] } {
  // Probabilities of different scales can't be compared.
  const known = before?.scale === scale ? before.vessels : {};
  const isPaused = ({ at: last }: OpenCall) => at.getTime() - last.getTime() > maxPauseMs;
  const vessels: Record<string, OpenCall> = Object.fromEntries(
    Object.entries(known).filter(([, call]) => !isPaused(call)),
  );
  const ended: Omit<EndedCall, 'list'>[] = [];
  for (const [imo, ranked] of rankByVessel(predictions)) {
    const [top] = ranked;
    const last = vessels[imo];
    if (!top || (last && at <= last.at)) continue;
    const isOver = last && isEnded(last, ranked, at);
    if (isOver) {
      const { port, eta: lastEta, since, from: previousPort } = last;
      ended.push({ imo, previousPort, port, lastEta, since, endedAt: at });
    }
    const begun = { port: top.port, eta: top.eta, at, since: at, from: isOver ? last.port : null };
    vessels[imo] = last && !isOver ? goOn(last, top, at) : begun;
  }
  return { open: { scale, vessels }, ended };
}

const isEnded = (call: OpenCall, ranked: readonly Prospect[], now: Date): call is OpenCall & { eta: Date } =>
  !ranked.some(({ port }) => port === call.port) && hasProbablyCalled(call.eta, now);

/** An ETA that is left out once is still the last one. */
const goOn = (call: OpenCall, { port, eta }: Prospect, at: Date): OpenCall => ({
  ...call,
  port,
  eta: eta ?? (port === call.port ? call.eta : null),
  at,
});

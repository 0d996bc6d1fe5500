import { z } from 'zod';
import { date, locode } from './values.ts';

/** `HH:MM`, wall-clock time in `zone` (an IANA name); may run over midnight. */
const quietHours = z.object({ from: z.string(), to: z.string(), zone: z.string() });
export type QuietHours = z.infer<typeof quietHours>;

const dueDate = z.object({ port: locode, at: date });
export type DueDate = z.infer<typeof dueDate>;

/** When a watch tells what. Null, false or empty: never. */
export const rules = z.object({
  /** The next port changed, and its wavering. */
  nextPort: z.boolean(),
  /** The port that was told left the predictions. */
  noLongerListed: z.boolean(),
  /** Hours the ETA moved against what was told, either way. */
  etaHours: z.number().positive().nullable(),
  /** 0 to 1: the probability of the port that was told fell under it. */
  below: z.number().min(0).max(1).nullable(),
  /** Hours before the ETA, the longest first. */
  arrivingHours: z.array(z.number().positive()).readonly(),
  /** Hours after the ETA, the port still listed. */
  overdueHours: z.number().positive().nullable(),
  /** Predictions lost, and back. */
  lost: z.boolean(),
  /** No answer of the service for three intervals. */
  stale: z.boolean(),
  /** Vessels newly expected and no longer expected, of a port. */
  expected: z.boolean(),
  due: z.array(dueDate).readonly(),
  /** The watch ends when the next port has changed. */
  untilNextPort: z.boolean(),
  quiet: quietHours.nullable(),
});
export type Rules = z.infer<typeof rules>;

export const defaultRules: Rules = {
  nextPort: true,
  noLongerListed: true,
  etaHours: 12,
  below: 0.5,
  arrivingHours: [72, 48, 24],
  overdueHours: 6,
  lost: true,
  stale: true,
  expected: true,
  due: [],
  untilNextPort: false,
  quiet: null,
};

/** Where `only` is typed the rules typed stand alone. */
const noRules: Rules = {
  ...defaultRules,
  nextPort: false,
  noLongerListed: false,
  etaHours: null,
  below: null,
  arrivingHours: [],
  overdueHours: null,
  lost: false,
  stale: false,
  expected: false,
};

/** Rules typed override their own defaults; the others stay, unless `only` drops them. */
export function chooseRules(typed: Partial<Rules>, { only = false }: { only?: boolean } = {}): Rules {
  const chosen = { ...(only ? noRules : defaultRules), ...typed };
  return { ...chosen, arrivingHours: [...new Set(chosen.arrivingHours)].sort((a, b) => b - a) };
}

/** The damping, which is no matter of taste: hours, or shares of 1. */
export const damping = {
  /** A port that leads by so much has changed at once; else when it leads in `polls` running. */
  lead: 0.1,
  polls: 2,
  waveringHours: 24,
  settledHours: 6,
  /** Armed again so far above the threshold that was passed. */
  rearm: 0.1,
  rearmDueHours: 1,
  /** A due port under this is unlikely; a vessel over it is expected in a port, until it is under the next. */
  likely: 0.5,
  unexpected: 0.4,
  /** Days in which a vessel that was told as no longer expected is expected again only `rearm` above `likely`. */
  droppedDays: 7,
  /** A port that leaves the list so near its ETA has probably been reached; it is never called that. */
  reachedHours: 6,
  staleIntervals: 3,
} as const;

/** `until-eta`: until so many hours before the ETA of the port that was told. */
export const snooze = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('until'), at: date }),
  z.object({ kind: z.literal('until-eta'), hours: z.number().positive() }),
  z.object({ kind: z.literal('until-next-port') }),
]);
export type Snooze = z.infer<typeof snooze>;

/** What one evaluation goes by: the rules of the watch and, while it sleeps, until when. */
export type ActiveRules = Rules & { snooze: Snooze | null };

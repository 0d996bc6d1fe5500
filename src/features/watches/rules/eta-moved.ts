import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { differenceInMilliseconds } from 'date-fns/differenceInMilliseconds';
import { min } from 'date-fns/min';
import { z } from 'zod';
import { percent } from '../../../messages/formatting/probability.ts';
import { roundedDuration } from '../../../messages/formatting/times.ts';
import { portName } from '../../../reference/ports.ts';
import { date, type Prospect, prospect } from '../../../reference/stored-values.ts';
import { damping } from '../evaluation/damping.ts';
import { type Baseline, baseline } from '../evaluation/state.ts';
import { etaFigures, etaInWords, formerEta, shortTimeAt } from '../views/event-text.ts';
import { defineRule, vesselEvent } from './rule.ts';
import { hoursRule } from './rule-parts.ts';

const moved = { was: baseline, now: prospect };

/** In hours, at any distance. Of the default the larger of `hours` and 5% of the time left, within ten days of the ETA. */
const threshold = z.object({ hours: z.number().positive(), isScaled: z.boolean() });
type Threshold = z.output<typeof threshold>;

const defaultHours = 12;
const share = 0.05;
const maxHours = damping.farDays * 24;

const memory = z
  .object({
    /** Of a call that has come within ten days: before that, its ETA moved too much to be compared with. */
    reference: z.object({ eta: date, at: date }).nullable(),
    /** In how many consecutive polls it has moved. One poll may be taken back by the next. */
    polls: z.number(),
  })
  .default({ reference: null, polls: 0 });

const typed = hoursRule({
  word: 'eta',
  pattern: 'eta(?: (?:moves?|changes?|shifts?))?(?: by)?(?: (?:at least|more than))?',
  defaultValue: defaultHours,
  label: 'The ETA moves by … hours',
});

/** The ETA has moved since the baseline, in either direction, at once or little by little. */
export const etaMoved = defineRule({
  ...typed,
  key: 'etaMoved',
  appliesTo: 'both',
  schema: threshold.nullable(),
  defaultValue: { hours: defaultHours, isScaled: true } as Threshold | null,
  resolve: (hours) => ({ hours, isScaled: false }),
  field: {
    id: typed.field.id,
    label: typed.field.label,
    placeholder: typed.field.placeholder,
    hint: `Empty: ${defaultHours} h, within ${damping.farDays} days of the ETA.`,
    text: ({ hours }) => String(hours),
    ...(typed.field.instruction !== undefined && { instruction: typed.field.instruction }),
  },
  help: `the ETA has moved by this much since the last alert; by default ${defaultHours} h, once it is within ${damping.farDays} days`,
  tick: (value, { isPort }) => `${isPort ? "A vessel's ETA" : 'The ETA'} moves by ${value.hours} h or more`,
  words: (value, { isPort }) =>
    `${isPort ? "a vessel's ETA" : 'the ETA'} moves by ${value.hours} h or more${value.isScaled ? `, once it is within ${damping.farDays} days` : ''}`,
  brief: ({ hours }) => `ETA ${hours} h`,
  isThreshold: true,
  event: z.union([
    vesselEvent('eta-slipped', moved),
    vesselEvent('eta-advanced', moved),
    vesselEvent('expected-eta-moved', moved),
  ]),
  memory,
  evaluate({ imo, baseline, current, value, now, memory }) {
    const { reference, polls } = memory;
    const was = reference && reference.at > baseline.at ? { ...baseline, ...reference } : baseline;
    if (hasMoved(was, current, { value, now })) {
      if (value.isScaled && polls + 1 < damping.consecutivePolls)
        return { events: [], memory: { reference, polls: polls + 1 } };
      const kind = etaShiftMs(was, current) > 0 ? 'eta-slipped' : 'eta-advanced';
      return { events: [{ kind, imo, was, now: current }], memory: { reference, polls: 0 } };
    }
    const { eta } = current;
    const hasComeNear = eta !== null && isFar(was.eta, was.at) && !isFar(eta, now);
    return { events: [], memory: { reference: hasComeNear ? { eta, at: now } : reference, polls: 0 } };
  },
  stillExpected: ({ imo, was, current, value, now }) =>
    hasMoved(was, current, { value, now }) ? [{ kind: 'expected-eta-moved', imo, was, now: current }] : [],
  view({ was, now: current }, { now }) {
    const shiftMs = etaShiftMs(was, current);
    const shift = `${roundedDuration(Math.round(Math.abs(shiftMs) / millisecondsInMinute))} ${shiftMs > 0 ? 'later' : 'earlier'}`;
    const before = was.eta ? shortTimeAt(was.port, was.eta, now) : 'ETA not given';
    const after = current.eta ? shortTimeAt(current.port, current.eta, now) : 'ETA not given';
    return {
      headline: `ETA ${portName(current.port)} ${shift}, ${percent(current.probability)}`,
      figures: [...etaFigures(current, now), ...formerEta(was, current, now)],
      what: `ETA ${shift}`,
      change: `${before} → ${after}`,
      eta: etaInWords(current, now),
    };
  },
});

function hasMoved(
  was: Baseline,
  current: Prospect,
  { value: { hours, isScaled }, now }: { value: Threshold; now: Date },
): boolean {
  if (!was.eta || !current.eta) return false;
  const shiftHours = Math.abs(etaShiftMs(was, current)) / millisecondsInHour;
  if (!isScaled) return shiftHours >= hours;
  // The nearer ETA counts, so a call that slips beyond ten days is still notified.
  const hoursLeft = hoursUntil(min([was.eta, current.eta]), now);
  if (hoursLeft > maxHours) return false;
  // Of a call that has just come within ten days: what was left when its ETA was last notified.
  const scaledHours = share * (isFar(was.eta, was.at) ? hoursUntil(was.eta, was.at) : hoursLeft);
  return shiftHours >= Math.max(hours, scaledHours);
}

const isFar = (eta: Date | null, at: Date): boolean => eta !== null && hoursUntil(eta, at) > maxHours;

const hoursUntil = (eta: Date, now: Date): number => differenceInMilliseconds(eta, now) / millisecondsInHour;

/** Positive if the ETA is later than at the baseline, 0 if one of the two is unknown. */
const etaShiftMs = (was: Baseline, current: Prospect): number =>
  was.eta && current.eta ? differenceInMilliseconds(current.eta, was.eta) : 0;

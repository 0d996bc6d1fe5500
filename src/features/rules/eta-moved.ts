import { millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import { roundedDuration } from '../../answers/formatting/times.ts';
import { percent } from '../../answers/formatting/words.ts';
import { etaShiftMs, hasEtaMoved, isFar } from '../../predictions/changes.ts';
import { thresholds } from '../../predictions/thresholds.ts';
import { portName } from '../../reference/ports.ts';
import { date, prospect } from '../../reference/prediction.ts';
import { baseline, damping } from './evaluation/state.ts';
import { etaFigures, etaInWords, formerEta, shortTimeAt } from './event-text.ts';
import { defineRule, hoursRule, isLatestAtPort, isLatestOf, vesselEvent } from './rule.ts';

const moved = { was: baseline, now: prospect };

/** In hours, at any distance. Of the default the larger of `hours` and 5% of the time left, within ten days of the ETA. */
const threshold = z.object({ hours: z.number().positive(), isScaled: z.boolean() });
type Threshold = z.output<typeof threshold>;

const { etaHours: defaultHours, daysAhead } = thresholds.alert;

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
    hint: `Empty: ${defaultHours} h, within ${daysAhead} days of the ETA.`,
    text: ({ hours }) => String(hours),
  },
  help: `the ETA has moved by this much since the last alert; by default ${defaultHours} h, once it is within ${daysAhead} days`,
  tick: (value, { isPort }) => `${isPort ? "A vessel's ETA" : 'The ETA'} moves by ${value.hours} h or more`,
  words: (value, { isPort }) =>
    `${isPort ? "a vessel's ETA" : 'the ETA'} moves by ${value.hours} h or more${value.isScaled ? `, once it is within ${daysAhead} days` : ''}`,
  brief: ({ hours }) => `ETA ${hours} h`,
  isThreshold: true,
  event: z.union([
    vesselEvent('eta-slipped', moved),
    vesselEvent('eta-advanced', moved),
    vesselEvent('expected-eta-moved', moved),
  ]),
  memory,
  isCurrent: (event, after) =>
    event.kind === 'expected-eta-moved' ? isLatestAtPort(after) : isLatestOf(event.now, after),
  differs: ({ hours }) => ({ etaCheckHours: hours }),
  evaluate({ imo, baseline, current, value, now, memory, isPort }) {
    const { reference, polls } = memory;
    const was = reference && reference.at > baseline.at ? { ...baseline, ...reference } : baseline;
    const seen = { eta: current.eta, at: now };
    if (hasEtaMoved(was, seen, columnOf(value))) {
      if (value.isScaled && polls + 1 < damping.consecutivePolls)
        return { events: [], memory: { reference, polls: polls + 1 } };
      const direction = etaShiftMs(was, current) > 0 ? 'eta-slipped' : 'eta-advanced';
      const kind = isPort ? 'expected-eta-moved' : direction;
      return { events: [{ kind, imo, was, now: current }], memory: { reference, polls: 0 } };
    }
    const { eta } = seen;
    if (eta && isFar(was, daysAhead) && !isFar(seen, daysAhead))
      return { events: [], memory: { reference: { eta, at: now }, polls: 0 } };
    return { events: [], ...(polls > 0 && { memory: { reference, polls: 0 } }) };
  },
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

/** The default takes moves by the table, what is typed counts at any distance. */
const columnOf = ({ hours, isScaled }: Threshold) => ({
  ...(isScaled ? thresholds.alert : { etaShare: 0, daysAhead: Number.POSITIVE_INFINITY }),
  etaHours: hours,
});

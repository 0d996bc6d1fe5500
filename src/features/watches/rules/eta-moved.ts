import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { differenceInMilliseconds } from 'date-fns/differenceInMilliseconds';
import { z } from 'zod';
import { percent } from '../../../messages/formatting/probability.ts';
import { duration } from '../../../messages/formatting/times.ts';
import { portName } from '../../../reference/ports.ts';
import { type Prospect, prospect } from '../../../reference/stored-values.ts';
import { type Baseline, baseline } from '../evaluation/state.ts';
import { etaFigures, etaInWords, formerEta, shortTimeAt } from '../views/event-text.ts';
import { defineRule, vesselEvent } from './rule.ts';
import { hoursRule } from './rule-parts.ts';

const moved = { was: baseline, now: prospect };

/** The ETA has moved since the baseline, in either direction, at once or little by little. */
export const etaMoved = defineRule({
  key: 'etaHours',
  appliesTo: 'both',
  ...hoursRule({
    word: 'eta',
    pattern: 'eta(?: (?:moves?|changes?|shifts?))?(?: by)?(?: (?:at least|more than))?',
    defaultValue: 12,
    label: 'The ETA moves by … hours',
  }),
  help: 'the ETA has moved by this much since the last alert',
  tick: (value, { isPort }) => `The ETA${isPort ? ' of one' : ''} moves by ${value} h or more`,
  words: (value, { isPort }) => `the ETA${isPort ? ' of one' : ''} moves by ${value} h`,
  brief: (value) => `ETA ${value} h`,
  isThreshold: true,
  event: z.union([
    vesselEvent('eta-slipped', moved),
    vesselEvent('eta-advanced', moved),
    vesselEvent('expected-eta-moved', moved),
  ]),
  evaluate({ imo, baseline: was, current, value }) {
    const shiftMs = etaShiftMs(was, current);
    if (Math.abs(shiftMs) < value * millisecondsInHour) return { events: [] };
    return { events: [{ kind: shiftMs > 0 ? 'eta-slipped' : 'eta-advanced', imo, was, now: current }] };
  },
  stillExpected({ imo, was, current, value }) {
    const hasMoved = Math.abs(etaShiftMs(was, current)) >= value * millisecondsInHour;
    return hasMoved ? [{ kind: 'expected-eta-moved', imo, was, now: current }] : [];
  },
  view({ was, now: current }, { now }) {
    const shiftMs = etaShiftMs(was, current);
    const shift = `${duration(Math.round(Math.abs(shiftMs) / millisecondsInMinute))} ${shiftMs > 0 ? 'later' : 'earlier'}`;
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

/** Positive if the ETA is later than at the baseline, 0 if one of the two is unknown. */
const etaShiftMs = (was: Baseline, current: Prospect): number =>
  was.eta && current.eta ? differenceInMilliseconds(current.eta, was.eta) : 0;

import { millisecondsInHour } from 'date-fns/constants';
import { z } from 'zod';
import { prospect } from '../../../reference/stored-values.ts';
import { baseline } from '../evaluation/state.ts';
import { etaText, lastNotified, listedText, movedBy, percent, portText } from '../views/event-text.ts';
import { defineRule, vesselEvent } from './rule.ts';
import { hoursRule } from './rule-parts.ts';

const moved = { was: baseline, now: prospect };

/** The ETA has moved since the baseline, in either direction. Slow drift adds up. */
export const etaMoved = defineRule({
  key: 'etaHours',
  appliesTo: 'both',
  ...hoursRule({
    word: 'eta',
    pattern: 'eta(?: moves)?(?: by)?',
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
    const movedMs = current.eta && was.eta ? current.eta.getTime() - was.eta.getTime() : 0;
    if (Math.abs(movedMs) < value * millisecondsInHour) return { events: [] };
    return { events: [{ kind: movedMs > 0 ? 'eta-slipped' : 'eta-advanced', imo, was, now: current }] };
  },
  stillExpected({ imo, was, current, value }) {
    const movedMs = current.eta && was.eta ? Math.abs(current.eta.getTime() - was.eta.getTime()) : 0;
    return movedMs < value * millisecondsInHour
      ? []
      : [{ kind: 'expected-eta-moved', imo, was, now: current }];
  },
  view({ kind, imo, was, now: current }, context) {
    const isLater = (current.eta?.getTime() ?? 0) > (was.eta?.getTime() ?? 0);
    const subject =
      kind === 'expected-eta-moved' ? `${listedText(imo, context)}: ETA` : `ETA ${portText(current)}`;
    return {
      headline: `${subject} is ${movedBy(was, current)} ${isLater ? 'later' : 'earlier'}`,
      startsWithName: true,
      rest: `, ${percent(current.probability)}.`,
      details: [`${etaText(current, context.now)}. ${lastNotified(was, context.now)}`],
      isAboutEta: true,
    };
  },
});

import { z } from 'zod';
import { untilEta } from '../../answers/formatting/times.ts';
import { percent } from '../../answers/formatting/words.ts';
import { isOverdue } from '../../predictions/changes.ts';
import { thresholds } from '../../predictions/thresholds.ts';
import { portName } from '../../reference/ports.ts';
import { prospect } from '../../reference/prediction.ts';
import { etaInWords, portChance, timeAt } from './event-text.ts';
import { defineRule, hoursRule, isLatestOf, vesselEvent } from './rule.ts';

const event = vesselEvent('overdue', { now: prospect, hours: z.number(), call: z.number() });

/** The ETA has passed by this many hours, but the port is still predicted. Alerts again only after a future ETA. */
export const overdue = defineRule({
  key: 'overdueHours',
  appliesTo: 'vessels',
  ...hoursRule({
    word: 'overdue',
    pattern: 'overdue(?: by| after)?',
    defaultValue: thresholds.alert.overdueHours,
    label: 'Overdue by … hours',
  }),
  help: 'the ETA passed this long ago, and the port is still predicted',
  tick: (value) => `Overdue: the ETA passed ${value} h ago`,
  words: (value) => `the ETA passed ${value} h ago, and the port is still predicted`,
  brief: (value) => `overdue ${value} h`,
  event,
  isCritical: () => true,
  isCurrent: ({ now: call }, after) => isLatestOf(call, after),
  differs: (overdueHours) => ({ overdueHours }),
  // True after an alert, or if the vessel was overdue when the baseline was taken.
  memory: z.boolean().default(false),
  begin: ({ memory, current, value, now }) =>
    memory || (value !== null && isOverdue(current.eta, value, now)),
  evaluate({ imo, current, call, memory: isNotified, value, now }) {
    if (!current.eta) return { events: [] };
    if (current.eta > now) return { events: [], memory: false };
    if (isNotified || !isOverdue(current.eta, value, now)) return { events: [] };
    return { events: [{ kind: 'overdue', imo, now: current, hours: value, call }], memory: true };
  },
  view: ({ now: current, hours }, { now }) => {
    const port = portName(current.port);
    const past = current.eta && current.eta < now ? untilEta(current.eta, now) : `${hours} h past ETA`;
    return {
      headline: `Overdue at ${port}: ${past}`,
      aside: `still forecast, ${percent(current.probability)}`,
      figures: current.eta ? [`ETA ${timeAt(current.port, current.eta, now)}`] : [],
      what: 'Overdue',
      change: `${past}, ${portChance(current)}`,
      eta: etaInWords(current, now),
    };
  },
});

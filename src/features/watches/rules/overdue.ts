import { addHours } from 'date-fns/addHours';
import { z } from 'zod';
import { percent } from '../../../messages/formatting/probability.ts';
import { prospect } from '../../../reference/stored-values.ts';
import { etaText, portText } from '../views/event-text.ts';
import { defineRule, vesselEvent } from './rule.ts';
import { hoursRule } from './rule-parts.ts';

const event = vesselEvent('overdue', { now: prospect, hours: z.number(), call: z.number() });

/** The ETA has passed by this many hours, but the port is still predicted. Alerts again only after a future ETA. */
export const overdue = defineRule({
  key: 'overdueHours',
  appliesTo: 'vessels',
  ...hoursRule({
    word: 'overdue',
    pattern: 'overdue(?: by| after)?',
    defaultValue: 6,
    label: 'Overdue by … hours',
  }),
  help: 'the ETA has passed by this much, and the port is still predicted',
  tick: (value) => `Overdue: the ETA has passed by ${value} h`,
  words: (value) => `the ETA has passed by ${value} h`,
  brief: (value) => `overdue ${value} h`,
  event,
  isCritical: () => true,
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
  view: ({ now: current, hours }, { now }) => ({
    headline: `Overdue at ${portText(current)}`,
    rest: `: the ETA passed ${hours} h ago or more, and it is still predicted, ${percent(current.probability)}.`,
    details: [`${etaText(current, now)}.`],
  }),
});

const isOverdue = (eta: Date | null, hours: number, now: Date): boolean =>
  eta !== null && now >= addHours(eta, hours);

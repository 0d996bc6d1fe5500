import { z } from 'zod';
import { date } from '../evaluation/values.ts';
import { stamp } from '../views/event-text.ts';
import { flag } from './flag-rule.ts';
import { defineRule } from './rule.ts';

/** No answer of the service for three intervals. */
export const stale = defineRule({
  key: 'stale',
  appliesTo: 'both',
  ...flag({ typed: 'stale', when: 'the service does not answer' }),
  help: "the service doesn't answer",
  event: z.object({ kind: z.literal('stale'), since: date }),
  failed: (since) => [{ kind: 'stale', since }],
  view: ({ since }, { now }) => ({
    headline: `The analytics service has not answered since ${stamp(since, now)}`,
    details: ['What the card shows is older. You will be notified of changes when it answers again.'],
  }),
});

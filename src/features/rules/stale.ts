import { z } from 'zod';
import { date } from '../../reference/prediction.ts';
import { stamp } from './event-text.ts';
import { defineRule, flagRule } from './rule.ts';

/** The service hasn't answered for three intervals. */
export const stale = defineRule({
  key: 'stale',
  appliesTo: 'both',
  ...flagRule({ typed: 'stale', when: "the service doesn't answer" }),
  help: "the service doesn't answer",
  event: z.object({ kind: z.literal('stale'), since: date }),
  isCurrent: (_, { state }) => state.stale,
  failed: (since) => [{ kind: 'stale', since }],
  view: ({ since }, { now }) => ({
    headline: `The analytics service has not answered since ${stamp(since, now)}`,
    figures: ['What the card shows is older; changes are posted when the service answers again'],
    what: 'Service not answering',
    change: `since ${stamp(since, now)}`,
  }),
});

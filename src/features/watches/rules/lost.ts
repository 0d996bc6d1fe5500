import { z } from 'zod';
import { prospect } from '../../../reference/stored-values.ts';
import { baseline } from '../evaluation/state.ts';
import { etaText, lastNotified, prospectText } from '../views/event-text.ts';
import { defineRule, vesselEvent } from './rule.ts';
import { flagRule } from './rule-parts.ts';

/** A vessel's predictions have ended, or begun again. */
export const lost = defineRule({
  key: 'lost',
  appliesTo: 'vessels',
  ...flagRule({ typed: 'lost', when: 'there is no prediction any more, or one again' }),
  help: 'there are no predictions any more, or there are again',
  event: z.union([
    vesselEvent('prediction-lost', { was: baseline }),
    vesselEvent('prediction-back', { was: baseline.nullable(), next: prospect }),
  ]),
  lost: (poll) => [{ kind: 'prediction-lost', ...poll }],
  back: (poll) => [{ kind: 'prediction-back', ...poll }],
  view(event, { now }) {
    const details = event.was ? [lastNotified(event.was, now)] : [];
    if (event.kind === 'prediction-lost') return { headline: 'No prediction any more', details };
    return {
      headline: `Predicted again: next port ${prospectText(event.next)}`,
      details: [[`${etaText(event.next, now)}.`, ...details].join(' ')],
    };
  },
});

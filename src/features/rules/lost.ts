import { z } from 'zod';
import { percent } from '../../answers/formatting/words.ts';
import { portName } from '../../reference/ports.ts';
import { prospect } from '../../reference/prediction.ts';
import { baseline } from './evaluation/state.ts';
import { etaFigures, etaInWords, portChance, timeAt } from './event-text.ts';
import { defineRule, flagRule, isStillNext, vesselEvent } from './rule.ts';

/** A vessel's predictions have ended, or begun again. */
export const lost = defineRule({
  key: 'lost',
  appliesTo: 'vessels',
  ...flagRule({ typed: 'lost', when: 'predictions end, or begin again' }),
  help: 'predictions end, or begin again',
  event: z.union([
    vesselEvent('prediction-lost', { was: baseline }),
    vesselEvent('prediction-back', { was: baseline.nullable(), next: prospect }),
  ]),
  isCurrent: (event, after) =>
    event.kind === 'prediction-lost' ? (after.vessel?.lost ?? true) : isStillNext(event.next, after),
  lost: (poll) => [{ kind: 'prediction-lost', ...poll }],
  back: (poll) => [{ kind: 'prediction-back', ...poll }],
  view(event, { now }) {
    const { was } = event;
    const before = was
      ? [`was ${portChance(was)}`, ...(was.eta ? [timeAt(was.port, was.eta, now)] : [])]
      : [];
    if (event.kind === 'prediction-lost') {
      return {
        headline: 'No prediction any more',
        figures: before,
        what: 'No prediction',
        ...(was && { change: `${portChance(was)} → none` }),
      };
    }
    const { next } = event;
    return {
      headline: `Predicted again: ${portName(next.port)}, ${percent(next.probability)}`,
      figures: [...etaFigures(next, now), ...before],
      what: 'Predicted again',
      change: portChance(next),
      eta: etaInWords(next, now),
      isRoutine: true,
    };
  },
});

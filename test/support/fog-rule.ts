import { z } from 'zod';
import { percent } from '../../src/answers/formatting/words.ts';
import { baseline } from '../../src/features/rules/evaluation/state.ts';
import { defineRule, vesselEvent } from '../../src/features/rules/rule.ts';
import { portName } from '../../src/reference/ports.ts';
import { prospect } from '../../src/reference/prediction.ts';

const take = (words: string) => {
  const match = /(?:^|\s)fog (\d{1,2})$/i.exec(words);
  return match ? { rest: words.slice(0, match.index), value: Number(match[1]) } : undefined;
};

/** A rule that exists only in tests: the probability of the baseline's port jumps, either way. Twice in a call at most. */
export const fog = defineRule({
  key: 'fogPoints',
  appliesTo: 'vessels',
  schema: z.number().nullable(),
  defaultValue: 30,
  off: null,
  typed: 'fog 30',
  help: 'the probability jumps by so many points',
  take,
  format: (points) => `fog ${points}`,
  resolve: (points) => points,
  field: {
    id: 'fog',
    label: 'The probability jumps by … points',
    placeholder: '30',
    text: String,
  },
  tick: (points) => `Fog: the probability jumps by ${points} points`,
  words: (points) => `the probability jumps by ${points} points`,
  brief: (points) => `fog ${points}`,
  isThreshold: true,
  event: vesselEvent('fog', { was: baseline, now: prospect }),
  isCritical: () => true,
  isCurrent: () => true,
  memory: z.number().default(0),
  evaluate({ imo, baseline: was, current, memory: times, value }) {
    const points = Math.round(Math.abs(current.probability - was.probability) * 100);
    if (points < value || times === 2) return { events: [] };
    return { events: [{ kind: 'fog', imo, was, now: current }], memory: times + 1 };
  },
  view: ({ was, now: current }) => ({
    headline: `Fog at ${portName(current.port)}: ${percent(current.probability)}`,
    aside: `was ${percent(was.probability)}`,
    what: 'Fog',
  }),
});

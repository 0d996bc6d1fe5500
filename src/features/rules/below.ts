import { z } from 'zod';
import { percent } from '../../answers/formatting/words.ts';
import { type LineHelp, optionOf } from '../../grammar/line.ts';
import { thresholds } from '../../predictions/thresholds.ts';
import {
  armedIf,
  disputeEvent,
  disputeMemory,
  disputeText,
  isOpenDispute,
  isTooFar,
  nextPoll,
} from './dispute.ts';
import { damping } from './evaluation/state.ts';
import { badRule, defineRule, readNumber } from './rule.ts';

const defaultThreshold = thresholds.alert.below;

const take = optionOf(
  /(?:^|\s)(?:(?:probability )?(?:below|under|less than)|<) ?(\S+?) ?(?:%|percent)?$/i,
  readProbability,
);

/** The probability (0 to 1) of the baseline's port falls under a threshold. The rule is armed again well above it. */
export const below = defineRule({
  key: 'below',
  appliesTo: 'vessels',
  schema: z.number().min(0).max(1).nullable(),
  defaultValue: defaultThreshold,
  off: null,
  typed: 'below 40%',
  help: 'the probability has fallen under this',
  take,
  question: {
    words: '(?:probability )?(?:below|under|less than)',
    asks: 'which probability?',
    fixes: ['below 30%', 'below 40%', 'below 50%'],
  },
  format: (value) => `below ${Math.round(value * 100)}%`,
  resolve: (value) => value,
  field: {
    id: 'below',
    label: 'The probability falls under … %',
    placeholder: String(defaultThreshold * 100),
    text: (value) => String(Math.round(value * 100)),
  },
  tick: (value) => `The probability falls under ${percent(value)}`,
  words: (value) => `the probability falls under ${percent(value)}`,
  brief: (value) => `under ${percent(value)}`,
  isThreshold: true,
  event: disputeEvent('unlikely'),
  isCurrent: isOpenDispute,
  differs: (below) => ({ below }),
  memory: disputeMemory,
  begin: ({ current, value }) => armedIf(value !== null && current.probability >= value),
  /** Doesn't alert while another port leads: that port then becomes the next one within two polls. */
  evaluate({ imo, baseline: was, current, isOnTop, rival, isDisputed, memory, value: below, now }) {
    const { probability } = current;
    const polled = nextPoll(memory, {
      isDisputed: isDisputed && probability < below,
      isTrue: isOnTop && probability < below && !isTooFar(current, now),
      isClear: probability >= Math.min(1, below + damping.rearm),
    });
    if (!polled.isConfirmed) return { events: [], memory: polled.memory };
    const facts = { imo, was, since: now, now: current, below, ...(rival && { other: rival }) };
    return { events: [{ kind: 'unlikely', ...facts }], memory: polled.memory };
  },
  view: (event, { now }) => disputeText(event, now),
});

function readProbability([text, typed = '']: RegExpExecArray, help: LineHelp): number {
  const percentage = readNumber(typed);
  if (Number.isInteger(percentage) && percentage >= 1 && percentage <= 99) return percentage / 100;
  const expected = 'the probability is a whole percentage from 1% to 99%';
  throw badRule({ text, expected, fix: 'below 40%' }, help);
}

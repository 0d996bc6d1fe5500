import { z } from 'zod';
import type { LineHelp } from '../../../grammar/line-help.ts';
import { optionOf } from '../../../grammar/options.ts';
import { isUndecided, percent, percentUnder } from '../../../messages/formatting/probability.ts';
import { portName } from '../../../reference/ports.ts';
import { prospect } from '../../../reference/stored-values.ts';
import { damping } from '../evaluation/damping.ts';
import { baseline } from '../evaluation/state.ts';
import { etaFigures, etaInWords, formerEta, portChance } from '../views/event-text.ts';
import { defineRule, vesselEvent } from './rule.ts';
import { badRule, readNumber } from './rule-parts.ts';

const event = vesselEvent('probability-fell', {
  was: baseline,
  now: prospect,
  below: z.number(),
  /** The likeliest other port. */
  other: z.exactOptional(prospect),
});

const defaultThreshold = 0.5;

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
    instruction: 'Write a whole percentage from 1 to 99, such as 40.',
  },
  tick: (value) => `The probability falls under ${percent(value)}`,
  words: (value) => `the probability falls under ${percent(value)}`,
  brief: (value) => `under ${percent(value)}`,
  isThreshold: true,
  event,
  // Whether the rule is armed.
  memory: z.boolean().default(false),
  begin: ({ current, value }) => value !== null && current.probability >= value,
  /**
   * Doesn't alert while two ports waver, since the followers know that, or while another port leads, since the next
   * port then changes within two polls.
   */
  evaluate({ imo, baseline: was, current, isOnTop, rival, isWavering, memory: isArmed, value }) {
    if (isWavering) return { events: [] };
    const { probability } = current;
    if (!isArmed) return { events: [], memory: probability >= Math.min(1, value + damping.rearm) };
    if (probability >= value || !isOnTop) return { events: [] };
    const facts = { imo, was, now: current, below: value, ...(rival && { other: rival }) };
    return { events: [{ kind: 'probability-fell', ...facts }], memory: false };
  },
  view({ was, now: current, below, other }, { now }) {
    const port = portName(current.port);
    const threshold = percent(below);
    const probability = percentUnder(current.probability, below);
    const isUndecidedNow = other !== undefined && isUndecided(current.probability, other.probability);
    const fell = `${was.probability < below ? 'again ' : ''}under ${threshold}`;
    const former = percent(was.probability);
    return {
      headline: isUndecidedNow
        ? `Undecided: ${port} ${probability} or ${portChance(other)}`
        : `${port} ${fell}: now ${probability}`,
      aside: isUndecidedNow ? `${port} ${fell}, was ${former}` : `was ${former}`,
      figures: [
        ...etaFigures(current, now),
        ...formerEta(was, current, now),
        ...(other && !isUndecidedNow ? [portChance(other)] : []),
      ],
      what: isUndecidedNow ? 'Undecided' : `Under ${threshold}`,
      change: isUndecidedNow
        ? `${port} ${probability} or ${portChance(other)}`
        : `${port} ${former} → ${probability}`,
      eta: etaInWords(current, now),
    };
  },
});

function readProbability([text, typed = '']: RegExpExecArray, help: LineHelp): number {
  const percentage = readNumber(typed);
  if (Number.isInteger(percentage) && percentage >= 1 && percentage <= 99) return percentage / 100;
  const expected = 'the probability is a whole percentage from 1% to 99%';
  throw badRule({ text, expected, fix: 'below 40%' }, help);
}

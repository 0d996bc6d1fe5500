import { subHours } from 'date-fns/subHours';
import { z } from 'zod';
import { percent } from '../../answers/formatting/words.ts';
import { type LineHelp, optionOf } from '../../grammar/line.ts';
import { portName } from '../../reference/ports.ts';
import { prospect } from '../../reference/prediction.ts';
import type { Memory } from './evaluation/state.ts';
import { etaFigures, etaInWords, portChance } from './event-text.ts';
import { badRule, defineRule, isLatestOf, maxHours, readNumber, vesselEvent } from './rule.ts';

const event = vesselEvent('arriving', { now: prospect, hours: z.number(), call: z.number() });

/** The thresholds (hours) that have passed. */
const memory = z.array(z.number()).default([]);

const key = 'arrivingHours';
const usualHours: readonly number[] = [24];
const maxThresholds = 5;

const take = optionOf(
  /(?:^|\s)arriving(?: in| within)? ((?:\d|[\s,/.]|h(?:rs?|ours?)?|and|before|eta)+)$/i,
  readThresholds,
);

/** Alerts this many hours before the ETA, once each per port call. If a poll passes several, it alerts once. */
export const arriving = defineRule({
  key,
  appliesTo: 'vessels',
  schema: z.array(z.number().positive()).readonly(),
  defaultValue: [] as readonly number[],
  usualValue: usualHours,
  isOnForOneVessel: true,
  off: [],
  typed: 'arriving 72h,24h',
  help: 'this long before the ETA, once each; by default 24 h for one vessel, and off for several',
  take,
  question: {
    words: 'arriving(?: in| within)?',
    asks: 'how many hours before the ETA?',
    fixes: ['arriving 24h', 'arriving 72h,24h'],
  },
  format: (hours) => `arriving ${hours.map((hour) => `${hour}h`).join(',')}`,
  resolve: (hours) => hours,
  normalize: longestFirst,
  field: {
    id: 'arriving',
    label: 'Arriving: hours before the ETA',
    placeholder: usualHours.join(', '),
    text: (hours) => hours.join(', '),
  },
  tick: (hours) => `Arriving: ${hours.join(', ')} h before the ETA`,
  words: (hours) =>
    `the ETA is ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(hours.map(String))} h away`,
  brief: (hours) => `${hours.join(', ')} h before ETA`,
  isThreshold: true,
  event,
  moves: 'own memory',
  /** Until a shorter threshold has passed. */
  isCurrent: ({ now: call, hours }, after) =>
    isLatestOf(call, after) &&
    !passedThresholds(after.vessel?.calls[call.port]?.memory).some((passed) => passed < hours),
  memory,
  begin: ({ memory, current, value, now }) => [...new Set([...memory, ...passedAt(current.eta, value, now)])],
  evaluate({ imo, current, call, memory: passed, value, now }) {
    const newlyPassed = passedAt(current.eta, value, now).filter((hours) => !passed.includes(hours));
    const shortest = newlyPassed.at(-1);
    if (shortest === undefined) return { events: [] };
    const isEtaAhead = current.eta && current.eta > now;
    return {
      events: isEtaAhead ? [{ kind: 'arriving', imo, now: current, hours: shortest, call }] : [],
      memory: [...passed, ...newlyPassed],
    };
  },
  view: ({ now: current, hours }, { now }) => ({
    headline: `Under ${hours} h to ${portName(current.port)}, ${percent(current.probability)}`,
    figures: etaFigures(current, now),
    what: `Under ${hours} h to port`,
    change: portChance(current),
    eta: etaInWords(current, now),
    isRoutine: true,
  }),
});

/** Of a port call, from what all rules remember of it. */
const passedThresholds = (ofCall: Memory = {}): readonly number[] => memory.safeParse(ofCall[key]).data ?? [];

function longestFirst(hours: readonly number[]): readonly number[] {
  return [...new Set(hours)].sort((a, b) => b - a);
}

function passedAt(eta: Date | null, thresholds: readonly number[], now: Date): number[] {
  return eta ? thresholds.filter((hours) => now >= subHours(eta, hours)) : [];
}

function readThresholds([text, typed = '']: RegExpExecArray, help: LineHelp): readonly number[] {
  const numbers = typed
    .split(/[\s,/]+|\band\b/i)
    .filter((piece) => !/^(?:|h|hrs?|hours?|before|eta)$/i.test(piece));
  const hours = numbers.map((piece) => readNumber(piece.replace(/(?:h|hrs?|hours?)$/i, '')));
  const isValid = hours.every((hour) => Number.isInteger(hour) && hour >= 1 && hour <= maxHours);
  const thresholds = longestFirst(hours);
  if (isValid && thresholds.length >= 1 && thresholds.length <= maxThresholds) return thresholds;
  const expected = `it takes one to ${maxThresholds} numbers of hours before the ETA, each from 1 to ${maxHours}`;
  throw badRule({ text, expected, fix: 'arriving 72h,24h' }, help);
}

import { addHours } from 'date-fns/addHours';
import { z } from 'zod';
import { percent, percentUnder, rivalInWords } from '../../answers/formatting/words.ts';
import { UserError } from '../../errors.ts';
import { dueExample, formatDue, takeDue } from '../../grammar/due.ts';
import { cleanLine } from '../../grammar/line.ts';
import { hasProbablyCalled, rivalOf } from '../../predictions/next-port.ts';
import {
  type Due,
  dueKey,
  isEarly,
  isLate,
  isTooUnlikely,
  isWithinBy,
  minimumOf,
  openSince,
  portBefore,
  prospectFor,
} from '../../predictions/promises.ts';
import { canonicalPort, portLabel, portName } from '../../reference/ports.ts';
import { date, type Prospect, prospect } from '../../reference/prediction.ts';
import { dueSchema, dueText, dueTime, resolveDue } from './due-words.ts';
import { damping, type Memory as RuleMemory } from './evaluation/state.ts';
import { etaFigures, etaInWords, shortTimeAt } from './event-text.ts';
import {
  defineRule,
  type FieldContext,
  formHelp,
  type Poll,
  type TypingContext,
  vesselEvent,
} from './rule.ts';
import { apart } from './standing.ts';

const event = vesselEvent('due', {
  due: dueSchema,
  /** Null if the port is not predicted. */
  now: prospect.nullable(),
  /** The likeliest port, if that is another. */
  first: z.exactOptional(prospect),
  reasons: z.array(z.enum(['late', 'early', 'unlikely'])),
});
type Reason = z.output<typeof event>['reasons'][number];

/** For each promise: which alerts are armed, and the last ETA there. */
const memory = z
  .record(
    z.string(),
    z.object({
      lateArmed: z.boolean(),
      /** Left out for a promise without a window. */
      earlyArmed: z.exactOptional(z.boolean()),
      unlikelyArmed: z.boolean(),
      /** Since when it has been in time, and likely enough. */
      inTimeSince: z.exactOptional(date),
      likelySince: z.exactOptional(date),
      eta: date.nullable(),
      /** In the last answer. */
      isLikely: z.exactOptional(z.boolean()),
    }),
  )
  .default({});
type Memory = z.output<typeof memory>;
type DueMemory = Memory[string];

/** The value of an Undo button holds all that a watch has of its own, in at most 2,000 characters. */
const maxDueDates = 8;
const ruleKey = 'due';
const maxDatesInBrief = 3;

/**
 * The ETA leaves the time that a promise gives, or its port becomes unlikely. Each alert is armed again later. The value
 * are the watch's own promises; while it is evaluated, all that apply to the vessel.
 */
export const due = defineRule({
  key: ruleKey,
  appliesTo: 'vessels',
  schema: z.array(dueSchema).readonly(),
  defaultValue: [],
  off: [],
  typed: dueExample,
  help: 'the ETA there becomes later than this, or the port unlikely; also due NLRTM friday 06:00-14:00, 14:00 UTC, 14:00 Singapore time, ±6h, min 80%',
  take: takeDue,
  question: {
    words: 'due(?: (?:in|at|to))?',
    asks: 'where, and by when?',
    fixes: [],
  },
  format: (dates) => dates.map(formatDue).join(' '),
  resolve: (dates, context) => dates.map((words) => resolveDue(words, context)),
  field: {
    id: 'due',
    label: 'Due dates',
    placeholder: 'NLRTM friday 18:00',
    hint: "One per line, in the port's local time. You are notified when the ETA passes it, or the port becomes unlikely.",
    isMultiline: true,
    maxLength: 600,
    text: (dates, { now }) => dates.map((date) => dueText(date, now)).join('\n'),
    read: readDates,
  },
  words: (dates, { now }) =>
    dates.map(
      (date) =>
        `the ETA at ${portLabel(date.port)} ${date.earliest ? 'leaves' : 'passes'} ${dueTime(date, now)}, or that port becomes unlikely`,
    ),
  brief: (dates, { now }) =>
    dates.length > maxDatesInBrief
      ? `${dates.length} due dates`
      : dates.map((date) => `due ${portLabel(date.port)} ${dueTime(date, now)}`),
  isThreshold: true,
  event,
  isCritical: () => true,
  isCurrent: ({ due }, { now }) => due.at >= openSince(now),
  differs: (due) => ({ due }),
  identity: ({ due }) => dueKey(due),
  memory,
  observe: (poll) =>
    Object.fromEntries(
      entriesOf(poll).map(({ due, before, current }) => [
        dueKey(due),
        { ...before, eta: etaOf(current, before, poll.now), isLikely: !isTooUnlikely(due, current) },
      ]),
    ),
  evaluateRanking(poll) {
    const { imo } = poll;
    const [first] = poll.ranked;
    const evaluated = entriesOf(poll).map((entry) => ({ ...entry, ...evaluateEntry(entry, poll) }));
    return {
      events: evaluated
        .filter(({ reasons }) => reasons.length > 0)
        .map(({ due, current = null, reasons }) => ({
          ...{ kind: 'due', imo, due, now: current, reasons },
          ...(first && first.port !== canonicalPort(due.port) && { first }),
        })),
      memory: Object.fromEntries(evaluated.map(({ due, after }) => [dueKey(due), after])),
    };
  },
  shown: (memory) =>
    Object.values(memory).map(({ lateArmed, earlyArmed, isLikely }) => [lateArmed, earlyArmed, isLikely]),
  view({ due, now: current, first, reasons }, { now }) {
    const { port } = due;
    const name = portName(port);
    const promised = dueTime(due, now);
    const ranked = [first ?? [], current ?? []].flat();
    const found = rivalOf(ranked, port);
    const rival = found ? [rivalInWords(found)] : [];
    if (!current)
      return {
        headline: `Due date at risk: ${name} is not predicted`,
        figures: [`due ${promised}`, ...rival],
        what: 'Due date at risk',
        change: `${name}: not predicted`,
      };
    const facts = {
      figures: [...etaFigures(current, now), `due ${shortDue(due, now)}`, ...rival],
      eta: etaInWords(current, now),
    };
    const side = reasons.includes('late') ? 'late' : reasons.includes('early') ? 'early' : undefined;
    if (side === undefined || !current.eta) {
      const least = minimumOf(due);
      const probability = percentUnder(current.probability, least);
      const promisedShare = due.minimum === undefined ? '' : `, promised ${percent(least)}`;
      return {
        ...facts,
        headline: `Due date at risk: ${name} only ${probability}${promisedShare}`,
        what: 'Due date at risk',
        change: `${name} ${probability}`,
      };
    }
    const isAfter = side === 'late';
    const by = apart(current.eta, isAfter ? due.at : (due.earliest ?? due.at));
    const what = due.earliest ? 'window' : 'due date';
    return {
      ...facts,
      headline: `${name} ${by} ${isAfter ? 'after' : 'before'} your ${what}, ${percent(current.probability)}`,
      what: `${by} ${isAfter ? 'after' : 'before'} ${what}`,
      change: `due ${shortDue(due, now)} → ${shortTimeAt(port, current.eta, now)}`,
    };
  },
});

/** Beside an ETA, which says whose clock it is. */
const shortDue = (due: Due, now: Date): string =>
  due.earliest ? dueTime(due, now).replace(/ (?:LT|UTC)$/, '') : shortTimeAt(due.port, due.at, now);

interface Entry {
  due: Due;
  before: DueMemory;
  current: Prospect | undefined;
}

const entriesOf = ({ ranked, memory, value, now }: Poll<readonly Due[], Memory>): Entry[] =>
  value.map((due) => {
    const current = prospectFor(due, ranked);
    return { due, current, before: memory[dueKey(due)] ?? initialMemory(due, { ranked, now }) };
  });

/** A port that is no longer predicted keeps its ETA only if it was probably called at. */
const etaOf = (current: Prospect | undefined, before: DueMemory, now: Date): Date | null => {
  if (current) return current.eta ?? before.eta;
  return hasProbablyCalled(before.eta, now) ? before.eta : null;
};

/** Whether a port that is no longer predicted was, from what all rules remember of the vessel. */
export const wasProbablyCalled = (due: Due, ofVessel: RuleMemory = {}): boolean =>
  Boolean(memory.safeParse(ofVessel[ruleKey]).data?.[dueKey(due)]?.eta);

/** If the ETA has already passed a new due date, that isn't news. If the port isn't predicted yet, a late ETA is. */
function initialMemory(due: Due, { ranked, now }: At): DueMemory {
  const current = prospectFor(due, ranked);
  const isLikely = !isTooUnlikely(due, current);
  return {
    lateArmed: !current || !isLate(due, current),
    ...(due.earliest && { earlyArmed: !current || !isEarly(due, current) }),
    unlikelyArmed: isLikely || portBefore(due, ranked) !== undefined,
    ...(isLikely && { likelySince: now }),
    eta: current?.eta ?? null,
  };
}

type At = Pick<Poll<readonly Due[], Memory>, 'ranked' | 'now'>;

function evaluateEntry({ due, before, current }: Entry, { ranked, now }: At) {
  const reasons: Reason[] = [];
  const { inTimeSince, ...time } = evaluateTime({ due, before, current }, { now, reasons });
  const { unlikelyArmed, likelySince } = evaluateProbability(
    { due, before, current },
    { ranked, now, reasons },
  );
  const { inTimeSince: _, likelySince: __, ...rest } = before;
  const after: DueMemory = {
    ...{ ...rest, ...time, unlikelyArmed },
    ...(inTimeSince && { inTimeSince }),
    ...(likelySince && { likelySince }),
  };
  return { reasons, after };
}

interface Found {
  now: Date;
  reasons: Reason[];
}

/** A promise that lists have called in order for this long alerts again when it breaks. */
const isSettled = (since: Date | undefined, now: Date): boolean =>
  since !== undefined && addHours(since, damping.settledHours) <= now;

function evaluateProbability(
  { due, before, current }: Entry,
  { ranked, now, reasons }: At & Found,
): Pick<DueMemory, 'unlikelyArmed' | 'likelySince'> {
  // Without a prediction, the port has probably been reached.
  const isArmed = before.unlikelyArmed && (current !== undefined || !before.eta);
  const { likelySince = now } = before;
  if (isTooUnlikely(due, current)) {
    // Until it has been likely, a call before it explains that.
    if (!before.likelySince && portBefore(due, ranked)) return { unlikelyArmed: isArmed };
    if (isArmed) reasons.push('unlikely');
    return { unlikelyArmed: false };
  }
  const rearmed = Math.min(1, minimumOf(due) + damping.rearm);
  const isClear = (current?.probability ?? 0) >= rearmed || isSettled(likelySince, now);
  return { unlikelyArmed: isArmed || isClear, likelySince };
}

/** Adds the reasons, and returns what is armed. */
function evaluateTime(
  { due, before, current }: Entry,
  { now, reasons }: Found,
): Pick<DueMemory, 'lateArmed' | 'earlyArmed' | 'inTimeSince'> {
  const { lateArmed, earlyArmed } = before;
  if (!current?.eta) return { lateArmed, ...(earlyArmed !== undefined && { earlyArmed }) };
  const [isTooLate, isTooEarly] = [isLate(due, current), isEarly(due, current)];
  if (lateArmed && isTooLate) reasons.push('late');
  if (earlyArmed && isTooEarly) reasons.push('early');
  const inTimeSince = isTooLate || isTooEarly ? undefined : (before.inTimeSince ?? now);
  const isInTime = isWithinBy(due, current.eta, damping.rearmDueHours) || isSettled(inTimeSince, now);
  return {
    ...(inTimeSince && { inTimeSince }),
    lateArmed: !isTooLate && (lateArmed || isInTime),
    ...(earlyArmed !== undefined && { earlyArmed: !isTooEarly && (earlyArmed || isInTime) }),
  };
}

/** An unchanged line keeps its stored date, even a date in the past. */
function readDates(text: string, { opened, ...context }: FieldContext<readonly Due[]>): readonly Due[] {
  const storedDates = new Map(opened.text.split('\n').map((line, index) => [line, opened.value[index]]));
  const lines = text
    .split(/[\n;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const dates = lines.flatMap((line) => storedDates.get(line) ?? newDates(line, context));
  checkDueDates(dates);
  return dates;
}

/** Throws UserError if a watch would have too many due dates. */
export function checkDueDates({ length }: readonly Due[]): void {
  if (length > maxDueDates)
    throw new UserError({ code: 'bad-rule', message: `A watch can have at most ${maxDueDates} due dates.` });
}

function newDates(line: string, { now, dateOrder }: TypingContext): readonly Due[] {
  const typed = cleanLine(line).replace(/^due\s+/i, '');
  const taken = takeDue(`due ${typed}`, () => ({ ...formHelp, dateOrder }));
  return taken?.value.map((words) => resolveDue(words, { now })) ?? [];
}

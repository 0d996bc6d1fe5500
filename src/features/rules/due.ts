import { TZDate } from '@date-fns/tz';
import { addHours } from 'date-fns/addHours';
import { differenceInMinutes } from 'date-fns/differenceInMinutes';
import { format } from 'date-fns/format';
import { z } from 'zod';
import { duration } from '../../answers/formatting/times.ts';
import { percent, percentUnder, rivalInWords } from '../../answers/formatting/words.ts';
import { UserError } from '../../errors.ts';
import {
  cleanLine,
  type LineHelp,
  type LineOption,
  optionOf,
  quote,
  wordsError,
} from '../../grammar/line.ts';
import { formatMoment, type Moment, momentShape, parseMoment, resolveMoment } from '../../grammar/moment.ts';
import { formatPort, parsePort } from '../../grammar/port.ts';
import { type DueDate, isLate, prospectFor, thresholds } from '../../predictions/changes.ts';
import { hasProbablyCalled, rivalOf } from '../../predictions/next-port.ts';
import type { Locode } from '../../reference/codes.ts';
import { canonicalPort, portLabel, portName, portOf } from '../../reference/ports.ts';
import { date, locode, type Prospect, prospect } from '../../reference/prediction.ts';
import { damping, type Memory as RuleMemory } from './evaluation/state.ts';
import { etaFigures, etaInWords, shortTimeAt, timeAt } from './event-text.ts';
import {
  defineRule,
  type FieldContext,
  formHelp,
  type Poll,
  type TypingContext,
  vesselEvent,
} from './rule.ts';

const dueDate = z.object({ port: locode, at: date });

const event = vesselEvent('due', {
  due: dueDate,
  /** Null if the port is not predicted. */
  now: prospect.nullable(),
  /** The likeliest port, if that is another. */
  first: z.exactOptional(prospect),
  reasons: z.array(z.enum(['late', 'unlikely'])),
});

/** For each due date (by its port and time): which alerts are armed, and the last ETA there. */
const memory = z
  .record(
    z.string(),
    z.object({
      lateArmed: z.boolean(),
      unlikelyArmed: z.boolean(),
      eta: date.nullable(),
      /** In the last answer. */
      isLikely: z.exactOptional(z.boolean()),
    }),
  )
  .default({});
type Memory = z.output<typeof memory>;
type DueMemory = Memory[string];

/** The value of an Undo button holds all due dates of a watch, in at most 2,000 characters. */
const maxDueDates = 8;
const dueKey = 'due';
const maxDatesInBrief = 3;

const takeLast = optionOf(/(?<=^|\s)due(?: (?:in|at|to))? ((?:(?!\sdue\s).)+)$/is, readDue);

/** Takes one or several due dates in a row. */
const take: LineOption<readonly DueWords[]> = (words, helpFor) => {
  const dates: DueWords[] = [];
  let rest = words;
  for (let last = takeLast(rest, helpFor); last; last = takeLast(rest, helpFor)) {
    dates.unshift(last.value);
    rest = last.rest.trimEnd().replace(/[,;]$/, '');
  }
  return dates.length === 0 ? undefined : { rest, value: dates };
};

/** The ETA passes a date that the user gave, or the port becomes unlikely. Each alert is armed again later. */
export const due = defineRule({
  key: dueKey,
  appliesTo: 'vessels',
  schema: z.array(dueDate).readonly(),
  defaultValue: [],
  off: [],
  typed: 'due NLRTM 27 Nov 18:00',
  help: 'the ETA there becomes later than this, or the port unlikely',
  take,
  question: {
    words: 'due(?: (?:in|at|to))?',
    asks: 'where, and by when?',
    fixes: [],
  },
  format: (dates) => dates.map(({ port, by }) => `due ${formatPort(port)} ${formatMoment(by)}`).join(' '),
  resolve: (dates, context) => dates.map((words) => resolveDue(words, context)),
  field: {
    id: 'due',
    label: 'Due dates',
    placeholder: 'NLRTM 27 Nov 18:00',
    hint: "One per line, in the port's local time. You are notified when the ETA passes it, or the port becomes unlikely.",
    isMultiline: true,
    maxLength: 600,
    text: (dates, { now }) => dates.map((due) => fieldText(due, now)).join('\n'),
    read: readDates,
  },
  words: (dates, { now }) =>
    dates.map(
      ({ port, at }) =>
        `the ETA at ${portLabel(port)} passes ${timeAt(port, at, now)}, or that port becomes unlikely`,
    ),
  brief: (dates, { now }) =>
    dates.length > maxDatesInBrief
      ? `${dates.length} due dates`
      : dates.map(({ port, at }) => `due ${portLabel(port)} ${timeAt(port, at, now)}`),
  isThreshold: true,
  event,
  isCritical: () => true,
  isCurrent: ({ due }, { now }) => now <= due.at,
  differs: (due) => ({ due }),
  identity: ({ due }) => keyOf(due),
  memory,
  observe: (poll) =>
    Object.fromEntries(
      entriesOf(poll).map(({ due, before, current }) => [
        keyOf(due),
        { ...before, eta: etaOf(current, before, poll.now), isLikely: isLikely(current) },
      ]),
    ),
  evaluateRanking(poll) {
    const { imo } = poll;
    const [first] = poll.ranked;
    const evaluated = entriesOf(poll).map((entry) => ({ ...entry, ...evaluateEntry(entry) }));
    return {
      events: evaluated
        .filter(({ reasons }) => reasons.length > 0)
        .map(({ due, current = null, reasons }) => ({
          ...{ kind: 'due', imo, due, now: current, reasons },
          ...(first && first.port !== canonicalPort(due.port) && { first }),
        })),
      memory: Object.fromEntries(evaluated.map(({ due, after }) => [keyOf(due), after])),
    };
  },
  shown: (memory) => Object.values(memory).map(({ lateArmed, isLikely }) => [lateArmed, isLikely]),
  view({ due: { port, at }, now: current, first, reasons }, { now }) {
    const name = portName(port);
    const dueText = `due ${shortTimeAt(port, at, now)}`;
    const ranked = [first ?? [], current ?? []].flat();
    const found = rivalOf(ranked, port);
    const rival = found ? [rivalInWords(found)] : [];
    if (!current)
      return {
        headline: `Due date at risk: ${name} is not predicted`,
        figures: [`due ${timeAt(port, at, now)}`, ...rival],
        what: 'Due date at risk',
        change: `${name}: not predicted`,
      };
    const facts = {
      figures: [...etaFigures(current, now), dueText, ...rival],
      eta: etaInWords(current, now),
    };
    if (!reasons.includes('late') || !current.eta) {
      const probability = percentUnder(current.probability, thresholds.alert.likely);
      return {
        ...facts,
        headline: `Due date at risk: ${name} only ${probability}`,
        what: 'Due date at risk',
        change: `${name} ${probability}`,
      };
    }
    const late = duration(Math.max(1, differenceInMinutes(current.eta, at)));
    return {
      ...facts,
      headline: `${name} ${late} after your due date, ${percent(current.probability)}`,
      what: `${late} after due date`,
      change: `${dueText} → ${shortTimeAt(port, current.eta, now)}`,
    };
  },
});

const keyOf = ({ port, at }: DueDate): string => `${port} ${at.toISOString()}`;

interface Entry {
  due: DueDate;
  before: DueMemory;
  current: Prospect | undefined;
}

const entriesOf = ({ ranked, memory, value }: Poll<readonly DueDate[], Memory>): Entry[] =>
  value.map((due) => {
    const current = prospectFor(due, ranked);
    return { due, current, before: memory[keyOf(due)] ?? initialMemory(due, current) };
  });

/** A port that is no longer predicted keeps its ETA only if it was probably called at. */
const etaOf = (current: Prospect | undefined, before: DueMemory, now: Date): Date | null => {
  if (current) return current.eta ?? before.eta;
  return hasProbablyCalled(before.eta, now) ? before.eta : null;
};

/** Of a port that is no longer predicted, from what all rules remember of the vessel. */
export const wasProbablyCalled = (due: DueDate, ofVessel: RuleMemory = {}): boolean =>
  Boolean(memory.safeParse(ofVessel[dueKey]).data?.[keyOf(due)]?.eta);

const isLikely = (current: Prospect | undefined): boolean =>
  current !== undefined && current.probability >= thresholds.alert.likely;

/** If the ETA has already passed a new due date, that isn't news. If the port isn't predicted yet, a late ETA is. */
const initialMemory = (due: DueDate, current: Prospect | undefined): DueMemory => ({
  lateArmed: !current || !isLate(due, current),
  unlikelyArmed: isLikely(current),
  eta: current?.eta ?? null,
});

function evaluateEntry({ due, before, current }: Entry): {
  reasons: ('late' | 'unlikely')[];
  after: DueMemory;
} {
  const reasons: ('late' | 'unlikely')[] = [];
  let { lateArmed, unlikelyArmed } = before;
  if (current?.eta) {
    const isTooLate = isLate(due, current);
    if (lateArmed && isTooLate) reasons.push('late');
    const isInTime = addHours(current.eta, damping.rearmDueHours) <= due.at;
    lateArmed = !isTooLate && (lateArmed || isInTime);
  }
  // The port has probably been reached.
  if (!current && before.eta) unlikelyArmed = false;
  const probability = current?.probability ?? 0;
  if (unlikelyArmed && !isLikely(current)) reasons.push('unlikely');
  unlikelyArmed =
    isLikely(current) && (unlikelyArmed || probability >= thresholds.alert.likely + damping.rearm);
  return { reasons, after: { ...before, lateArmed, unlikelyArmed } };
}

interface DueWords {
  port: Locode;
  /** In that port's local time. */
  by: Moment;
}

const dueShape = new RegExp(`^(.+?)[ ,]+(${momentShape})$`, 'i');

/** Reads `due <port> <day> <time>`. */
function readDue([, typed = '']: RegExpExecArray, help: LineHelp): DueWords {
  const [, portWords = '', by = ''] = dueShape.exec(typed) ?? [];
  if (by === '') {
    const message = `${quote(`due ${typed}`)} is missing a port, or a date after it.`;
    const hint = 'Write it like “due NLRTM 27 Nov 18:00”, in the local time of that port.';
    throw wordsError('bad-rule', message, help, { hint });
  }
  const port = parsePort(portWords.replace(/ (?:by|on|before|until)$/i, ''), {
    ...help,
    line: (fixed) => help.line(`due ${fixed} ${by}`),
  });
  const line = (fixed: string) => help.line(`due ${formatPort(port)} ${fixed}`);
  return { port, by: parseMoment(by, { ...help, line }) };
}

const maxDaysAhead = 400;

function resolveDue({ port, by }: DueWords, { now, example }: Omit<TypingContext, 'zone'>): DueDate {
  const at = resolveMoment(by, { now, zone: portOf(port)?.zone ?? 'UTC' });
  if (at > now && at <= addHours(now, 24 * maxDaysAhead)) return { port, at };
  throw new UserError({
    code: 'bad-rule',
    message: `${quote(formatMoment(by))} at ${portLabel(port)} ${at <= now ? 'is in the past' : `is more than ${maxDaysAhead} days away`}.`,
    hint: "A due date must be in the future. It is read in the port's local time.",
    ...(example && { example: example('due NLRTM 27 Nov 18:00') }),
  });
}

/** Shows the year if the day alone could be read as a day of another year. */
function fieldText({ port, at }: DueDate, now: Date): string {
  const isSoon = at > now && at < addHours(now, 24 * 300);
  const local = new TZDate(at, portOf(port)?.zone ?? 'UTC');
  return `${port} ${format(local, isSoon ? 'd MMM HH:mm' : 'yyyy-MM-dd HH:mm')}`;
}

/** An unchanged line keeps its stored date, even a date in the past. */
function readDates(
  text: string,
  { opened, ...context }: FieldContext<readonly DueDate[]>,
): readonly DueDate[] {
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
export function checkDueDates({ length }: readonly DueDate[]): void {
  if (length > maxDueDates)
    throw new UserError({ code: 'bad-rule', message: `A watch can have at most ${maxDueDates} due dates.` });
}

function newDates(line: string, { now, dateOrder }: TypingContext): readonly DueDate[] {
  const typed = cleanLine(line).replace(/^due\s+/i, '');
  const taken = take(`due ${typed}`, () => ({ ...formHelp, dateOrder }));
  return taken?.value.map((words) => resolveDue(words, { now })) ?? [];
}

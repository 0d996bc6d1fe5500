import { TZDate } from '@date-fns/tz';
import { millisecondsInDay } from 'date-fns/constants';
import { format } from 'date-fns/format';
import { z } from 'zod';
import { UserError } from '../../../errors.ts';
import { cleanLine } from '../../../grammar/clean.ts';
import { quote } from '../../../grammar/line-help.ts';
import {
  formatMoment,
  type Moment,
  momentShape,
  parseMoment,
  resolveMoment,
} from '../../../grammar/moment.ts';
import type { Take } from '../../../grammar/options.ts';
import { formatPort, parsePort } from '../../../grammar/port.ts';
import type { Locode } from '../../../reference/locode.ts';
import { canonicalPort, portLabel, portOf } from '../../../reference/ports.ts';
import { damping } from '../evaluation/damping.ts';
import { isNear } from '../evaluation/next-port.ts';
import { date, hourMs, locode, type Prospect, prospect } from '../evaluation/values.ts';
import { etaText, percent, portText, timeAt } from '../views/event-text.ts';
import { type FieldContext, formHelp } from './figure-field.ts';
import { defineRule, type Poll, vesselEvent } from './rule.ts';

const dueDate = z.object({ port: locode, at: date });
export type DueDate = z.output<typeof dueDate>;

const event = vesselEvent('due', {
  due: dueDate,
  /** Null when the port is not predicted. */
  now: prospect.nullable(),
  reasons: z.array(z.enum(['late', 'unlikely'])),
});

/** By due date (port and time): which alerts are still armed, and the last ETA there. */
const memory = z
  .record(z.string(), z.object({ lateArmed: z.boolean(), unlikelyArmed: z.boolean(), eta: date.nullable() }))
  .default({});
type Memory = z.output<typeof memory>;
type DueMemory = Memory[string];

/** The value of an Undo button, at most 2,000 characters, holds all of them. */
const maxDueDates = 8;
const maxDatesInBrief = 3;

/** A date that the user gave: the ETA passes it, or the port becomes unlikely. Each re-arms later. */
export const due = defineRule({
  key: 'due',
  appliesTo: 'vessels',
  schema: z.array(dueDate).readonly(),
  defaultValue: [],
  off: [],
  typed: 'due NLRTM 27 Nov 18:00',
  help: 'the ETA there becomes later than this, or the port unlikely',
  take,
  format: (dates) => dates.map(({ port, by }) => `due ${formatPort(port)} ${formatMoment(by)}`).join(' '),
  resolve: (dates, { now }) => dates.map((words) => resolveDue(words, now)),
  field: {
    id: 'due',
    label: 'Due dates',
    placeholder: 'NLRTM 27 Nov 18:00',
    hint: "One per line, in the port's local time. You are notified when the ETA passes it, or the port becomes unlikely.",
    isMultiline: true,
    maxLength: 600,
    text: (dates, { now }) => dates.map((one) => fieldText(one, now)).join('\n'),
    read: readField,
  },
  words: (dates, { now }) =>
    dates.map(
      ({ port, at }) => `${portLabel(port)} is later than ${timeAt(port, at, now)}, or becomes unlikely`,
    ),
  brief: (dates, { now }) =>
    dates.length > maxDatesInBrief
      ? `${dates.length} due dates`
      : dates.map(({ port, at }) => `due ${portLabel(port)} ${timeAt(port, at, now)}`),
  isThreshold: true,
  event,
  isCritical: () => true,
  identity: ({ due: { port, at } }) => `${port} ${at.toISOString()}`,
  memory,
  /** A new date doesn't alert by being added; the last ETA is remembered. */
  observe: (poll) => entriesOf(poll, (known, _, current) => ({ ...known, eta: current?.eta ?? known.eta })),
  evaluateAny(poll) {
    const { imo, now } = poll;
    const events: z.output<typeof event>[] = [];
    const memory = entriesOf(poll, (known, one, current) => {
      const checked = check(known, { due: one, current, now });
      if (checked.reasons.length > 0) {
        events.push({ kind: 'due', imo, due: one, now: current ?? null, reasons: checked.reasons });
      }
      return checked.memory;
    });
    return { events, memory };
  },
  shown: (dates) => Object.values(dates).map(({ lateArmed, unlikelyArmed }) => [lateArmed, unlikelyArmed]),
  view({ due: { port, at }, now: current, reasons }, { now }) {
    const label = portText({ port });
    const asked = `You asked for ${label} by ${timeAt(port, at, now)}.`;
    if (!current)
      return { headline: `Your due date is at risk: ${label} is not predicted`, details: [asked] };
    const isLate = reasons.includes('late');
    return {
      headline: isLate
        ? `Later than your due date: ETA ${label}`
        : `Your due date is at risk: ${label} is unlikely`,
      rest: `, ${percent(current.probability)}${isLate ? '' : ' now'}.`,
      details: [`${etaText(current, now)}. ${asked}`],
    };
  },
});

function entriesOf(
  { ranked, memory, value }: Poll<readonly DueDate[], Memory>,
  next: (known: DueMemory, due: DueDate, current: Prospect | undefined) => DueMemory,
): Memory {
  const entries = value.map((one) => {
    const key = `${one.port} ${one.at.toISOString()}`;
    const current = ranked.find(({ port }) => port === canonicalPort(one.port));
    return [key, next(memory[key] ?? firstMemory(one, current), one, current)];
  });
  return Object.fromEntries(entries);
}

const isLateFor = ({ at }: DueDate, { eta }: Prospect): boolean => eta !== null && eta > at;

/** What is true when the date is added doesn't alert; a port that is not yet predicted may still come late. */
const firstMemory = (due: DueDate, current: Prospect | undefined): DueMemory => ({
  lateArmed: !current || !isLateFor(due, current),
  unlikelyArmed: current !== undefined && current.probability >= damping.likely,
  eta: current?.eta ?? null,
});

function check(
  known: DueMemory,
  { due, current, now }: { due: DueDate; current: Prospect | undefined; now: Date },
): { reasons: ('late' | 'unlikely')[]; memory: DueMemory } {
  const reasons: ('late' | 'unlikely')[] = [];
  let { lateArmed, unlikelyArmed } = known;
  if (current?.eta) {
    const isLate = isLateFor(due, current);
    if (lateArmed && isLate) reasons.push('late');
    const isInTime = current.eta.getTime() <= due.at.getTime() - damping.rearmDueHours * hourMs;
    lateArmed = isLate ? false : lateArmed || isInTime;
  }
  if (!current && isNear(known.eta, now)) unlikelyArmed = false;
  const probability = current?.probability ?? 0;
  if (unlikelyArmed && probability < damping.likely) reasons.push('unlikely');
  unlikelyArmed =
    probability < damping.likely ? false : unlikelyArmed || probability >= damping.likely + damping.rearm;
  return { reasons, memory: { lateArmed, unlikelyArmed, eta: current?.eta ?? known.eta } };
}

interface DueWords {
  port: Locode;
  /** By the wall clock of that port. */
  by: Moment;
}

/** One or several in a row, each `due <port> <day> <time>`. */
function take(...[words, helpFor]: Parameters<Take<readonly DueWords[]>>) {
  const found: DueWords[] = [];
  let rest = words;
  for (let piece = lastDue(rest); piece; piece = lastDue(rest)) {
    const help = helpFor(piece.before);
    const [, place = '', by = ''] = dueShape.exec(piece.typed) ?? [];
    if (by === '') {
      throw new UserError({
        code: 'bad-rule',
        message: `${quote(`due ${piece.typed}`)} is missing a port, or a date after it.`,
        hint: 'Write it like “due NLRTM 27 Nov 18:00”, in the local time of that port.',
        example: help.example,
      });
    }
    const port = parsePort(place.replace(/ (?:by|on|before|until)$/i, ''), {
      ...help,
      line: (fixed) => help.line(`due ${fixed} ${by}`),
    });
    const moment = parseMoment(by, {
      ...help,
      line: (fixed) => help.line(`due ${formatPort(port)} ${fixed}`),
    });
    found.unshift({ port, by: moment });
    rest = piece.before.trimEnd().replace(/[,;]$/, '');
  }
  return found.length === 0 ? undefined : { rest, value: found };
}

const dueShape = new RegExp(`^(.+?)[ ,]+(${momentShape})$`, 'i');

function lastDue(words: string): { before: string; typed: string } | undefined {
  const [, before, typed = ''] = /^((?:.*\s)?)due(?: (?:in|at|to))? (.+)$/is.exec(words) ?? [];
  return before === undefined ? undefined : { before, typed };
}

const maxDaysAhead = 400;

function resolveDue({ port, by }: DueWords, now: Date): DueDate {
  const at = resolveMoment(by, { now, zone: portOf(port)?.zone ?? 'UTC' });
  const daysAhead = (at.getTime() - now.getTime()) / millisecondsInDay;
  if (daysAhead > 0 && daysAhead <= maxDaysAhead) return { port, at };
  throw new UserError({
    code: 'bad-rule',
    message: `${quote(formatMoment(by))} at ${portLabel(port)} ${daysAhead <= 0 ? 'is in the past' : `is more than ${maxDaysAhead} days away`}.`,
    hint: "A due date must be in the future. It is read in the port's local time.",
    example: 'watch 9461477 due NLRTM 27 Nov 18:00',
  });
}

/** With the year where the day alone would mean another one. */
function fieldText({ port, at }: DueDate, now: Date): string {
  const isSoon = at > now && at.getTime() - now.getTime() < 300 * millisecondsInDay;
  const local = new TZDate(at, portOf(port)?.zone ?? 'UTC');
  return `${port} ${format(local, isSoon ? 'd MMM HH:mm' : 'yyyy-MM-dd HH:mm')}`;
}

/** An unchanged line keeps its stored date, even if that has passed. */
function readField(text: string, { opened, now }: FieldContext<readonly DueDate[]>): readonly DueDate[] {
  const before = new Map(opened.text.split('\n').map((line, index) => [line, opened.value[index]]));
  const lines = text
    .split(/[\n;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const dates = lines.flatMap((line) => before.get(line) ?? newDates(line, now));
  checkDueDates(dates);
  return dates;
}

export function checkDueDates({ length }: readonly DueDate[]): void {
  if (length > maxDueDates)
    throw new UserError({ code: 'bad-rule', message: `A watch can have at most ${maxDueDates} due dates.` });
}

function newDates(line: string, now: Date): readonly DueDate[] {
  const typed = cleanLine(line).replace(/^due\s+/i, '');
  return take(`due ${typed}`, () => formHelp)?.value.map((words) => resolveDue(words, now)) ?? [];
}

import { isDeepStrictEqual } from 'node:util';
import { TZDate } from '@date-fns/tz';
import { millisecondsInDay } from 'date-fns/constants';
import { format } from 'date-fns/format';
import { UserError } from '../../../errors.ts';
import { cleanLine } from '../../../grammar/clean.ts';
import type { LineHelp } from '../../../grammar/line-help.ts';
import type { Take } from '../../../grammar/options.ts';
import { portOf } from '../../../reference/ports.ts';
import { rulesOf } from '../commands/add-watch.ts';
import { type DueDate, defaultRules, type QuietHours, type Rules } from '../evaluation/rules.ts';
import { mostDueDates } from '../service/add-watch.ts';
import type { WatchesContext } from '../services.ts';
import { portTold, type RuleFigures, type Told, vesselTold } from '../views/watch-form.ts';
import { plainEvents, type RuleWords, ruleBounds, ruleOptions } from '../words/rules.ts';

export const toldBy = (isPort: boolean): readonly Told[] => (isPort ? portTold : vesselTold);

/** What is ticked for these rules. */
export function ticksOf(rules: Rules, { isPort }: { isPort: boolean }): Told[] {
  return toldBy(isPort).filter((rule) => {
    const value = rules[rule];
    return typeof value === 'object' && value !== null ? value.length > 0 : Boolean(value);
  });
}

/** As they would be typed; '' for what is as by default. */
export function figuresOf(rules: Rules, { now, zone }: { now: Date; zone: string | undefined }): RuleFigures {
  const { etaHours, below, arrivingHours, overdueHours, due, quiet, untilNextPort } = rules;
  const own = <T>(value: T, usual: T, text: string) => (isDeepStrictEqual(value, usual) ? '' : text);
  return {
    eta: own(etaHours, defaultRules.etaHours, textOf(etaHours)),
    below: own(below, defaultRules.below, textOf(below === null ? null : Math.round(below * 100))),
    arriving: own([...arrivingHours], [...defaultRules.arrivingHours], arrivingHours.join(', ')),
    overdue: own(overdueHours, defaultRules.overdueHours, textOf(overdueHours)),
    due: due.map((date) => dueText(date, now)).join('\n'),
    quiet: quiet ? quietText(quiet, zone) : '',
    ends: untilNextPort,
  };
}

const textOf = (value: number | null): string => (value === null ? '' : String(value));

/** With the year where the day alone would mean another one. */
function dueText({ port, at }: DueDate, now: Date): string {
  const isNear = at > now && at.getTime() - now.getTime() < 300 * millisecondsInDay;
  const local = new TZDate(at, portOf(port)?.zone ?? 'UTC');
  return `${port} ${format(local, isNear ? 'd MMM HH:mm' : 'yyyy-MM-dd HH:mm')}`;
}

const quietText = ({ from, to, zone }: QuietHours, own: string | undefined): string =>
  `${from}-${to}${zone === own ? '' : ` ${zone}`}`;

export interface ReadFigures {
  eta: number | undefined;
  below: number | undefined;
  arriving: readonly number[] | undefined;
  overdue: number | undefined;
  due: readonly DueDate[];
  quiet: QuietHours | null;
}

interface Typed {
  figures: RuleFigures;
  /** What stood there when the form was opened, and what it meant: left as it was, it means the same. */
  first: RuleFigures;
  base: Rules;
}

type Reading = Pick<WatchesContext, 'now' | 'actor'>;

/** By the grammar of the command, field by field. Each throws UserError. */
export function figureReaders({ figures, first, base }: Typed, context: Reading) {
  const { maxHours, maxThresholds } = ruleBounds;
  const hours = `Write a number of hours from 1 to ${maxHours}, such as`;
  return {
    eta: () => figure(figures.eta, { before: 'eta', take: ruleOptions.etaHours.take, right: `${hours} 6.` }),
    below: () =>
      figure(figures.below, {
        before: 'below',
        take: ruleOptions.belowPercent.take,
        right: 'Write a whole percentage from 1 to 99, such as 40.',
      }),
    arriving: () =>
      figure(figures.arriving, {
        before: 'arriving',
        take: ruleOptions.arrivingHours.take,
        right: `Write one to ${maxThresholds} numbers of hours from 1 to ${maxHours}, such as 72, 24.`,
      }),
    overdue: () =>
      figure(figures.overdue, {
        before: 'overdue',
        take: ruleOptions.overdueHours.take,
        right: `${hours} 6.`,
      }),
    due: () => dueDates(figures.due, { first: first.due, base: base.due }, context),
    quiet: (): QuietHours | null => {
      if (figures.quiet === first.quiet) return base.quiet;
      const typed = figure(figures.quiet, {
        before: 'quiet',
        take: ruleOptions.quiet.take,
        right: 'Write it from one time of the day to another: 22:00-06:00.',
      });
      return typed ? rulesOf({ quiet: typed }, context).quiet : null;
    },
  };
}

/** The rules that ticks and figures mean; what this kind of watch has no field for stays as in `base`. */
export function rulesOfFields(
  read: ReadFigures,
  { told, isPort, ends, base }: { told: readonly Told[]; isPort: boolean; ends: boolean; base: Rules },
  context: Reading,
): Rules {
  const isTold = (rule: Told) => told.includes(rule);
  const usual = defaultRules;
  const isNamed = {
    'next port': isTold('nextPort'),
    unlisted: isTold('noLongerListed'),
    lost: isTold('lost'),
    stale: isTold('stale'),
    expected: isTold('expected'),
  };
  const words: RuleWords = {
    only: true,
    events: plainEvents.filter((event) => isNamed[event]),
    ...(isTold('etaHours') && { etaHours: read.eta ?? usual.etaHours ?? 12 }),
    ...(isTold('below') && { belowPercent: read.below ?? Math.round((usual.below ?? 0.5) * 100) }),
    ...(isTold('arrivingHours') && { arrivingHours: read.arriving ?? usual.arrivingHours }),
    ...(isTold('overdueHours') && { overdueHours: read.overdue ?? usual.overdueHours ?? 6 }),
    ...(ends && { untilNextPort: true }),
  };
  const chosen = { ...rulesOf(words, context), due: read.due, quiet: read.quiet };
  if (!isPort) return { ...chosen, expected: base.expected };
  const { expected, etaHours, stale, quiet } = chosen;
  return { ...base, expected, etaHours, stale, quiet };
}

/** What was changed in the form, put on the rules as they are by now. */
export function withChanges(current: Rules, { from, to }: { from: Rules; to: Rules }): Rules {
  const changed = Object.entries(to).filter(
    // The keys of `to` are those of all rules.
    ([rule, value]) => !isDeepStrictEqual(value, from[rule as keyof Rules]),
  );
  return { ...current, ...Object.fromEntries(changed) };
}

const help: LineHelp = { line: (fixed) => fixed, example: 'watch 9461477 eta 6h' };

function figure<T>(
  text: string,
  { before, take, right }: { before: string; take: Take<T>; right: string },
): T | undefined {
  const typed = cleanLine(text);
  if (typed === '') return undefined;
  const taken = taking(() => take(`${before} ${typed}`, () => help));
  if (taken && taken.rest.trim() === '') return taken.value;
  throw new UserError({ code: 'bad-rule', message: right });
}

/** The field has words of its own for what is wrong. */
function taking<T>(take: () => T): T | undefined {
  try {
    return take();
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

function dueDates(
  text: string,
  { first, base }: { first: string; base: readonly DueDate[] },
  context: Reading,
): DueDate[] {
  const kept = new Map(first.split('\n').map((line, index) => [line, base[index]]));
  const lines = text
    .split(/[\n;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const dates = lines.flatMap((line) => kept.get(line) ?? newDueDates(line, context));
  if (dates.length <= mostDueDates) return dates;
  throw new UserError({ code: 'bad-rule', message: `A watch has at most ${mostDueDates} due dates.` });
}

function newDueDates(line: string, context: Reading): readonly DueDate[] {
  const typed = cleanLine(line).replace(/^due\s+/i, '');
  const taken = ruleOptions.due.take(`due ${typed}`, () => help);
  return rulesOf({ due: taken?.value ?? [] }, context).due;
}

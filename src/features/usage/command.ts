import type { UsageMonth } from '../../analytics/usage.ts';
import { UserError } from '../../errors.ts';
import { isoMonth } from '../../grammar/dates.ts';
import { formatPage, joinWords, pageOption, scanOptions } from '../../grammar/options.ts';
import { parseMonth } from '../../grammar/parse-period.ts';
import { formatPeriod, type Period } from '../../grammar/period.ts';
import { resolveMonth } from '../../grammar/resolve-period.ts';
import { monthName } from '../../messages/formatting/times.ts';
import { defineCommand } from '../command.ts';
import {
  addMonths,
  askNewestUsage,
  askTrend,
  askUsageOf,
  firstUsageMonth,
  isBefore,
  type UsageContext,
  type UsageServices,
} from './answer.ts';
import { usageQuestions } from './questions.ts';
import { type UsageAnswer, usageView } from './view.ts';

interface UsageArgs {
  /** Left out: the current month, or the newest one with entries. */
  month?: Period;
  page: number;
}

const example = 'usage last month';

export const usage = defineCommand<UsageArgs, UsageAnswer, UsageServices>({
  name: 'usage',
  summary: 'What this API account was used for in a month',
  usage: '[month]',
  examples: ['usage', example, 'usage 2026-10'],
  questions: usageQuestions,
  repeatable: true,
  privacy: 'internal',
  parse,
  format,
  run,
  view: usageView,
});

function parse(words: string): UsageArgs {
  const { rest, values, help } = scanOptions(words, { page: pageOption }, { command: 'usage', example });
  const page = values.page ?? 1;
  if (rest === '') return { page };
  return { month: parseMonth(rest, { ...help, earliest: isoMonth(firstUsageMonth) }), page };
}

function format({ month, page }: UsageArgs): string {
  return joinWords('usage', month && formatPeriod(month), formatPage(page));
}

/** A relative month such as `last month` is resolved in the zone of the person who asks. */
async function run(args: UsageArgs, context: UsageContext): Promise<UsageAnswer> {
  if (context.settings.usageVisibleTo === 'admins' && !context.actor.isAdmin) throw adminsOnly();
  const clock = { now: context.now(), zone: context.actor.zone ?? 'UTC' };
  const current = resolveMonth({ kind: 'month', offset: 0 }, clock);
  const month = args.month && resolveMonth(args.month, clock);
  if (month && isBefore(current, month)) throw notYet(month);
  const trendEnd = AbortSignal.timeout(trendEndMs);
  const report = month ? await askUsageOf(month, context) : await askNewestUsage(current, context);
  return {
    kind: 'usage',
    line: format(args),
    ...report,
    trend: await askTrend(report, context, { end: trendEnd }),
    isRunning: !isBefore(report, current),
    insteadOfCurrent: !month && isBefore(report, current),
    neighbours: neighboursOf(report, current),
    page: args.page,
  };
}

/** After the start. A report that took this long is answered without the other months, before a command's 15 s are over. */
const trendEndMs = 10_000;

/** The lines for the month before and the month after, if the service has a report of it. */
function neighboursOf(shown: UsageMonth, current: UsageMonth): { label: string; line: string }[] {
  return [addMonths(shown, -1), addMonths(shown, 1)]
    .filter((month) => !isBefore(month, firstUsageMonth) && !isBefore(current, month))
    .map((month) => ({
      label: monthName(month.year, month.month),
      line: joinWords('usage', isoMonth(month)),
    }));
}

function notYet({ year, month }: UsageMonth): UserError {
  return new UserError({
    code: 'bad-month',
    message: `${monthName(year, month)} is in the future: there is no usage yet.`,
    choices: [{ label: 'This month', line: 'usage this month' }],
    example,
  });
}

function adminsOnly(): UserError {
  return new UserError({
    code: 'not-allowed',
    message: 'API usage is for workspace admins only.',
    hint: 'Whoever runs this bot chose this. A workspace admin can ask and share the answer.',
  });
}

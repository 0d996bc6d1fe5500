import type { UsageMonth } from '../../analytics/usage.ts';
import { UserError } from '../../errors.ts';
import { isoMonth } from '../../grammar/dates.ts';
import { formatPage, joinWords, pageOption, scanOptions } from '../../grammar/options.ts';
import { parseMonth } from '../../grammar/parse-month.ts';
import { formatPeriod, type Period } from '../../grammar/period.ts';
import { resolveMonth } from '../../grammar/resolve-period.ts';
import { monthName } from '../../messages/formatting/times.ts';
import { defineCommand } from '../command.ts';
import {
  askNewestUsage,
  askTrend,
  askUsageOf,
  firstUsageMonth,
  type UsageContext,
  type UsageServices,
} from './answer.ts';
import { readBotUsage } from './bot/answer.ts';
import { botUsageExport, botUsageTable } from './bot/table.ts';
import { type BotUsageAnswer, botUsageView } from './bot/view.ts';
import { addMonths, isBefore, notYet } from './months.ts';
import { usageQuestions } from './questions.ts';
import { recordsTable, usageTable } from './table.ts';
import { usageTool } from './tool.ts';
import { type UsageAnswer, usageView } from './view.ts';

interface UsageArgs {
  /** The calls of Landfall itself, in place of the official report. */
  isBot?: true;
  /** Left out: the current month; of the official report, the newest one with entries. */
  month?: Period;
  page: number;
}

const example = 'usage last month';

export const usage = defineCommand<UsageArgs, UsageAnswer | BotUsageAnswer, UsageServices>({
  name: 'usage',
  summary: 'What this API account was used for in a month',
  usage: '[bot] [month]',
  examples: ['usage', example, 'usage 2026-10', 'usage bot'],
  options: [
    {
      typed: 'bot',
      help: 'the calls that Landfall itself made: by command, digest, watch and channel, with a forecast for the month',
    },
    { typed: 'october, 2026-10, last month', help: 'another month than this one' },
  ],
  questions: usageQuestions,
  repeatable: true,
  privacy: 'internal',
  needsSlack: ({ isBot }) => isBot === true,
  parse,
  format,
  run: (args, context) => (args.isBot ? runBot(args, context) : runOfficial(args, context)),
  view: (answer, reader) =>
    answer.kind === 'usage' ? usageView(answer, reader) : botUsageView(answer, reader),
  tools: [usageTool],
  tables: [recordsTable, botUsageTable],
  table: (answer, reader) =>
    answer.kind === 'usage' ? usageTable(answer, reader) : botUsageExport(answer, reader),
});

function parse(words: string): UsageArgs {
  const { rest, values, help } = scanOptions(words, { page: pageOption }, { command: 'usage', example });
  const [, bot, month = ''] = /^(bots?\b)?\s*(.*)$/i.exec(rest) ?? [];
  const args = { ...(bot !== undefined && { isBot: true as const }), page: values.page ?? 1 };
  if (month === '') return args;
  const line = (fixed: string) => help.line(joinWords(bot && 'bot', fixed));
  return { ...args, month: parseMonth(month, { ...help, line, earliest: isoMonth(firstUsageMonth) }) };
}

function format({ isBot, month, page }: UsageArgs): string {
  return joinWords('usage', isBot && 'bot', month && formatPeriod(month), formatPage(page));
}

/** A relative month such as `last month` is resolved in the zone of the person who asks. */
async function runOfficial(args: UsageArgs, context: UsageContext): Promise<UsageAnswer> {
  checkVisible(context);
  const clock = { now: context.now(), zone: context.actor.zone ?? 'UTC' };
  const current = resolveMonth({ kind: 'month', offset: 0 }, clock);
  const month = args.month && resolveMonth(args.month, clock);
  if (month && isBefore(current, month))
    throw notYet(month, { what: 'usage', thisMonth: 'usage this month' });
  const trendEnd = AbortSignal.timeout(trendEndMs);
  const report = month ? await askUsageOf(month, context) : await askNewestUsage(current, context);
  return {
    kind: 'usage',
    line: format(args),
    ...report,
    trend: await askTrend(report, context, { end: trendEnd }),
    isRunning: !isBefore(report, current),
    insteadOfCurrent: !month && isBefore(report, current),
    neighbours: [
      ...neighboursOf(report, { first: firstUsageMonth, last: current, command: 'usage' }),
      // Where a workspace has stored what it used.
      ...(context.place ? [{ label: 'What Landfall used', line: `usage bot ${isoMonth(report)}` }] : []),
    ],
    page: args.page,
  };
}

async function runBot(args: UsageArgs, context: UsageContext): Promise<BotUsageAnswer> {
  checkVisible(context);
  const usage = await readBotUsage(args.month, context);
  const { at, since, official } = usage;
  const current = { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1 };
  const [year = current.year, month = current.month] = since?.split('-').map(Number) ?? [];
  return {
    kind: 'bot-usage',
    line: format(args),
    ...usage,
    ...{ fetchedAt: at, cached: false, droppedRecords: 0 },
    others: [
      ...(official.kind === 'not-shown'
        ? []
        : [{ label: 'Official report', line: `usage ${isoMonth(usage)}` }]),
      ...neighboursOf(usage, { first: { year, month }, last: current, command: 'usage bot' }),
    ],
    page: args.page,
  };
}

function checkVisible({ settings, actor }: UsageContext): void {
  if (settings.usageVisibleTo === 'admins' && !actor.isAdmin) throw adminsOnly();
}

/** After the start. A report that took this long is answered without the other months, before a command's 15 s are over. */
const trendEndMs = 10_000;

/** The lines for the month before and the month after, from the first month that there is to the last. */
function neighboursOf(
  shown: UsageMonth,
  { first, last, command }: { first: UsageMonth; last: UsageMonth; command: string },
): { label: string; line: string }[] {
  return [addMonths(shown, -1), addMonths(shown, 1)]
    .filter((month) => !isBefore(month, first) && !isBefore(last, month))
    .map((month) => ({
      label: monthName(month.year, month.month),
      line: joinWords(command, isoMonth(month)),
    }));
}

function adminsOnly(): UserError {
  return new UserError({
    code: 'not-allowed',
    message: 'API usage is for workspace admins only.',
    hint: 'Whoever runs this bot chose this. A workspace admin can ask and share the answer.',
  });
}

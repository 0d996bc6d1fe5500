import { millisecondsInDay } from 'date-fns/constants';
import { min } from 'date-fns/min';
import type { UsageMonth } from '../../analytics/usage.ts';
import type { Answer, AnswerAction, Fulfils } from '../../answers/answer.ts';
import { dateRange, isoDay, monthName } from '../../answers/formatting/times.ts';
import { attempt, UserError } from '../../errors.ts';
import { isoMonth } from '../../grammar/dates.ts';
import {
  formatOfChannel,
  formatPage,
  joinWords,
  type LineHelp,
  pageOption,
  quote,
  scanOptions,
  wordsError,
} from '../../grammar/line.ts';
import type { Mentions } from '../../grammar/mentions.ts';
import { formatPeriod, type Period } from '../../grammar/period.ts';
import { resolveMonth, resolvePeriodWithin } from '../../grammar/resolve-period.ts';
import type { VesselDirectory } from '../../grammar/vessel-directory.ts';
import { botTopicOf, placesIn } from '../bot-topics.ts';
import { command, variant } from '../command.ts';
import { type AskCtx, checkSeesUsage, type Question } from '../ctx.ts';
import { monthInput, optional, pageInput } from '../fields.ts';
import { daysOf, fromMidnight } from '../lane/index.ts';
import { countsTable, monthsTable, recordsTable, requestsTable, usageAnswer } from './answer.ts';
import {
  botUsageAnswer,
  causesTable,
  channelsTable,
  channelUsageAnswer,
  daysTable,
  type Grouping,
  groupings,
} from './bot/answer.ts';
import { daysUsageAnswer, readUsageOfDays } from './bot/days-answer.ts';
import { readBotUsage } from './bot/read-usage.ts';
import { isMonth, monthsOf, readPeriod } from './read-period.ts';
import {
  addMonths,
  askNewestUsage,
  askTrend,
  askUsageOf,
  firstUsageMonth,
  isBefore,
  notYet,
} from './report.ts';

const calls = '(?:(?:of )?(?:the |our )?api(?: calls| requests)?|calls|requests)';
const we = '(?:we|i|our account|this account|the account)';
const itself = '(?:(?:landfall|the bot|this bot|you|this app|the app)(?: (?:itself|alone))?)';
const own = "(?:(?:from |made by |by )?(?:landfall|the bot|this bot)(?:'s|s)?(?: own)?|yours|your own)";
const used =
  '(?:use|used|make|made|send|sent|spend|spent|burn|burned|burnt|consume|consumed|need|needed|pay for|paid for)';
const lead = '[:?,]?(?: in| for| during)?';
const left = '(?:left|remaining|available|still available)';
/** `pls, for the invoice` */
const aside = '(?:,? (?:pls|please|for (?:the|our|my|an?))\\b.*)?';

const usageQuestions: readonly Question[] = [
  {
    example: 'How many API calls did we use last month?',
    asked: [
      `how (?:many|much) ${calls} (?:did|do|have|has) ${we} ${used}${lead}{month}?${aside}`,
      `what(?:'s| is| was) (?:our|my|the) (?:api )?usage${lead}{month}?${aside}`,
      `what (?:did|do|have|has) ${we} ${used}(?: on| for)? ${calls}${lead}{month}?${aside}`,
      `(?:our |the )?api (?:calls|requests|usage)${lead}{month}?${aside}`,
    ],
    words: '{month}',
  },
  {
    example: 'How many calls did the bot make last month?',
    asked: [
      `how (?:many|much) ${calls} (?:did|do|does|have|has) ${itself} ${used}${lead}{month}?`,
      `how (?:many|much) of (?:those|these|them|that|it|the calls) (?:were|was|are|is) ${own}${lead}{month}?`,
      `what (?:did|do|does|has) ${itself} (?:cost|use|used)(?: us)?${lead}{month}?`,
      `how (?:much|expensive|many) (?:did|do|does|has|have|is|are|was) ${itself}(?: (?:cost|costing|use|used|using|spend|spent))?(?: us)?${lead}{month}?`,
      `(?:what(?:'s| is| was| are| were) )?(?:the )?(?:costs?|bill|spend|usage) (?:of|for) ${itself}${lead}{month}?`,
      `(?:the )?(?:bot|landfall)(?:'s|s)?(?: own)? (?:api )?(?:usage|calls|costs?)${lead}{month}?${aside}`,
      `what (?:does|did|do|will|has) (?:this|it|all this|that|all of this) (?:cost|costed)(?: us)?(?: (?:a|per|each|every) month)?${lead}{month}?${aside}`,
      `(?:(?:what(?:'s|s| is| are| were| was)|show) )?(?:the |our )?(?:running |api |monthly )?(?:costs?|spend|spending)${lead}{month}?${aside}`,
    ],
    words: 'bot {month}',
  },
  {
    example: 'What do our watches cost?',
    asked: [
      `what (?:does|did|do|will|has) (?:(?:the|our|these|all|all our|all the) )?(?:watches|watching) (?:cost|costed|use|used)(?: us)?(?: (?:a|per|each|every) month)?${lead}{month}?${aside}`,
    ],
    words: 'bot by watch {month}',
  },
  {
    example: 'How many calls are left?',
    asked: [
      `how (?:many|much) (?:${calls}|budget|quota|credits?)(?: (?:is|are|do (?:we|i|you) have|have (?:we|i|you) got))? ${left}`,
      `(?:(?:what(?:'s| is)|show) )?(?:our |the |my )?(?:${left} (?:${calls}|budget|quota)|(?:${calls}|budget|quota) ${left})`,
    ],
    words: 'bot',
    caveat: 'the service names no limit, so what is left is known only of a daily budget',
  },
  {
    example: 'What does EVER GIVEN cost us?',
    asked: [
      `(?:what(?:'s| is| are) )?(?:the |our )?(?:costs?|spend(?:ing)?) (?:of|for|on) (?:watching |following )?{vessel}`,
      `(?:what (?:does|did|do)|how (?:much|expensive) (?:does|did|do|is|are)) (?:(?:it cost (?:us )?to (?:watch|follow))|watching|following)? ?{vessel}(?: cost(?:ing)?)?(?: us)?`,
      "{vessel}(?:'s)? costs?",
    ],
    words: ({ all = '', vessel = '' }, { vessels }) =>
      /\b(?:costs?|spend|expensive)/i.test(all) && isKnownVessel(vessel, vessels) ? ['bot by watch'] : [],
    caveat: 'only the calls for its watches are counted by vessel',
  },
];

/** Each of several. */
const isKnownVessel = (words: string, vessels: VesselDirectory): boolean =>
  words
    .split(/\s*(?:,|&| and )\s*/i)
    .every((each) => vessels.named(each).length + vessels.referenced(each).length > 0);

interface BotValues {
  by?: Grouping | undefined;
  /** Left out: all channels. */
  channelId?: string | undefined;
  /** Left out: the current month. With `by` or a channel it is a month. */
  period: Period | undefined;
  page: number;
}

interface UsageValues {
  /** Left out: the newest one with entries. */
  month: Period | undefined;
  page: number;
}

const example = 'usage last month';
const daysExample = 'usage bot last week';
const earliest = isoMonth(firstUsageMonth);

const official = variant<UsageValues>({
  tool: {
    name: 'usage',
    title: 'Usage of the API account',
    description:
      "What the account at the analytics service was used for in a month, from the provider's report: requests per endpoint, and containers, which must not be added to requests. `usage-months` has that month and the five before.",
  },
  input: {
    month: optional(
      monthInput(
        {
          description: 'A month; left out: the newest with entries',
          examples: ['2026-10', 'last month', 'october'],
        },
        { earliest },
      ),
    ),
    page: pageInput,
  },
  format: ({ month, page }) => joinWords('usage', month && formatPeriod(month), formatPage(page)),
  effect: 'reads',
  privacy: 'internal',
  tables: [recordsTable, requestsTable, countsTable, monthsTable],
  cost: () => ({ calls: 1 }),
  isStatistics: true,
  run: runOfficial,
});

/** The calls of Landfall itself. */
const bot = variant<BotValues>({
  format: ({ by, channelId, period, page }) =>
    joinWords(
      'usage bot',
      by && `by ${by}`,
      formatOfChannel(channelId),
      period && formatPeriod(period),
      formatPage(page),
    ),
  effect: 'reads',
  privacy: 'internal',
  of: 'workspace',
  tables: [causesTable, channelsTable, daysTable],
  // The official report is asked for months.
  cost: ({ period }) => ({ calls: isMonth(period) ? 1 : 0 }),
  isStatistics: true,
  run: runBot,
});

/** Without a month, the report is the newest. */
const toDate = /^(?:mtd|month[ -]to[ -]date|so far(?: this month)?|this month so far)$/i;

export const usageCommand = command({
  name: 'usage',
  summary: 'What this API account was used for in a month',
  usage: '[month] | bot [by channel|watch|digest|command] [of #channel] [period]',
  usageHint: '[month] | bot [by channel] [period]',
  verbs: ['costs', 'cost', 'spend', 'spending'],
  examples: ['usage', example, 'usage 2026-10', 'usage bot', daysExample],
  options: [
    {
      typed: 'bot',
      help: 'the calls that Landfall itself made: by command, digest, watch and channel, with a forecast for the month; also “costs”',
    },
    { typed: 'by channel', help: 'those calls by channel; also “by watch”, “by digest”, “by command”' },
    { typed: 'of #channel', help: 'those calls of one channel' },
    { typed: 'october, 2026-10, last month', help: 'another month than this one' },
    {
      typed: 'last week, friday, 16-22 nov, since 9 nov',
      help: 'after “bot”: other days than a month, with the calls by kind and by day; by channel, watch, digest or command they are stored by month only',
    },
  ],
  questions: usageQuestions,
  readText,
  meanings: [
    {
      name: 'own usage',
      of: /^usage bot\b/,
      words: (mentions) => usageIn(mentions, { isBot: true, by: kindIn(mentions.text) }),
    },
    { name: 'usage', words: (mentions) => usageIn(mentions, { isBot: false }) },
  ],
  variants: [official, bot],
  parse(words, { dateOrder }) {
    const options = { command: 'usage', example, dateOrder };
    const { rest, values, help } = scanOptions(words, { page: pageOption }, options);
    const [, botWord, typed = ''] =
      /^((?:(?:of|by) (?:the )?bot|bots?|costs?|spend(?:ing)?)\b(?: (?:only|itself|alone)\b,?)?)?\s*(.*)$/i.exec(
        rest,
      ) ?? [];
    const { channelId, words: ofAll = typed } = takeChannel(typed, help) ?? {};
    const [, word = ''] = grouping.exec(ofAll) ?? [];
    const grouped = groupings.find((each) => word.toLowerCase().startsWith(each));
    const ungrouped = grouped === undefined ? ofAll : ofAll.replace(grouping, ' ').trim();
    const when = ungrouped.replace(daily, ' ').trim();
    const isBot = botWord !== undefined || grouped !== undefined || channelId !== undefined;
    // One channel isn't listed by channel.
    const by = channelId !== undefined && grouped === 'channel' ? undefined : grouped;
    const lineOf = (fixed: string) =>
      help.line(joinWords(isBot ? 'bot' : '', by && `by ${by}`, formatOfChannel(channelId), fixed));
    const isLeftOut = when === '' || toDate.test(when);
    const period = isLeftOut
      ? undefined
      : readPeriod(when, { isBot, earliest, help: { ...help, line: lineOf } });
    const page = values.page ?? 1;
    const isDaily = when !== ungrouped && !isBot;
    if (!isBot && isMonth(period) && !isDaily) return official.of({ month: period, page });
    if (isDaily || (period && !isMonth(period) && (!isBot || by !== undefined || channelId !== undefined)))
      throw onlyByMonth(period ?? { kind: 'month', offset: 0 }, { typed: ungrouped, isBot, lineOf });
    return bot.of({ by, channelId, period, page });
  },
});

/** Offers the months that the days are in, and the days without what is only known of months. */
function onlyByMonth(
  period: Period,
  { typed, isBot, lineOf }: { typed: string; isBot: boolean; lineOf: (fixed: string) => string },
): UserError {
  const lines = [
    ...monthsOf(period).map((month) => lineOf(formatPeriod(month))),
    bot.of({ period, page: 1 }).line,
  ];
  return new UserError({
    code: 'bad-month',
    message: isBot
      ? `The causes and channels of Landfall's calls are stored by month, so they aren't known for ${quote(typed)}.`
      : `The official report has months only, not ${quote(typed)}.`,
    hint: 'By day, I know how many calls Landfall itself made, and of which kind.',
    choices: lines.map((line) => ({ label: `/${line}`, line })),
    example,
  });
}

/** `of <#C024BE7LR>`, also before a month. Throws UserError for a channel that was typed without Slack's list. */
function takeChannel(typed: string, help: LineHelp): { channelId: string; words: string } | undefined {
  const match = ofChannel.exec(typed);
  if (!match) return undefined;
  const [text, id] = match;
  if (id !== undefined) return { channelId: id.toUpperCase(), words: typed.replace(text, ' ').trim() };
  throw wordsError(
    'bad-channel',
    `I don't know which channel ${text.trim().replace(/^\S+ /, '')} is.`,
    help,
    {
      hint: 'Type # and pick the channel from the list that Slack shows.',
      choices: [{ label: 'All channels', line: bot.of({ by: 'channel', period: undefined, page: 1 }).line }],
    },
  );
}

const ofChannel = /(?:^|\s)(?:of|in|for|by) (?:<#([CDG][A-Z0-9]+)>|#[^\s<>]+)(?=\s|$)/i;

/** The bot's own calls are always shown by day, and the official report never is. */
const daily = /(?:^|\s)(?:(?:by|per|each|for each) days?|daily|day by day)(?=\s|$)/i;

const grouping = /(?:^|\s)(?:by|per|for each) (channels?|watch(?:es)?|digests?|commands?)(?=\s|$)/i;

/** `which watch`, `our watches`, `one portcalls query`; undefined for none, or for several. */
function groupingIn(text: string): Grouping | undefined {
  // `each digest + watch`
  if (/\bdigests?\b/i.test(text) && /\b(?:watch(?:es)?|alerts|people|folks?|users)\b/i.test(text))
    return undefined;
  const kinds = [...text.matchAll(aGroup)].map(([, kind, ofEach = '']) => kind ?? ofEach);
  const isAnswer = anAnswer.test(text);
  const found = new Set([...kinds.map((kind) => kind.toLowerCase()), ...(isAnswer ? ['command'] : [])]);
  const [only, ...others] = found;
  return others.length > 0 ? undefined : groupings.find((each) => each === only);
}

/** The only kind of thing that the text names. */
function kindIn(text: string): Grouping | undefined {
  const [only, ...others] = groupings.filter((each) => new RegExp(`\\b${each}(?:e?s)?\\b`, 'i').test(text));
  return others.length > 0 ? undefined : only;
}

const aGroup =
  /\b(?:by|per|each|every|which|what|our|the|these|all|do|does|did) (channel|watch|digest|command)(?:e?s)?\b|\b(channel|watch|digest|command)[- ]?wise\b/gi;

const anAnswer =
  /\b(?:one|an?|each|every|single|per|average)(?: (?!calls?\b)\S+)? (?:query|answer|question|search|look-?up)\b/i;

function readText(mentions: Mentions): string | undefined {
  const topic = botTopicOf(mentions);
  if ((topic !== 'usage' && topic !== 'own usage') || placesIn(mentions.text).length > 0) return undefined;
  return usageIn(mentions, { isBot: topic === 'own usage' });
}

/** Throws UserError for a month to come. */
function usageIn(
  mentions: Mentions,
  { isBot, by = groupingIn(mentions.text) }: { isBot: boolean; by?: Grouping | undefined },
): string {
  const isToDate = / (?:so far|mtd|to date|(?:until|till?) (?:now|today)) /i.test(` ${mentions.text} `);
  // `by noon` is when the answer is needed.
  const months = mentions.periods
    .filter((period) => !/^by /i.test(period))
    // `burned through this month`
    .map((period) => period.replace(/^(?:through|thru) (?=this|last)/i, ''));
  if (months.length > 0 && ofFuture.test(mentions.text)) throw onlyThisMonth();
  return joinWords(
    isBot || by !== undefined ? 'bot' : '',
    by && `by ${by}`,
    isToDate ? '' : months.join(' '),
  );
}

const ofFuture = /\b(?:will|going to|gonna|expected? to|forecast|next month|coming month)\b/i;

const onlyThisMonth = (): UserError =>
  new UserError({
    code: 'bad-month',
    message: "What a coming month will cost isn't known: there is a forecast of this month alone.",
    choices: [{ label: 'Forecast of this month', line: 'usage bot' }],
    example,
  });

/** What the account was used for. */
export const usage = {
  commands: [usageCommand],
  fulfils: { 'own-usage': () => 'usage bot' } satisfies Fulfils,
};

/** A relative month such as `last month` is resolved in the zone of the person who asks. */
async function runOfficial({ month: asked, page }: UsageValues, ctx: AskCtx): Promise<Answer> {
  checkSeesUsage(ctx);
  const clock = { now: ctx.now(), zone: ctx.actor.zone ?? 'UTC' };
  const current = resolveMonth({ kind: 'month', offset: 0 }, clock);
  const month = asked && resolveMonth(asked, clock);
  if (month && isBefore(current, month))
    throw notYet(month, { what: 'usage', thisMonth: 'usage this month' });
  const trendEnd = AbortSignal.timeout(trendEndMs);
  const report = month ? await askUsageOf(month, ctx) : await askNewestUsage(current, ctx);
  const usage = {
    ...report,
    trend: await askTrend(report, ctx, { end: trendEnd }),
    isRunning: !isBefore(report, current),
    insteadOfCurrent: !month && isBefore(report, current),
    others: [
      ...neighboursOf(report, { first: firstUsageMonth, last: current, lineOf: officialLine }),
      // Where a workspace has stored what it used.
      ...(ctx.place ? [{ label: 'What Landfall used', line: botLine(report) }] : []),
    ],
  };
  return usageAnswer(usage, { now: ctx.now(), page });
}

async function runBot({ by, channelId, period, page }: BotValues, ctx: AskCtx): Promise<Answer> {
  checkSeesUsage(ctx);
  if (period && !isMonth(period)) return runDays({ period, page }, ctx);
  const usage = await readBotUsage(period, ctx, channelId);
  const { at, since } = usage;
  const current = monthAt(at);
  const [firstYear = current.year, firstMonth = current.month] = since?.split('-').map(Number) ?? [];
  const first = { year: firstYear, month: firstMonth };
  const isShown = usage.official.kind !== 'not-shown';
  const months = (lineOf: LineOfMonth) => neighboursOf(usage, { first, last: current, lineOf });
  const others = [
    ...(isShown ? [{ label: 'Official report', line: officialLine(usage) }] : []),
    ...months(botLine),
  ];
  const groups = groupings.map((each) => ({
    label: `By ${each}`,
    line: bot.of({ by: each, period, page: 1 }).line,
  }));
  const all = { label: 'All causes', line: bot.of({ period, page: 1 }).line };
  if (channelId !== undefined) {
    const ofChannel: LineOfMonth = (month) =>
      bot.of({ by, channelId, period: periodOf(month), page: 1 }).line;
    const byChannel = groups.filter((_, index) => groupings[index] === 'channel');
    return channelUsageAnswer(usage, {
      page,
      by,
      channelId,
      others: [...byChannel, all, ...months(ofChannel)],
    });
  }
  if (by === undefined) return botUsageAnswer(usage, { page, others });
  return botUsageAnswer(usage, {
    ...{ page, by, others: [all, ...groups.filter((_, index) => groupings[index] !== by)] },
    perAnswer: by === 'command' ? perAnswer(ctx) : [],
  });
}

/** What one answer takes, of the commands that ask the service: as their first examples do. */
function perAnswer({ registry, vessels }: AskCtx): string[] {
  const costs = registry.commands.flatMap(({ name, examples: [line] }) => {
    const read = attempt(() => registry.parseLine(line, { vessels }));
    return read instanceof UserError || !read.cost ? [] : [`/${name} ${read.cost.calls}`];
  });
  return [
    `calls of one answer that isn't cached, about one vessel, port or lane: ${costs.join(', ')}; each further one takes another`,
  ];
}

/** After the start. A report that took this long is answered without the other months, before a command's 15 s are over. */
const trendEndMs = 10_000;

/** The months before and after, from the first month that there is to the last. */
const neighboursOf = (
  { year, month }: UsageMonth,
  { first, last, lineOf }: { first: UsageMonth; last: UsageMonth; lineOf: LineOfMonth },
): AnswerAction[] =>
  [addMonths({ year, month }, -1), addMonths({ year, month }, 1)]
    .filter((each) => !isBefore(each, first) && !isBefore(last, each))
    .map((each) => ({ label: monthName(each.year, each.month), line: lineOf(each) }));

type LineOfMonth = (month: UsageMonth) => string;

const monthAt = (time: Date): UsageMonth => ({
  year: time.getUTCFullYear(),
  month: time.getUTCMonth() + 1,
});

function periodOf(month: UsageMonth): Period {
  const iso = isoMonth(month);
  return { kind: 'months', from: iso, to: iso };
}

const officialLine: LineOfMonth = (month) => official.of({ month: periodOf(month), page: 1 }).line;

const botLine: LineOfMonth = (month) => bot.of({ period: periodOf(month), page: 1 }).line;

/** Of days that aren't a month: only what is counted by day. */
async function runDays({ period, page }: { period: Period; page: number }, ctx: AskCtx): Promise<Answer> {
  const now = ctx.now();
  const help = { example: daysExample, line: (fixed: string) => joinWords('usage bot', fixed) };
  const { begin, end } = fromMidnight(
    resolvePeriodWithin(period, { now, zone: 'UTC', direction: 'past', help }),
    now,
  );
  const span = { begin, end: new Date(Math.ceil(+end / millisecondsInDay) * millisecondsInDay) };
  const usage = await readUsageOfDays(span, ctx);
  const [first, last] = [monthAt(begin), monthAt(min([new Date(+span.end - 1), now]))];
  const months = isBefore(first, last) ? [first, last] : [first];
  const length = +span.end - +begin;
  const beside = [-length, length]
    .map((ms) => ({ begin: new Date(+begin + ms), end: new Date(+span.end + ms) }))
    .filter(
      (other) => other.begin <= now && usage.since !== undefined && isoDay(other.end, 'UTC') > usage.since,
    )
    .map((other) => ({
      label: dateRange(other.begin, new Date(+other.end - 1), 'UTC'),
      line: bot.of({ period: daysOf(other), page: 1 }).line,
    }));
  const ofMonths = months.map((month) => ({
    label: `What caused them in ${monthName(month.year, month.month)}`,
    line: botLine(month),
  }));
  return daysUsageAnswer(usage, { page, others: [...ofMonths, ...beside] });
}

import { addDays } from 'date-fns/addDays';
import { addMinutes } from 'date-fns/addMinutes';
import { ownLines, UserError } from '../../errors.ts';
import {
  joinWords,
  type LineHelp,
  optionOf,
  quote,
  scanOptions,
  wordOption,
  wordsError,
} from '../../grammar/line.ts';
import type { Mentions } from '../../grammar/mentions.ts';
import {
  formatMoment,
  type Moment,
  momentShape,
  needsDirection,
  parseMoment,
  resolveMoment,
} from '../../grammar/moment.ts';
import { timeShape } from '../../grammar/times.ts';
import { formatUntil, takeUntil, type UntilWords } from '../../grammar/until.ts';
import type { WorkPause } from '../../workspaces/work-pause.ts';
import { readAbout } from '../bot-topics.ts';
import { command, type VariantLine, variant } from '../command.ts';
import {
  type AskCtx,
  changeBy,
  checkAdmin,
  checkIsStillAdmin,
  type ParseContext,
  type Question,
  zoneToSave,
} from '../ctx.ts';
import { digestRuns } from '../digests/index.ts';
import { resumePolls, showPauseOnCards } from '../polling/index.ts';
import { pausedAnswer, pauseQuestion, resumedAnswer } from './pause-answer.ts';

interface Pause {
  /** Left out: now. */
  from?: Moment | undefined;
  /** Left out: until an admin resumes the work. */
  until: UntilWords | undefined;
}

const lineFor = ({ from, until }: Pause, sure = ''): string =>
  joinWords(ownLines.pause, from && `from ${formatMoment(from)}`, until && formatUntil(until), sure);

/** Asks first. */
const asked = variant<Pause>({
  format: (values) => lineFor(values),
  effect: 'opens',
  of: 'workspace',
  async run(values, ctx) {
    checkAdmin(ctx, () => adminsOnly('pause', ctx));
    const now = ctx.now();
    const times = resolveTimes(values, ctx);
    return pauseQuestion({
      ...(await countWork(ctx)),
      ...{ now, line: lineFor(values, 'yes'), ...times },
      skippedRuns: await countSkippedRuns({ since: times.from ?? now, until: times.until }, ctx),
      current: await ctx.services.pauses.next(now),
    });
  },
});

const begun = variant<Pause>({
  format: (values) => lineFor(values, 'yes'),
  confirmation: 'Yes, pause it',
  effect: 'changes',
  of: 'workspace',
  async run(values, ctx) {
    const { pauses, slack } = ctx.services;
    await checkIsStillAdmin(ctx, slack, () => adminsOnly('pause', ctx));
    const by = changeBy(ctx);
    const pause = await pauses.begin({ ...by, ...resolveTimes(values, ctx) }, (transaction) =>
      showPauseOnCards(transaction, queueContext(by, ctx)),
    );
    return pausedAnswer(pause, { skippedRuns: await countSkippedRuns(pause, ctx), now: by.now });
  },
});

const ended = variant<object>({
  format: () => ownLines.resume,
  confirmation: 'Yes, resume',
  effect: 'changes',
  of: 'workspace',
  async run(_, ctx) {
    const { pauses, slack } = ctx.services;
    await checkIsStillAdmin(ctx, slack, () => adminsOnly('resume', ctx));
    const by = changeBy(ctx);
    const before = await pauses.end(by, (transaction) => resumePolls(transaction, queueContext(by, ctx)));
    return resumedAnswer(before, await countWork(ctx), by.now);
  },
});

const queueContext = ({ now }: { now: Date }, { services: { newId, realNow } }: AskCtx) => ({
  ...{ now, newId },
  realNow: new Date(realNow()),
});

/** `, we're being invoiced per call` */
const aside = '(?:(?:,|;| -+| because| since| as|:) ?.*)?';
const all =
  '(?:everything|(?:all )?(?:the |our |your )?(?:background (?:work|jobs|calls)|polling|polls)|all (?:of )?(?:the |our |your )?(?:watches|alerts|digests|api calls|calls)(?: (?:and|,) (?:the |our )?(?:watches|alerts|digests))?|landfall|the (?:whole )?bot|(?:the )?whole (?:workspace|bot|thing)|it all|this bot)';

const pauseQuestions: readonly Question[] = [
  {
    example: 'Can you pause everything?',
    asked: [
      `(?:(?:we|i) (?:need|want|have|would like) to |let(?:'s| us) )?(?:pause|suspend|freeze|halt|hold) ${all}${aside}`,
      `(?:stop|switch off|turn off) (?:everything|(?:all )?(?:the |our )?(?:background (?:work|jobs|calls)|polling|polls|api calls))${aside}`,
      'how (?:can|do) (?:i|we) (?:pause|stop|suspend|halt) (?:everything|landfall|the bot|(?:all )?(?:the )?(?:background work|polling|api calls|calls))',
    ],
    words: '',
  },
];

const resumeQuestions: readonly Question[] = [
  {
    example: 'Can you resume everything?',
    asked: [
      'un-?pause',
      `(?:resume|unpause|un-pause|restart|reactivate|turn on|switch on|continue) ${all}(?: again)?${aside}`,
      'how (?:can|do) (?:i|we) (?:resume|unpause|restart) (?:everything|landfall|the bot|(?:the )?(?:background work|polling))',
    ],
    words: '',
    offer: 'Watches are polled again, and digests and reminders are sent.',
  },
];

const examples = [
  ownLines.pause,
  `${ownLines.pause} for 3 days`,
  `${ownLines.pause} until monday`,
  `${ownLines.pause} from 24 dec until 27 dec`,
] as const;

export const pauseCommand = command({
  name: 'pause',
  isUnderLandfall: true,
  summary: 'Pause all watches, digests and reminders of the workspace; people who ask are still answered',
  usage: '[from 24 dec] [for 3 days | until monday]',
  examples,
  questions: pauseQuestions,
  readText: readAbout('pause', ({ text }) => pausedIn(text)).readText,
  meanings: [{ name: 'pause', words: ({ text }) => datesIn(text) || pausedIn(text) }],
  options: [
    {
      typed: 'for 3 days, until monday 08:00',
      help: 'when they go on; without it, when an admin resumes them',
    },
    { typed: 'from 24 dec', help: 'when they stop; without it, now' },
  ],
  optionsNote: 'Only workspace admins can pause everything. A day without a time means its beginning',
  variants: [asked, begun],
  parse: parsePause,
});

export const resumeCommand = command({
  name: 'resume',
  isUnderLandfall: true,
  summary: 'End the pause of all watches, digests and reminders',
  usage: '',
  examples: [ownLines.resume],
  questions: resumeQuestions,
  ...readAbout('resume', resumeIn),
  variants: [ended],
  parse(words) {
    if (isAll(words)) return ended.of({});
    if (timed.test(words)) throw resumesAtOnce(words);
    throw new UserError({
      code: 'unexpected-words',
      message: `${quote(words)} isn't a watch that I know.`,
      hint: 'Without more words, all watches and digests of the workspace go on.',
      example: ownLines.resume,
    });
  },
});

/** `24 dec till 4 jan` is both. */
function pausedIn(text: string): string {
  const [, from, until] = fromUntil.exec(text) ?? [];
  return from !== undefined && until !== undefined
    ? `from ${from} until ${until}`
    : joinWords(startIn.exec(text)?.[0], endIn.exec(text)?.[0]);
}

/** The only two dates. */
function datesIn(text: string): string {
  const found = [...text.matchAll(moments)];
  // `thru Sunday and start back up Monday`
  const [end] = found.filter(({ index }) => beforeEnd.test(text.slice(0, index)));
  const [start, ...otherStarts] = found.filter(
    (each) => each !== end && startMark.test(text.slice(0, each.index)),
  );
  if (end && otherStarts.length === 0) return joinWords(start && `from ${start[0]}`, `until ${end[0]}`);
  const [from, until, ...others] = found.map(([moment]) => moment);
  return from === undefined || until === undefined || others.length > 0 ? '' : `from ${from} until ${until}`;
}

const beforeEnd = /\b(?:back|start|restart|resume|resumes|resuming|again)(?: \p{L}+){0,3} $/iu;
const startMark = /\b(?:from|starting|beginning|on)(?: \p{L}+)? $/iu;

const moments = new RegExp(`(?<![\\p{L}\\d./:-])${momentShape}(?![\\p{L}\\d/])`, 'giu');

/** An end that is another event is left out: the answer asks, and names what is known. */
const endIn = new RegExp(
  `\\b(?:for \\S+ (?:days?|hours?|weeks?)|(?:until|till?|to|and (?:start|resume|be back)(?: again)? on) ${momentShape}|(?:until|till?) ${timeShape})\\b`,
  'i',
);
const fromUntil = new RegExp(
  `\\b(${momentShape}) ?(?:to|until|till?|thru|through|-|and (?:start|resume|be back)(?: again)? on) ?(${momentShape})\\b`,
  'i',
);
const startIn = new RegExp(`\\b(?:from|starting) ${momentShape}\\b`, 'i');

/** Throws UserError for a time, which would be dropped. */
function resumeIn({ text, periods }: Mentions): string {
  // `resume the bot, budget was approved today`
  const [asked = ''] = text.split(/[,;.!] /, 1);
  if (periods.some((period) => asked.includes(period)) || timed.test(asked)) throw resumesAtOnce(text);
  return '';
}

const timed =
  /(?:^|\s)(?:at|in|on|from|after|by|until|till|til|for)\s+(?:about\s+)?(?:\d|noon|midnight|the (?:weekend|morning|evening)|(?:half|quarter)\b)|\b(?:tomorrow|tonight|later|next \p{L}+|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|\d ?(?:[ap]m|h|hours?|minutes?|days?)\b/iu;

const resumesAtOnce = (words: string): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: `I can't plan ${quote(words)}: “resume” ends the pause at once.`,
    hint: 'To end it at a certain time, pause again with that time.',
    choices: [{ label: 'Resume now', line: ownLines.resume }],
    example: `${ownLines.pause} until monday 08:00`,
  });

const isAll = (words: string): boolean =>
  /^(?:everything|all|(?:the )?bot|landfall|now)?$/i.test(words.trim());

const maxDays = 90;
const refuse = (text: string, help: LineHelp): UserError =>
  wordsError(
    'bad-snooze',
    `${quote(text.trim())} is too long or too short: a pause lasts from 5 minutes to ${maxDays} days.`,
    help,
    { fixes: ['for 3 days'] },
  );

function parsePause(words: string, context: ParseContext): VariantLine {
  const until = takeUntil({ maxDays, refuse });
  // An end may be a date alone.
  const options = { sure: wordOption('yes'), from: fromOption, until };
  const { rest, values } = scanOptions(withRange(words), options, {
    ...{ command: ownLines.pause, example: examples[1], dateOrder: context.dateOrder },
  });
  const { sure, ...times } = values;
  if (isAll(rest)) return (sure ? begun : asked).of({ until: undefined, ...times });
  throw new UserError({
    code: 'unexpected-words',
    message: `${quote(rest)} isn't a time that a pause can begin or end at.`,
    hint: 'Write “from 24 dec until 27 dec”, “until monday 08:00” or “for 3 days”. A single watch is snoozed and a single digest is paused, each in its own list.',
    choices: [{ label: 'Pause everything …', line: ownLines.pause }],
    example: examples[1],
  });
}

const fromOption = optionOf(
  new RegExp(`(?:^|\\s)(?:from|starting|beginning)(?: on)? (${momentShape})$`, 'i'),
  ([, typed = ''], help) => parseMoment(typed, help),
);

/** `24-27 dec` → `from 24 dec until 27 dec`, `24 dec to 27 dec` → `from 24 dec until 27 dec`. */
const withRange = (words: string): string =>
  words
    .replace(
      /^(?:from |between )?(\d{1,2})\.? ?(?:-|–|to|and|until|till) ?(\d{1,2})\.? (\p{L}+)/iu,
      'from $1 $3 until $2 $3',
    )
    .replace(/^between (.+) and /i, 'from $1 until ')
    .replace(/^(?=\d{1,2}\.? \p{L}+ (?:to|until|till) )/u, 'from ')
    .replace(/^((?:from )?\d{1,2}\.? \p{L}+) ?[-–] ?(?=\d{1,2}\.? \p{L})/u, '$1 until ');

const maxDaysAhead = 365;

/**
 * Reads times in the person's zone; without an end, `until` is null. Throws UserError for a time that is past or too far
 * ahead.
 */
function resolveTimes({ from, until }: Pause, ctx: AskCtx): { from: Date | undefined; until: Date | null } {
  const now = ctx.now();
  const zoneOf = () =>
    zoneToSave(ctx.actor.zone, {
      hint: 'Try again in a minute, or pause for some days.',
      example: examples[1],
    });
  const at = ({ day, minutes = 0 }: Moment, after: Date) =>
    resolveMoment({ day, minutes }, { now: after, zone: zoneOf() });
  const start = from && at(from, now);
  if (from && start && start <= now) throw badTime(`${formatMoment(from)} is in the past.`);
  if (start && start > addDays(now, maxDaysAhead)) throw badTime('A pause begins within a year.');
  if (!until) return { from: start, until: null };
  const since = start ?? now;
  if (until.kind === 'for') return { from: start, until: addMinutes(since, until.minutes) };
  // `tomorrow` is the day after today, but `friday` is the first one after the beginning.
  const end = at(until.moment, needsDirection(until.moment.day) ? since : now);
  if (end <= since)
    throw badTime(`${formatMoment(until.moment)} is ${start ? 'not after its beginning' : 'in the past'}.`);
  if (end > addDays(since, maxDays)) throw badTime(`A pause lasts at most ${maxDays} days.`);
  return { from: start, until: end };
}

const badTime = (message: string): UserError =>
  new UserError({
    code: 'bad-snooze',
    message,
    hint: 'The time is read in your own time zone.',
    example: examples[1],
  });

/** What runs without being asked, in the whole workspace. */
async function countWork({ services: { store } }: AskCtx): Promise<{ watches: number; digests: number }> {
  const count = async (table: 'watches' | 'digests') => {
    const active = store.selectFrom(table).where('status', '=', 'active');
    const present = table === 'watches' ? active : active.where('removed_at', 'is', null);
    const { of } = await present.select(({ fn }) => fn.countAll<number>().as('of')).executeTakeFirstOrThrow();
    return Number(of);
  };
  return { watches: await count('watches'), digests: await count('digests') };
}

/** The runs of digests in such a pause; 0 if it has no end. */
async function countSkippedRuns(
  { since, until }: Pick<WorkPause, 'since' | 'until'>,
  ctx: AskCtx,
): Promise<number> {
  if (!until) return 0;
  const runs = await digestRuns({ from: since, now: since, until }, ctx);
  return runs.reduce((sum, { left }) => sum + left, 0);
}

const adminsOnly = (verb: 'pause' | 'resume', { registry }: AskCtx): UserError =>
  new UserError({
    code: 'not-allowed',
    message: `Only workspace admins can ${verb} everything. Nothing was changed.`,
    hint: 'Your own watches you can snooze, and your own digests you can pause, in their lists.',
    choices: registry.pausables.map(({ noun, lists }) => ({
      ...{ label: `List my ${noun.plural}`, line: lists.mine },
    })),
  });

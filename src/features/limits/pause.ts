import { addDays } from 'date-fns/addDays';
import { addMinutes } from 'date-fns/addMinutes';
import { ownLines, UserError } from '../../errors.ts';
import { joinWords, type LineHelp, quote, scanOptions, wordOption, wordsError } from '../../grammar/line.ts';
import type { Mentions } from '../../grammar/mentions.ts';
import { formatMoment, resolveMoment } from '../../grammar/moment.ts';
import { formatUntil, takeUntil, type UntilWords } from '../../grammar/until.ts';
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
import { resumePolls, showPauseOnCards } from '../polling/index.ts';
import { pausedAnswer, pauseQuestion, resumedAnswer } from './pause-answer.ts';

interface Pause {
  /** Left out: until an admin resumes the work. */
  until: UntilWords | undefined;
}

const lineFor = ({ until }: Pause, sure = ''): string =>
  joinWords(ownLines.pause, until && formatUntil(until), sure);

/** Asks first. */
const asked = variant<Pause>({
  format: (values) => lineFor(values),
  effect: 'opens',
  of: 'workspace',
  async run(values, ctx) {
    checkAdmin(ctx, () => adminsOnly('pause', ctx));
    const now = ctx.now();
    return pauseQuestion({
      ...(await countWork(ctx)),
      line: lineFor(values, 'yes'),
      until: resolveUntil(values, ctx),
      current: await ctx.services.pauses.at(now),
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
    const pause = await pauses.begin({ ...by, until: resolveUntil(values, ctx) }, (transaction) =>
      showPauseOnCards(transaction, queueContext(by, ctx)),
    );
    return pausedAnswer(pause);
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
    return resumedAnswer(before, await countWork(ctx));
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

const examples = [ownLines.pause, `${ownLines.pause} for 3 days`, `${ownLines.pause} until monday`] as const;

export const pauseCommand = command({
  name: 'pause',
  isUnderLandfall: true,
  summary: 'Pause all watches, digests and reminders of the workspace; people who ask are still answered',
  usage: '[for 3 days | until monday]',
  examples,
  questions: pauseQuestions,
  readText: readAbout('pause', ({ text }) => endIn.exec(text)?.[0] ?? ''),
  options: [
    {
      typed: 'for 3 days, until monday 08:00',
      help: 'when they go on; without it, when an admin resumes them',
    },
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
  readText: readAbout('resume', resumeIn),
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

/** An end that is another event is left out: the answer asks, and names what is known. */
const endIn =
  /\b(?:for \d{1,2} (?:days?|hours?|weeks?)|until (?:tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?: \d{1,2}:\d\d)?)\b/i;

/** Throws UserError for a time, which would be dropped. */
function resumeIn({ text, rest, periods }: Mentions): string {
  if (periods.length > 0 || timed.test(text) || timed.test(rest)) throw resumesAtOnce(text);
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

const isAll = (words: string): boolean => /^(?:everything|all|landfall|now)?$/i.test(words.trim());

const maxDays = 90;
const refuse = (text: string, help: LineHelp): UserError =>
  wordsError(
    'bad-snooze',
    `${quote(text.trim())} is too long or too short: a pause lasts from 5 minutes to ${maxDays} days.`,
    help,
    { fixes: ['for 3 days'] },
  );

function parsePause(words: string, context: ParseContext): VariantLine {
  const options = { sure: wordOption('yes'), until: takeUntil({ maxDays, refuse }) };
  const { rest, values } = scanOptions(words, options, {
    ...{ command: ownLines.pause, example: examples[1], dateOrder: context.dateOrder },
  });
  if (isAll(rest)) return (values.sure ? begun : asked).of({ until: values.until });
  throw new UserError({
    code: 'unexpected-words',
    message: `${quote(rest)} isn't a time that a pause can end at.`,
    hint: 'A single watch is snoozed and a single digest is paused, each in its own list.',
    choices: [{ label: 'Pause everything …', line: ownLines.pause }],
    example: examples[1],
  });
}

/** Reads times in the person's zone; null without an end. Throws UserError for a time that is past or too far ahead. */
function resolveUntil({ until }: Pause, ctx: AskCtx): Date | null {
  if (!until) return null;
  const now = ctx.now();
  if (until.kind === 'for') return addMinutes(now, until.minutes);
  const { day, minutes = 0 } = until.moment;
  const zone = zoneToSave(ctx.actor.zone, {
    hint: 'Try again in a minute, or pause for some days.',
    example: examples[1],
  });
  const at = resolveMoment({ day, minutes }, { now, zone });
  if (at > now && at <= addDays(now, maxDays)) return at;
  const typed = formatMoment(until.moment);
  throw new UserError({
    code: 'bad-snooze',
    message: at <= now ? `${typed} is in the past.` : `A pause lasts at most ${maxDays} days.`,
    hint: 'The time is read in your own time zone.',
    example: examples[1],
  });
}

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

const adminsOnly = (verb: 'pause' | 'resume', { registry }: AskCtx): UserError =>
  new UserError({
    code: 'not-allowed',
    message: `Only workspace admins can ${verb} everything. Nothing was changed.`,
    hint: 'Your own watches you can snooze, and your own digests you can pause, in their lists.',
    choices: registry.pausables.map(({ noun, lists }) => ({
      ...{ label: `List my ${noun.plural}`, line: lists.mine },
    })),
  });

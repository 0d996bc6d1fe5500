import { addDays } from 'date-fns/addDays';
import type { Answer } from '../../answers/answer.ts';
import { ownLines, UserError } from '../../errors.ts';
import { quote } from '../../grammar/line.ts';
import { dayOf } from '../../workspaces/call-counts.ts';
import { limitInWords } from '../../workspaces/settings.ts';
import { readAbout } from '../bot-topics.ts';
import { command, type VariantLine, variant } from '../command.ts';
import { type AskCtx, checkSeesUsage, currentActor, type Question } from '../ctx.ts';
import { callsAMonth } from '../digests/index.ts';
import { withPausedWork } from '../owned/index.ts';
import { callPlanHere, countPolled, shortenWaits } from '../polling/index.ts';
import { limitAnswer, limitChangedAnswer, lineFor, type TypedLimit } from './limit-answer.ts';

const shown = variant<object>({
  format: () => ownLines.limit,
  effect: 'reads',
  privacy: 'internal',
  of: 'workspace',
  run: show,
});

const changed = variant<{ limit: TypedLimit }>({
  format: ({ limit }) => lineFor(limit),
  confirmation: 'Yes, change it',
  effect: 'changes',
  privacy: 'internal',
  of: 'workspace',
  run: ({ limit }, ctx) => change(limit, ctx),
});

const limit = '(?:limit|cap|budget|quota|allowance)s?';
const ours = '(?:our |the |my |your )?(?:daily |monthly |api |call )*';

const limitQuestions: readonly Question[] = [
  {
    example: 'Are we near our limit?',
    asked: [
      `(?:are we|is (?:landfall|the bot)|am i) (?:\\w+ ){0,2}(?:near|close to|over|within|in|at|past|above|below|under|hitting|reaching|beyond) ${ours}${limit}`,
      `how (?:near|close|far) (?:are we|is (?:landfall|the bot)) (?:to|from|off|over) ${ours}${limit}`,
      `(?:(?:what(?:'s|s| is| are)|show|which) )?${ours}${limit}(?: of (?:landfall|the bot|calls|api calls))?`,
      `(?:is|are) there (?:an? |any )?(?:daily |monthly |api |call )*${limit}(?: (?:on|for|to) .+)?`,
      `(?:do we have|have we got) (?:an? |any )?(?:daily |monthly |api |call )*${limit}`,
      `(?:will|did|do|have) we (?:hit|reach|exceed|hitting|reached|exceeded) ${ours}${limit}`,
    ],
    words: '',
  },
  {
    example: 'Remove the limit',
    asked: [`(?:no|remove|delete|lift|drop|clear) ${ours}${limit}`],
    words: 'none',
    offer: 'Watches, digests and assistants then make as many API calls as the operator allows.',
  },
];

const examples = [ownLines.limit, `${ownLines.limit} 2000 a day`, `${ownLines.limit} none`] as const;

export const limitCommand = command({
  name: 'limit',
  isUnderLandfall: true,
  summary: 'The calls of today, and the limit for watches, digests and assistants; admins set and remove it',
  usage: '[CALLS a day | CALLS a month | none]',
  examples,
  questions: limitQuestions,
  ...readAbout('limit', ({ text }) => (/^limit \S+$/i.test(text) ? undefined : limitIn(text))),
  options: [
    {
      typed: '2,000 a day',
      help: 'at most about so many calls a day for watches, digests and assistants; “a month” is spread over its days',
    },
    { typed: 'none', help: 'no limit, except that of the operator' },
  ],
  optionsNote: 'Workspace admins set the limit. People who ask are always answered',
  verbs: ['budget', 'quota', 'cap'],
  variants: [shown, changed],
  parse,
});

/** `raise the cap to 2,500 calls a day`: empty without a number, undefined for two. Throws UserError for a part or a person. */
function limitIn(text: string): string | undefined {
  if (otherwise.test(text)) throw onlyForAll(text);
  if (unreadWord.test(text)) return undefined;
  const [amount, ...others] = text.match(/(?<![\p{L}\d:/])\d[\d.,']*\d?k?(?![\p{L}\d:/])/giu) ?? [];
  if (amount === undefined) return '';
  const [, unit = /\bmonthly\b/i.test(text) ? 'month' : 'day'] =
    /\d.*?(?:\b(?:an?|per|each|every)\b|\/) ?(\p{L}+)/u.exec(text) ?? [];
  return others.length > 0 ? undefined : `${amount} a ${unit}`;
}

/** `by 10%`, `by 500`, `for ben`, `for #ops`: a limit is a number for the whole workspace. */
const otherwise =
  /\d ?(?:%|per ?cent|pct)|\bby (?:a |an |about |another )?(?:\d|half|third|quarter)|\b(?:halve|double|triple)\b|\bfor (?!(?:the|our|my|this|all|now|landfall|today|calls|api|everyone|everybody|watches|us|november|december)\b)[#@<\p{L}]|\bof [#@<]|\bfor (?:the |our )?channel\b/iu;

const onlyForAll = (words: string): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: `I can't set a limit like ${quote(words)}: it is a number of calls for the whole workspace, a day or a month.`,
    choices: [{ label: 'Show the limit', line: ownLines.limit }],
    example: examples[1],
  });

const unreadWord = /^(?:limit|cap|budget|quota) (?!(?:please|pls|now|today|status|it)$)\p{L}+$/iu;

const none =
  /^(?:(?:to )?(?:none|off|no(?: limit)?|unlimited|without|nothing)|(?:remove|delete|clear|drop)(?: it)?)$/i;
const amount =
  /^(?:(?:to|of|at|is|=|:|max(?:imum)?|at most) ?)*(\d{1,3}(?:[,.'’ ]\d{3})+|\d+)(k)?(?: ?(?:(?:api )?(?:calls?|requests?)))?(?: ?(?:(?:an?|per|each|every|\/) ?(day|month|\w+)|(daily|monthly)))?$/i;

const maxCalls = 100_000_000;

function parse(typed: string): VariantLine {
  // As a verb, `budget` is still there.
  const words = typed.replace(/^(?:budget|quota|cap)\b(?: (?:it|us|this|the bot) (?:at|to))?\s*/i, '').trim();
  if (words === '') return shown.of({});
  if (none.test(words)) return changed.of({ limit: null });
  const [, digits = '', thousands, unit = 'day', often] = amount.exec(words) ?? [];
  const per = /^daily$/i.test(often ?? '') ? 'day' : /^monthly$/i.test(often ?? '') ? 'month' : unit;
  const calls = Number(digits.replace(/\D/g, '')) * (thousands ? 1_000 : 1);
  if (digits === '') throw otherwise.test(words) ? onlyForAll(words) : notUnderstood(words);
  if (calls === 0) throw pauseInstead();
  if (calls > maxCalls) throw tooHigh();
  if (per.toLowerCase() === 'day' || per.toLowerCase() === 'month')
    return changed.of({ limit: { calls, per: per.toLowerCase() === 'day' ? 'day' : 'month' } });
  throw otherUnit(per, calls);
}

const notUnderstood = (words: string): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: `${quote(words)} isn't a number of calls.`,
    hint: 'Write how many calls a day, or a month.',
    choices: [{ label: 'Show the limit', line: ownLines.limit }],
    example: examples[1],
  });

const pauseInstead = (): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: 'With a limit of 0, watches and digests could do nothing.',
    hint: 'To stop them for a while, pause everything.',
    choices: [
      { label: 'Pause everything …', line: ownLines.pause },
      { label: 'No limit', line: lineFor(null) },
    ],
    example: examples[1],
  });

const tooHigh = (): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: `A limit has at most ${maxCalls.toLocaleString('en')} calls.`,
    choices: [{ label: 'No limit', line: lineFor(null) }],
    example: examples[1],
  });

function otherUnit(unit: string, calls: number): UserError {
  const choices = (
    [
      { calls, per: 'day' },
      { calls, per: 'month' },
    ] as const
  ).map((each) => ({
    label: limitInWords(each),
    line: lineFor(each),
  }));
  return new UserError({
    code: 'unexpected-words',
    message: `A limit is for a day or a month, not for ${quote(unit)}.`,
    choices,
    example: examples[1],
  });
}

async function show(_: object, ctx: AskCtx): Promise<Answer> {
  checkSeesUsage(ctx);
  const { calls, limit } = ctx.services;
  const now = ctx.now();
  const [today, tomorrow] = [now, addDays(now, 1)].map((day) => dayOf(day.getTime()));
  const { days } = await calls.ofMonth(dayOf(now.getTime()).slice(0, 7));
  const sum = (counts: typeof days) => counts.reduce((total, count) => total + count.calls, 0);
  const answer = limitAnswer({
    now,
    isAdmin: ctx.actor.isAdmin,
    today: sum(days.filter(({ day }) => today && tomorrow && day >= today && day < tomorrow)),
    thisMonth: sum(days),
    own: await limit.get(),
    operators: limit.operators,
    ...{ plan: await callPlanHere(ctx), callsAMonth: await callsAMonth(ctx) },
    pollMinutes: ctx.services.settings.pollMinutes,
  });
  return withPausedWork(answer, ctx);
}

async function change(typed: TypedLimit, ctx: AskCtx): Promise<Answer> {
  const { limit, settings, store } = ctx.services;
  const now = ctx.now();
  const actor = await currentActor(ctx);
  const own = typed && { ...typed, by: actor.userId, at: now };
  const before = await limit.change(own, actor);
  const plan = await callPlanHere(ctx);
  if (settings.pollMinutes === undefined) await shortenWaits(store, { now, stretch: plan.stretch });
  return limitChangedAnswer({
    ...{ now, own, before, operators: limit.operators, pollMinutes: settings.pollMinutes },
    plan,
    polled: await countPolled(store),
  });
}

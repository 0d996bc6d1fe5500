import { UserError } from '../../errors.ts';
import { meantCue } from '../../grammar/cues.ts';
import { joinWords } from '../../grammar/line.ts';
import type { Mentions } from '../../grammar/mentions.ts';
import { withTimesInFigures } from '../../grammar/number-words.ts';
import { timeShape } from '../../grammar/times.ts';
import { botTopicOf, placesIn } from '../bot-topics.ts';
import type { Meaning } from '../ctx.ts';
import { formatScope, scopeIn } from '../history/index.ts';
import { politely } from '../question-words.ts';
import { hoursBetween, localClock, notEvery, withoutHours } from './schedule.ts';
import { exampleLine, parseDigest } from './words.ts';

/** The list, a digest to add, or a digest's number with what to do with it. */
export function readText(mentions: Mentions): string | undefined {
  const { text, command, topic } = mentions;
  const acted = actionIn(command === 'digest' ? `digest ${text}` : text);
  if (acted !== undefined) return acted;
  if (ofNone.test(text)) return 'list';
  const added = command === 'digest' || topic === 'manage' ? readAdded(text, command) : undefined;
  if (added !== undefined) return `add ${added}`;
  return botTopicOf(mentions) === 'digests' && placesIn(text).length === 0 ? listIn(mentions) : undefined;
}

const listIn = ({ text }: Mentions): string => joinWords('list', formatScope(scopeIn(text)));

/** See `Meaning`. */
export const digestMeanings: readonly Meaning[] = [
  {
    name: 'digest',
    of: /^digest add /,
    words: ({ text }, likeliest) => {
      const added = plannedIn(text, likeliest) ?? readAdded(text, 'digest');
      return added && `add ${added}`;
    },
  },
  { name: 'digests', of: /^digest list/, words: listIn },
  ...(['pause', 'resume', 'remove', 'run'] as const).map((verb) => ({
    name: `${verb} digest`,
    of: new RegExp(`^digest ${verb} `),
    words: ({ text }: Mentions) => {
      const number = numberIn(text);
      return number && `${verb} ${number}`;
    },
  })),
];

/** Of the only digest that is named so. */
function numberIn(text: string): string | undefined {
  const [found, ...others] = withDigests(text).matchAll(numbered);
  const [number, ...otherNumbers] = text.match(/(?<![\d:.])\d{1,4}(?![\d:.])/g) ?? [];
  if (others.length > 0) return undefined;
  return found?.[1] ?? found?.[2] ?? (otherNumbers.length === 0 ? number : undefined);
}

/** With the line that the rest of the text most likely means. */
function plannedIn(
  text: string,
  likeliest: (text: string) => string | undefined = () => undefined,
): string | undefined {
  const words = withTimesInFigures(text)
    .replace(workWeek, 'weekdays')
    .split(/[\s()]+/);
  const found = scheduleIn(words);
  const plan = found
    ? { ...found, rest: joinWords(found.before, words.slice(found.end).join(' ')) }
    : scheduleApart(words.join(' '));
  const line = plan && likeliest('rest' in plan ? plan.rest : plan.before);
  return plan && line !== undefined
    ? `${joinWords(plan.schedule, isForMe(text) && !/ me$/i.test(plan.schedule) ? 'to me' : '')}: ${line}`
    : undefined;
}

const withDigests = (text: string): string => text.replace(/\b\p{L}+/gu, meantWord);

/** Throws UserError for `send lineup Rotterdam every 2 hours`. */
export function checkNotEvery(text: string): void {
  const hours = hoursBetween(text);
  if (hours === undefined || !isWished.test(text) || asks.test(text)) return;
  const line = withoutHours(text).replace(/\s+/g, ' ').trim().replace(request, '').replace(end, '');
  throw notEvery(hours, { example: exampleLine, line: (fixed) => `digest add ${fixed}: ${line}` });
}

/** A day alone recurs too where the text says that it is a digest. */
function readAdded(text: string, command: string | undefined): string | undefined {
  const typed = (command === 'digest' ? `digest ${text}` : text).replace(workWeek, 'weekdays');
  checkNotEvery(typed);
  return (
    readAddition(text.replace(workWeek, 'weekdays')) ??
    readPlan(typed) ??
    readPlan(typed.replace(/[";]/g, ' '))
  );
}

const workWeek = /\b(?:every |each )?mon(?:day)?s? ?(?:to|-|through|thru|till) ?fri(?:day)?s?\b/gi;

/** `put digest 3 on hold`, `remove digest no. 3, nobody reads it`; undefined for two numbers, or another change. */
export function actionIn(typed: string): string | undefined {
  const text = withDigests(typed);
  const [found, ...others] = text.matchAll(numbered);
  const number = found?.[1] ?? found?.[2];
  const words = text.replace(numbered, ' ').replace(notSo, ' ');
  if (number === undefined || others.length > 0 || /\d/.test(words) || isOtherAction.test(words))
    return undefined;
  const verb = actions.find(([, cue]) => cue.test(words))?.[0];
  return verb && `${verb} ${number}`;
}

const meantWord = (word: string): string => (meantCue(word.toLowerCase()) === 'digest' ? 'digest' : word);

const numbered = /\bdigest,? ?(?:no\.?|nr\.?|number|#)? ?#?(\d{1,4})\b|\b(\d{1,2})(?:st|nd|rd|th) digest\b/gi;
const notSo = /\b(?:do(?:n.?t| not)|not|never) \p{L}+/giu;
const isOtherAction =
  /:|^\W*(?:who|why|when|did|does|was|is|are)\b|\b(?:change|edit|move|hand|give|rename|until|till?|also|and (?:watch|add|remove|stop))\b/i;

/** The first that fits: of a digest that is stopped for now, nothing is removed. */
const actions: readonly (readonly [verb: string, cue: RegExp])[] = [
  ['restore', /\brestore\b/i],
  ['resume', /\b(?:resumed?|un-?paused?|restart|start again|back on|on again)\b/i],
  [
    'pause',
    /\b(?:paused?|suspend(?:ed)?|hold|for now|for the moment|for the time being|temporarily|skip)\b/i,
  ],
  ['remove', /\b(?:removed?|deleted?|stop(?:ped)?|cancel(?:l?ed)?|end|drop|kill|bin|scrap)\b/i],
  ['run', /^\W*now\W*(?:please|pls)?\W*$|\b(?:re-?)?run\b|\bsend\b.*\b(?:now|again)\b/i],
  ['show', /\bshow\b/i],
];

/** `stop the digest`: the list has their numbers. */
const ofNone = new RegExp(
  `^${politely}(?:remove|delete|stop|cancel|end|drop|pause|resume|edit|change)(?: (?:the|our|my|this|all|all the|a))? digests?(?: (?:now|please|pls|again|thanks))*[.!]?$`,
  'i',
);

/**
 * The words after `digest add`, for a schedule that recurs, anywhere in the text, and lines after it, or before it:
 * `post mondays 8.00 lane Shanghai Rotterdam`, `send lineup Rotterdam every morning at 7`.
 */
export function readAddition(text: string): string | undefined {
  const found = scheduleIn(text.split(/\s+/).slice(0, maxWords));
  if (!found || isOtherwise.test(found.before)) return undefined;
  const { before, schedule, endsInColon } = found;
  const after = text
    .split(/\s+/)
    .slice(found.end)
    .join(' ')
    .replace(/^[\s:,-]+/, '')
    .replace(toMeAlone, '');
  const request = before.replace(introduction, '').replace(toMeAlone, '');
  const isRequested = request !== before || commandFirst.test(before);
  const head = joinWords(schedule, isForMe(text) && !/ me$/i.test(schedule) ? 'to me' : '');
  if (after !== '')
    return endsInColon || request === ''
      ? `${head}: ${after.replace(introduction, '').replace(lineIntroduction, '')}`
      : undefined;
  const line = request.replace(/[\s,]+(?:on|at)?$/i, '').replace(end, '');
  return isRequested && line !== '' ? `${head}: ${line}` : undefined;
}

const maxWords = 100;

/** A day that recurs and a time of day, anywhere in a request, and what is left of it. */
function readPlan(text: string): string | undefined {
  const spoken = withTimesInFigures(text.slice(0, maxTextLength))
    .split(/[\s()]+/)
    .join(' ');
  if (asks.test(spoken) || !isWished.test(spoken)) return undefined;
  const found = scheduleIn(spoken.split(' '));
  const plan = found
    ? { schedule: found.schedule, before: found.before, after: spoken.split(' ').slice(found.end).join(' ') }
    : scheduleApart(spoken);
  if (!plan || isChange.test(plan.before)) return undefined;
  const { schedule, before, after } = plan;
  const asked = joinWords(
    before.replace(/[\s,]+(?:on|at)?$/i, '').replace(request, ''),
    after.replace(request, ''),
  );
  const line = asked.replace(request, '').replace(toMeAlone, '').replace(end, '');
  const forMe = isForMe(text) && !/ me$/i.test(schedule) ? 'to me' : '';
  return line === '' ? undefined : `${joinWords(schedule, forMe)}: ${line}`;
}

const maxTextLength = 1_000;

const asks = /^(?:why|when|which|what|who|how|did|does|was|is|are)\b/i;

const isChange = /\b(?:stop|remove|delete|pause|cancel|don.?t|not|no|change|move|edit|instead|why)\b/i;

/** `the vessel sails every monday at 8` wishes nothing. */
const isWished =
  /\b(?:digests?|send|dm|message|post|put|drop|give|show|add|set up|create|make|schedule|plan|wants?|needs?|like|get|receive|have|see|remind|arrange|please|pls)\b|^(?:every|each|daily|weekdays|on|at|\p{L}+days?)\b/iu;

/** Words that stand before what is asked. */
const request = new RegExp(
  `^[\\s:,;.-]*${politely}(?:(?:add|create|make|set|up|new|send|post|put|drop|give|show|dm|only|just|privately|private|that says|saying|run|schedule|plan|i|we|you|need|wants?|like|likes|have|to|hear|from|now|receive|get|us|a|an|the|it|on|at|for|of|with|here|in|this|channel|team|boss|customers?|digests?|reports?|e?mail|message|arrange|weekly|remind|me|first thing|please|pls|can|could|would|'d|i'd|we'd|#\\S+|<#\\S+>)(?=[\\s:,]|$)[:,]?\\s*)*`,
  'i',
);

/** Words that stand after what is asked. */
const end =
  /(?:[\s,;.]+(?:please|pls|thanks|thx|here|in here|(?:in|into|to) (?:this |the |our )?channel|or not|set up|(?:please |pls )?set (?:it |that )?up|so (?:that )?(?:i|we) can .*))+[\s.!?]*$/i;

/** A day that recurs in one place, and the only time of day in another. */
function scheduleApart(text: string): { schedule: string; before: string; after: string } | undefined {
  const days = [...text.matchAll(recurringDays)].map(([found]) => found);
  const times = [...text.matchAll(times24)].map(([found]) => found);
  const day =
    days.find((each) => !/^(?:daily|every ?day|(?:every|each) (?:day|morning))/i.test(each)) ?? days[0];
  const [time, ...otherTimes] = times;
  if (day === undefined || time === undefined || otherTimes.length > 0) return undefined;
  const schedule = `${day} ${time.replace(/^at /i, '')}`;
  const before = text.replace(times24, ' ').replace(recurringDays, ' ').replace(/\s+/g, ' ').trim();
  return isSchedule(schedule) ? { schedule, before, after: '' } : undefined;
}

const recurringDays =
  /\b(?:on )?(?:(?:every|each) (?:(?:working |business |week)?day|morning|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?|daily|everyday|weekdays|workdays|(?:working|business) days|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b/gi;
const times24 = new RegExp(`\\b(?:(?:at )?${timeShape}|at \\d{1,2})(?![\\d:.-])`, 'gi');

/** A change of another digest, or a question. */
const isOtherwise =
  /\b(?:stop|remove|delete|pause|cancel|don.?t|not|no|change|move|edit|instead|why|when|which|what|who|did|does|was|is)\b/i;

const introduction = new RegExp(
  `^${politely}(?:(?:add|create|make|set up|set|new|send|post|give|show|run|schedule|plan|i|we|need|want|get|me|us|a|an|the|it|on|at|to|for|of|with|here|in|this|channel|digests?|update|report)\\b[:,]?(?:\\s+|$))*`,
  'i',
);

const lineIntroduction = /^(?:(?:with|of|containing|showing|the)\s+)+/i;

const commandFirst = /^(?:nextport|portcalls|lineup|lane|usage|watch) /i;

/** Which readers it has is part of the schedule. */
const toMeAlone =
  /(?:,? |^)(?:(?:just |only )?(?:to|for) me(?: (?:only|alone))?|privately,?|for my eyes only)(?=[\s.,!?]|$)/i;
const toMe =
  /\b(?:(?:send|dm|give|show|message) (?:only |just )?me|(?:to|for) (?:me|myself)|privately|private (?:message|dm)|(?:for )?my eyes)\b/i;

/** `send me … in this channel` is for all who read it. */
const isForMe = (text: string): boolean =>
  toMe.test(text) && !/\b(?:in|to|into) (?:this|the|our) channel\b|\bpost(?: it)? here\b/i.test(text);

interface Found {
  before: string;
  schedule: string;
  endsInColon: boolean;
  /** The index of the word after it. */
  end: number;
}

const maxScheduleWords = 12;
const scheduleStart =
  /^(?:"|(?:every|each|daily|everyday|(?:week|work)days?|weekends|working|business|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)\b)/i;
const recurs =
  /\b(?:every|each|daily|everyday|weekdays?|workdays?|(?:working|business) days?|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days|mon(?:day)?(?: ?- ?| to )fri(?:day)?)\b/i;

/** The first, perhaps after a title in quotes, and of those that begin there the longest. Of a `digest`, a day alone recurs too. */
function scheduleIn(words: readonly string[]): Found | undefined {
  for (let at = 0; at < words.length; at += 1) {
    if (!scheduleStart.test(words[at] ?? '')) continue;
    const before = words.slice(0, at).join(' ');
    for (let end = Math.min(at + maxScheduleWords, words.length); end > at; end -= 1) {
      const run = words.slice(at, end);
      if (unfinished.test(run.at(-1) ?? '')) continue;
      const [schedule, endsInColon] = [
        run.join(' ').replace(/[\s:,-]+$/, ''),
        run.at(-1)?.endsWith(':') ?? false,
      ];
      if (run.slice(0, -1).some((word) => word.endsWith(':'))) continue;
      if (!recurs.test(schedule) && !/\bdigest\b/i.test(before)) continue;
      // To read one takes a millisecond, and without a time of day it is none.
      if (!hasTime.test(schedule)) continue;
      if (isSchedule(schedule)) return { before, schedule, endsInColon, end };
    }
  }
  return undefined;
}

const unfinished = /^(?:the|of|in|on|at|and|an?)$/i;
const hasTime = /\d|noon|midnight|\b(?:half|quarter) /i;

/** Whose clock it is by is asked later. */
function isSchedule(words: string): boolean {
  try {
    const { when, ownerId } = parseDigest(words.replace(localClock, ''), {
      example: '',
      line: (fixed) => fixed,
    });
    return when !== undefined && ownerId === undefined;
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

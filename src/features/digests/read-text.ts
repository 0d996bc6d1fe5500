import { UserError } from '../../errors.ts';
import { joinWords } from '../../grammar/line.ts';
import type { Mentions } from '../../grammar/mentions.ts';
import { placesIn, readAbout } from '../bot-topics.ts';
import { formatScope, scopeIn } from '../history/index.ts';
import { politely } from '../question-words.ts';
import { parseDigest } from './words.ts';

/** The list, a digest to add, or a digest's number with what to do with it. */
export function readText(mentions: Mentions): string | undefined {
  const { text } = mentions;
  const [, verb = '', number = ''] = action.exec(text) ?? [];
  if (number !== '') return `${verbs.get(verb.toLowerCase()) ?? 'remove'} ${number}`;
  const added = readAddition(text);
  if (added !== undefined) return `add ${added}`;
  return readAbout('digests', () =>
    placesIn(text).length > 0 ? undefined : joinWords('list', formatScope(scopeIn(text))),
  )(mentions);
}

const verbs = new Map(['pause', 'resume', 'restore', 'run', 'show'].map((verb) => [verb, verb]));

/** `remove digest no. 3, nobody reads it`, but not `remove digest 3 and 4`. */
const action = new RegExp(
  `^${politely}(remove|delete|stop|cancel|end|drop|pause|resume|restore|run|show)(?: (?:the|our|my|this))? digest,? ?(?:no\\.?|nr\\.?|number|#)? ?#?(\\d{1,4})(?: (?:now|please|pls|again|thanks))*(?:[,.;!-](?!.*\\d).*)?$`,
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
    .replace(/^[\s:,-]+/, '');
  const request = before.replace(introduction, '');
  const isRequested = request !== before || commandFirst.test(before);
  const head = joinWords(schedule, toMe.test(before) && !/ me$/i.test(schedule) ? 'to me' : '');
  if (after !== '')
    return endsInColon || request === '' ? `${head}: ${after.replace(lineIntroduction, '')}` : undefined;
  return isRequested && request !== '' ? `${head}: ${request.replace(/[\s,]+(?:on|at)?$/i, '')}` : undefined;
}

const maxWords = 100;

/** A change of another digest, or a question. */
const isOtherwise =
  /\b(?:stop|remove|delete|pause|cancel|don.?t|not|no|change|move|edit|instead|why|when|which|what|who|did|does|was|is)\b/i;

const introduction = new RegExp(
  `^${politely}(?:(?:add|create|make|set up|set|new|send|post|give|show|run|schedule|plan|i|we|need|want|get|me|us|a|an|the|it|on|at|to|for|of|with|here|in|this|channel|digests?|update|report)\\b[:,]?(?:\\s+|$))*`,
  'i',
);

const lineIntroduction = /^(?:(?:with|of|containing|showing|the)\s+)+/i;

const commandFirst = /^(?:nextport|portcalls|lineup|lane|usage|watch) /i;

const toMe = /\b(?:send|dm|give|show|message) me\b/i;

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
  /\b(?:every|each|daily|everyday|weekdays?|workdays?|(?:working|business) days?|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b/i;

/** The first, perhaps after a title in quotes, and of those that begin there the longest. Of a `digest`, a day alone recurs too. */
function scheduleIn(words: readonly string[]): Found | undefined {
  for (let at = 0; at < words.length; at += 1) {
    if (!scheduleStart.test(words[at] ?? '')) continue;
    const before = words.slice(0, at).join(' ');
    for (let end = Math.min(at + maxScheduleWords, words.length); end > at; end -= 1) {
      const run = words.slice(at, end);
      const [schedule, endsInColon] = [
        run.join(' ').replace(/[\s:,-]+$/, ''),
        run.at(-1)?.endsWith(':') ?? false,
      ];
      if (run.slice(0, -1).some((word) => word.endsWith(':'))) continue;
      if (!recurs.test(schedule) && !/\bdigest\b/i.test(before)) continue;
      if (isSchedule(schedule)) return { before, schedule, endsInColon, end };
    }
  }
  return undefined;
}

function isSchedule(words: string): boolean {
  try {
    const { when, ownerId } = parseDigest(words, { example: '', line: (fixed) => fixed });
    return when !== undefined && ownerId === undefined;
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

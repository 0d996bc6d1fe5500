import { type Choice, UserError, type UserErrorCode } from '../../errors.ts';
import {
  channelOption,
  formatChannel,
  formatPerson,
  joinWords,
  type LineHelp,
  type LineOption,
  optionOf,
  quote,
} from '../../grammar/line.ts';
import { findPortsIn } from '../../grammar/port.ts';
import { portOf } from '../../reference/ports.ts';
import { nextPortsExample } from '../next-ports/index.ts';
import { portCallsExample } from '../port-calls/index.ts';
import { formatSchedule, parseSchedule, type ScheduleWords } from './schedule.ts';

/** The settings that people type. Others keep their values, or get the defaults if the digest is new. */
export interface DigestWords {
  title?: string;
  when?: ScheduleWords;
  /** `only news`: the digest is not sent if nothing is new. `always`: it is. */
  onlyNews?: boolean;
  /** `to me`: by direct message. */
  toMe?: true;
  /** `in <#C024BE7LR>`: sent in another channel. */
  channelId?: string;
  /** `hand over to <@U024BE7LH>`: the new owner. */
  ownerId?: string;
  lines?: readonly string[];
}

export type DigestRef = { number: number } | { title: string };

export const exampleLines = `${portCallsExample}; ${nextPortsExample}`;
export const exampleLine = `digest add weekdays 08:00: ${exampleLines}`;

/** The example is a whole digest to copy, unless the details have another. */
export const digestError = (
  code: UserErrorCode,
  message: string,
  details: { hint?: string; choices?: readonly Choice[]; example?: string } = {},
): UserError => new UserError({ code, message, example: exampleLine, ...details });

export const maxTitleLength = 80;
export const maxLines = 20;

/**
 * `"Morning" weekdays 08:00 Europe/Berlin only news: portcalls NLRTM next 3 days; usage`. Each part is optional.
 * Throws UserError.
 */
export function parseDigest(words: string, { line, example }: LineHelp): DigestWords {
  const { head, body } = splitHead(words);
  const { title, rest } = takeTitle(head, example);
  const { when, options } = takeOptions(rest, example);
  const parsed: DigestWords = {
    ...(title !== undefined && { title }),
    ...options,
    ...(body !== undefined && { lines: splitLines(body, example) }),
  };
  if (when === '') return parsed;
  const ports = (parsed.lines ?? []).flatMap(findPortsIn);
  const help = {
    zones: [...new Set(ports.flatMap((port) => portOf(port)?.zone ?? []))].slice(0, 3),
    ...{ example, line: (fixed: string) => line(joinDigest(parsed, fixed)) },
  };
  return { ...parsed, when: parseSchedule(when, help) };
}

/** The canonical form, in the order of the example above. */
export function formatDigest(words: DigestWords): string {
  return joinDigest(words, words.when ? formatSchedule(words.when) : '');
}

function joinDigest({ title, onlyNews, toMe, channelId, ownerId, lines }: DigestWords, when: string): string {
  const head = joinWords(
    title === undefined ? '' : `"${title}"`,
    when,
    onlyNews === undefined ? '' : onlyNews ? 'only news' : 'always',
    toMe ? 'to me' : '',
    formatChannel(channelId),
    ownerId === undefined ? '' : `hand over to ${formatPerson(ownerId)}`,
  );
  return lines ? `${head}: ${lines.join('; ')}` : head;
}

/** Takes a number, or a title in quotes, from the beginning. */
export function takeDigestRef(words: string): { ref?: DigestRef; rest: string } {
  const [text = '', number, title] =
    /^(?:(?:no\.? ?|#)?(\d{1,4})(?=\s|:(?!\d)|$)|"([^"]+)")\s*/i.exec(words) ?? [];
  const rest = words.slice(text.length);
  if (number !== undefined) return { ref: { number: Number(number) }, rest };
  return title === undefined ? { rest: words } : { ref: { title: title.trim() }, rest };
}

export function formatDigestRef(ref: DigestRef | undefined): string {
  if (!ref) return '';
  return 'number' in ref ? String(ref.number) : `"${ref.title}"`;
}

/** Splits at the first colon that is not in a time or in quotes. */
function splitHead(words: string): { head: string; body?: string } {
  const [, head = '', body] = /^((?:"[^"]*"|\b\d{1,2}:\d{2}|[^":\d]+|\d+|")*)(?::(.*))?$/s.exec(words) ?? [];
  return { head: head.trim(), ...(body !== undefined && { body: body.trim() }) };
}

function takeTitle(head: string, example: string): { title?: string; rest: string } {
  if (!head.startsWith('"')) return { rest: head };
  const [text = '', title = ''] = /^"([^"]*)"\s*/.exec(head) ?? [];
  if (text === '')
    throw digestError('unclosed-quote', 'The quotation mark before the title is never closed.', { example });
  const trimmed = title.trim();
  if (trimmed === '' || trimmed.length > maxTitleLength)
    throw digestError(
      trimmed === '' ? 'missing-argument' : 'too-long',
      `A title has 1 to ${maxTitleLength} characters.`,
      { example },
    );
  return { title: trimmed, rest: head.slice(text.length) };
}

type Options = Pick<DigestWords, 'onlyNews' | 'toMe' | 'channelId' | 'ownerId'>;

const optionReaders: readonly LineOption<Options>[] = [
  (words, helpFor) => {
    const channel = channelOption(words, helpFor);
    return channel && { rest: channel.rest, value: { channelId: channel.value } };
  },
  optionOf(/(?:^|[\s,])only (?:(?:the )?news|(?:when |if )?(?:something is )?new)$/i, () => ({
    onlyNews: true,
  })),
  optionOf(/(?:^|[\s,])always$/i, () => ({ onlyNews: false })),
  optionOf(/(?:^|[\s,])(?:to|for) (?:me|myself)$/i, () => ({ toMe: true })),
  optionOf(/(?:^|[\s,])hand\s?over (?:to )?<@([UW][A-Z0-9]+)>$/i, ([, id = '']) => ({
    ownerId: id.toUpperCase(),
  })),
];

/** Takes options in any order from the end of the words before the colon. The rest says when to send the digest. */
function takeOptions(head: string, example: string): { when: string; options: Options } {
  const helpFor = () => ({ example, line: (fixed: string) => fixed });
  const options: Options = {};
  for (let when = head.trim(); ; ) {
    const taken = optionReaders.map((take) => take(when, helpFor)).find((option) => option);
    if (!taken) return { when, options };
    Object.assign(options, taken.value);
    when = taken.rest.trim();
  }
}

function splitLines(body: string, example: string): string[] {
  const lines = split(body);
  if (lines.length > maxLines)
    throw digestError('too-long', `A digest has at most ${maxLines} lines, this one has ${lines.length}.`, {
      example,
    });
  if (lines.length === 0)
    throw digestError('missing-argument', 'What should the digest contain? Type its lines after the colon.', {
      hint: 'Each line is a command; separate them with semicolons.',
      example,
    });
  return lines;
}

/** False if semicolons or quotes in the lines would make `split` cut the joined lines at other places. */
export function canBeJoined(lines: readonly string[]): boolean {
  return split(lines.join('; ')).join('\n') === lines.join('\n');
}

/** Splits at semicolons outside quotes. */
const split = (body: string): string[] =>
  (body.match(/(?:"[^"]*"|[^;"]|")+/g) ?? [])
    .map((line) => line.trim().replace(/^\//, ''))
    .filter((line) => line !== '');

export const notUnderstood = (words: string, example: string): UserError =>
  digestError('unexpected-words', `I don't understand ${quote(words)} here.`, {
    hint: 'Refer to a digest by its number, or by its title in quotes.',
    example,
  });

import { UserError } from '../../errors.ts';
import { type LineHelp, quote } from '../../grammar/line-help.ts';
import { joinWords } from '../../grammar/options.ts';
import { channelOption, formatChannel, formatPerson, readPerson } from '../../grammar/place-words.ts';
import { formatSchedule, parseSchedule, type ScheduleWords } from './schedule-words.ts';

/** What is typed about a digest; what is omitted stays as it is, or has its default. */
export interface DigestWords {
  title?: string;
  when?: ScheduleWords;
  /** `only news`: not sent when nothing is new; `always`: sent regardless. */
  onlyNews?: boolean;
  /** `to me`: by direct message. */
  toMe?: true;
  /** `in <#C024BE7LR>`: another channel than the one it is typed in. */
  channelId?: string;
  /** `hand over to <@U024BE7LH>`: the new owner. */
  ownerId?: string;
  /** Command lines as typed; the registry parses them. */
  lines?: readonly string[];
}

/** A digest of a channel, by its number or title. */
export type DigestRef = { number: number } | { title: string };

const maxTitleLength = 80;
export const maxLines = 20;

/**
 * `"Morning" weekdays 08:00 Europe/Berlin only news: portcalls NLRTM next 3 days; usage`, each part in its place
 * and optional. Throws UserError.
 */
export function parseDigest(words: string, { line, example }: LineHelp): DigestWords {
  const { head, body } = splitHead(words);
  const { title, rest } = takeTitle(head, example);
  const options = takeOptions(rest, example);
  const lines = body === undefined ? undefined : splitLines(body, example);
  const { onlyNews, toMe, channelId, ownerId } = options;
  const parsed: DigestWords = {
    ...(title !== undefined && { title }),
    ...(onlyNews !== undefined && { onlyNews }),
    ...(toMe && { toMe }),
    ...(channelId !== undefined && { channelId }),
    ...(ownerId !== undefined && { ownerId }),
    ...(lines && { lines }),
  };
  if (options.rest === '') return parsed;
  const when = parseSchedule(options.rest, {
    example,
    line: (fixed) => line(joinDigest(parsed, fixed)),
  });
  return { ...parsed, when };
}

/** The canonical words, in the order of the example above. */
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

/** A number, or a title in quotes, at the beginning. */
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

/** Splits at the first colon that is neither part of a time nor within quotes. */
function splitHead(words: string): { head: string; body?: string } {
  const piece = /"[^"]*"|\b\d{1,2}:\d{2}|[^":\d]+|\d+|"|:/y;
  let end = 0;
  for (let match = piece.exec(words); match && match[0] !== ':'; match = piece.exec(words))
    end = piece.lastIndex;
  if (end >= words.length) return { head: words.trim() };
  return { head: words.slice(0, end).trim(), body: words.slice(end + 1).trim() };
}

function takeTitle(head: string, example: string): { title?: string; rest: string } {
  if (!head.startsWith('"')) return { rest: head };
  const [text = '', title = ''] = /^"([^"]*)"\s*/.exec(head) ?? [];
  if (text === '')
    throw new UserError({
      code: 'unclosed-quote',
      message: 'The quotation mark before the title is never closed.',
      example,
    });
  const trimmed = title.trim();
  if (trimmed === '' || trimmed.length > maxTitleLength)
    throw new UserError({
      code: trimmed === '' ? 'missing-argument' : 'too-long',
      message: `A title has 1 to ${maxTitleLength} characters.`,
      example,
    });
  return { title: trimmed, rest: head.slice(text.length) };
}

type Options = Pick<DigestWords, 'onlyNews' | 'toMe' | 'channelId' | 'ownerId'>;

/** In any order, at the end of what precedes the colon. */
function takeOptions(head: string, example: string): Options & { rest: string } {
  const option =
    /(?:^|[\s,])(?:(only (?:(?:the )?news|(?:when |if )?(?:something is )?new))|(always)|(?:(?:to|for) (?:me|myself)))$/i;
  const taken: Options = {};
  let rest = head.trim();
  for (let count = 0; count < 5; count += 1) {
    const channel = channelOption(rest, () => ({ example, line: (fixed) => fixed }));
    const word = option.exec(rest);
    const [handover, person = ''] = /(?:^|[\s,])hand\s?over (?:to )?(<@\w+>)$/i.exec(rest) ?? [];
    const ownerId = readPerson(person);
    if (handover !== undefined && ownerId !== undefined) {
      taken.ownerId = ownerId;
      rest = rest.slice(0, -handover.length).trim();
      continue;
    }
    if (channel) taken.channelId = channel.value;
    else if (word?.[1] || word?.[2]) taken.onlyNews = Boolean(word[1]);
    else if (word) taken.toMe = true;
    else break;
    rest = (channel?.rest ?? rest.slice(0, word?.index)).trim();
  }
  return { rest, ...taken };
}

/** Splits at semicolons outside of quotes. */
function splitLines(body: string, example: string): string[] {
  const lines = partsOf(body);
  if (lines.length > maxLines)
    throw new UserError({
      code: 'too-long',
      message: `A digest has at most ${maxLines} lines, this one has ${lines.length}.`,
      example,
    });
  if (lines.length === 0)
    throw new UserError({
      code: 'missing-argument',
      message: 'What should the digest contain? Type its lines after the colon.',
      hint: 'Each line is a command; separate them with semicolons.',
      example,
    });
  return lines;
}

/** False for lines that would be split differently after a colon, by a semicolon between unpaired quotes. */
export function canStandTogether(lines: readonly string[]): boolean {
  return partsOf(lines.join('; ')).join('\n') === lines.join('\n');
}

const partsOf = (body: string): string[] =>
  (body.match(/(?:"[^"]*"|[^;"]|")+/g) ?? [])
    .map((line) => line.trim().replace(/^\//, ''))
    .filter((line) => line !== '');

/** Refuses words after a reference. */
export function refuseWords(words: string, example: string): void {
  if (words === '') return;
  throw new UserError({
    code: 'unexpected-words',
    message: `I don't understand ${quote(words)} here.`,
    hint: 'Refer to a digest by its number, or by its title in quotes.',
    example,
  });
}

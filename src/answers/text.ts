import { fullUtcTime, wallClock } from './formatting/times.ts';
import type { Reader } from './message.ts';

/** Words of an answer. Nothing in it is escaped or marked up: each renderer does that for its surface. */
export type Text = string | Inline | readonly Text[];

/**
 * Words that a surface shows in its own way. `instant`: a moment, by the reader's clock. `moment`: one whose
 * port time stands before it, in the reader's own zone if that differs (` · yours: …`); only in Slack's blocks. `inTable`:
 * in a table, headers say what a line has to say itself. `only`: words for the person who asks, where nobody else reads
 * them, or for members; others get `others`. `inNotification`: only in the fallback text, which a phone shows without the
 * thread around it. `secret`: in Slack's blocks and nowhere else.
 */
type Inline =
  | { strong: Text }
  | { code: string }
  | { instant: Date }
  | { moment: Date; portZone: string | undefined }
  | { inTable: string; inLine: string }
  | { channel: string }
  | { person: string }
  | { inNotification: string }
  | { secret: string }
  | { only: 'asker' | 'members'; text: Text; others?: Text }
  | { link: string; label: string };

type Leaf = string | Exclude<Inline, { strong: Text } | { only: string }>;

/** Adds up what `leaf` makes of each part. `strong` may mark the words inside it. */
function fold(
  text: Text,
  audience: Reader['audience'],
  leaf: (part: Leaf) => string,
  strong: (words: string) => string,
): string {
  if (typeof text === 'string') return leaf(text);
  const inner = (words: Text) => fold(words, audience, leaf, strong);
  if (isList(text)) return text.map(inner).join('');
  if ('only' in text) return inner(partFor(text, audience));
  return 'strong' in text ? strong(inner(text.strong)) : leaf(text);
}

/** What these readers see of words that aren't for all. */
export function partFor(
  { only, text, others = '' }: Extract<Inline, { only: string }>,
  audience: Reader['audience'],
): Text {
  const isFor = only === 'asker' ? audience === 'private' : audience !== 'outside';
  return isFor ? text : others;
}

/** TypeScript's `Array.isArray` does not narrow a readonly array. */
export const isList = (text: Text): text is readonly Text[] => Array.isArray(text);

/** For Slack, escaped. `isFallback`: for the text of a notification, without marks and the reader's own time. */
export function toMrkdwn(text: Text, reader: Reader, { isFallback = false } = {}): string {
  // The usual case: no parts to add up.
  if (typeof text === 'string') return escaped(text);
  return fold(
    text,
    reader.audience,
    (part) => {
      if (typeof part === 'string') return escaped(part);
      if ('code' in part) return `\`${codeLine(part.code)}\``;
      if ('instant' in part) {
        // A screen reader, and some notifications, would read the token out.
        const utc = fullUtcTime(part.instant);
        return isFallback ? utc : dateToken(part.instant, utc);
      }
      if ('moment' in part) return isFallback ? '' : yourTime(part.moment, part.portZone, reader);
      if ('inTable' in part) return escaped(part.inLine);
      if ('channel' in part) return channelMention(part.channel);
      if ('person' in part) return personMention(part.person);
      if ('inNotification' in part) return isFallback ? escaped(part.inNotification) : '';
      if ('secret' in part) return isFallback ? '' : codeBlock([codeLine(part.secret)]);
      return link(part.link, part.label);
    },
    (words) => (words === '' || isFallback ? words : `*${words}*`),
  );
}

/** Nothing if that is the port's time, or UTC, which stands beside it. A channel has readers in many zones. */
function yourTime(moment: Date, portZone: string | undefined, { zone, audience }: Reader): string {
  const yours = wallClock(moment, zone).getTime();
  const isShown = yours === moment.getTime() || yours === wallClock(moment, portZone).getTime();
  return isShown && audience === 'private' ? '' : ` · yours: ${dateToken(moment, fullUtcTime(moment))}`;
}

/** For programs, and cells of a table. Times are those of the reader's zone. */
export const toPlain = (
  text: Text,
  { zone, audience, isInTable = false }: Pick<Reader, 'zone' | 'audience'> & { isInTable?: boolean },
): string =>
  fold(
    text,
    // A program can't name people.
    audience === 'private' ? 'channel' : audience,
    (part) => {
      if (typeof part === 'string') return part;
      if ('code' in part) return part.code;
      if ('instant' in part)
        return part.instant.toLocaleString('en-GB', { ...instantFormat, timeZone: zone });
      if ('moment' in part) return '';
      if ('inTable' in part) return isInTable ? part.inTable : part.inLine;
      if ('channel' in part) return 'a channel';
      if ('person' in part) return 'somebody';
      if ('secret' in part || 'inNotification' in part) return '';
      return part.label;
    },
    (words) => words,
  );

const instantFormat = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;

/** Words for a cell of a table, or for a line, alone. */
export const onlyInTable = (words: string): Inline => ({ inTable: words, inLine: '' });
export const onlyInLine = (words: string): Inline => ({ inTable: '', inLine: words });

export const forAsker = (text: Text, others: Text = ''): Inline => ({ only: 'asker', text, others });
export const forMembers = (text: Text, others: Text = ''): Inline => ({ only: 'members', text, others });

/** Puts a separator between the texts. */
export const joined = (texts: readonly Text[], separator = ' · '): Text =>
  texts.flatMap((text, index) => (index === 0 ? [text] : [separator, text]));

/** A link, if there is one. */
export const linked = (url: string | undefined, label: string): Text =>
  url === undefined ? label : { link: url, label };

/** Leaves out what isn't there: `present(isOld && 'an old answer', note)`. */
export const present = <Part>(...parts: readonly (Part | false | undefined)[]): Part[] =>
  parts.filter((part): part is Part => part !== false && part !== undefined);

/**
 * Escapes text from people or from the service for mrkdwn. `&`, `<` and `>` become entities, which prevents mentions
 * and links; formatting marks become similar characters.
 */
export function escaped(text: string): string {
  if (!/[&<>`*~_]/.test(text) && !unshowable.test(text)) return text;
  return (
    codeLine(text)
      .replaceAll('*', '∗')
      .replaceAll('~', '∼')
      // An underscore inside a word formats nothing, so NORTH_EUROPE stays as it is.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '‗')
  );
}

/** Escapes plain text (buttons, table cells): Slack may see mentions and links there too. */
export const plain = (text: string): string => oneLine(text).replaceAll('<', '‹').replaceAll('>', '›');

/** Slack shows the time in the reader's own zone. Programs that can't do that show `fallback`. */
export const dateToken = (time: Date, fallback: string): string =>
  `<!date^${Math.floor(time.getTime() / 1000)}^{date_short_pretty} {time}|${escaped(fallback)}>`;

/** Slack shows the channel's name to people who may see it. The id becomes markup, so its shape is checked. */
export const channelMention = (channelId: string): string =>
  /^[CG][A-Z0-9]+$/.test(channelId) ? `<#${channelId}>` : 'a channel';

/** Slack shows the person's name. For private answers only: in a channel Slack also notifies the person. */
export const personMention = (userId: string): string => {
  if (userId === forgottenPerson) return forgottenName;
  return /^[UW][A-Z0-9]+$/.test(userId) ? `<@${userId}>` : 'somebody';
};

/**
 * The same for ids in escaped words of a person, such as a line that an error quotes. Where Slack would notify the person, and
 * on buttons, which show no mentions, it is `somebody`.
 */
export const withMentions = (words: string, { mentionsPeople }: { mentionsPeople: boolean }): string =>
  words.replace(idPattern, (_, person?: string, channel?: string) => {
    if (channel !== undefined) return channelMention(channel);
    return mentionsPeople && person !== undefined ? personMention(person) : 'somebody';
  });

export const withoutIds = (words: string): string =>
  words.replace(idPattern, (_, person?: string) => (person === undefined ? 'a channel' : 'somebody'));

/** With or without brackets: Slack sends some mentions without a name. */
const idPattern =
  /(?:<|&lt;|‹)?(?:@([UW](?=[A-Z]*\d)[A-Z0-9]{7,})|#([CG](?=[A-Z]*\d)[A-Z0-9]{7,}))(?:>|&gt;|›|\b)/g;

/** Stored instead of the id of a person who was forgotten. */
export const forgottenPerson = 'forgotten';
export const forgottenName = 'someone who was forgotten';

/** Whether the URL has the shape of Slack's to a message of the workspace. */
export const isLink = (url: string): boolean => /^https?:\/\/[\w.:-]+\/[\w./?=&-]*$/.test(url);

/** A link to a message of the workspace; just the label if the URL has another shape than Slack's. */
export const link = (url: string, label: string): string =>
  isLink(url) ? `<${url.replaceAll('&', '&amp;')}|${escaped(label)}>` : escaped(label);

export const codeBlock = (lines: readonly string[]): string => `\`\`\`${lines.join('\n')}\`\`\``;

/** Escapes a line for a block of code. */
export function codeLine(text: string): string {
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('`', 'ˋ');
}

/** What `oneLine` changes; few texts have any of it. */
const unshowable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;

/** With line breaks or control characters, a name could look like a separate block. */
function oneLine(text: string): string {
  if (!unshowable.test(text)) return text;
  return (
    text
      .toWellFormed()
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      // Marks that change the direction of the text.
      .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
  );
}

import { fullUtcTime, yourTime } from '../messages/formatting/times.ts';
import type { Reader } from '../messages/message.ts';
import { channelMention, codeLine, dateToken, escaped, link } from '../messages/mrkdwn.ts';

/** Words of an answer. Nothing in it is escaped or marked up: each renderer does that for its surface. */
export type Text = string | Inline | readonly Text[];

/**
 * Words that a surface shows in its own way. `instant`: a moment, by the clock of whoever reads it. `moment`: one whose
 * port time stands before it, in the reader's own zone if that differs (` · yours: …`); only in Slack's blocks. `inTable`:
 * in a table, headers say what a line has to say itself.
 */
export type Inline =
  | { strong: Text }
  | { code: string }
  | { instant: Date }
  | { moment: Date; portZone: string | undefined }
  | { inTable: string; inLine: string }
  | { channel: string }
  | { link: string; label: string };

/** Adds up what `leaf` makes of each part. `strong` may mark the words inside it. */
function fold(
  text: Text,
  leaf: (part: string | Exclude<Inline, { strong: Text }>) => string,
  strong: (words: string) => string,
): string {
  if (typeof text === 'string') return leaf(text);
  if (isList(text)) return text.map((part) => fold(part, leaf, strong)).join('');
  return 'strong' in text ? strong(fold(text.strong, leaf, strong)) : leaf(text);
}

/** TypeScript's `Array.isArray` does not narrow a readonly array. */
export const isList = (text: Text): text is readonly Text[] => Array.isArray(text);

/** For Slack, escaped. `reader`: of blocks; left out for the fallback text. */
export const toMrkdwn = (text: Text, reader?: Reader): string =>
  fold(
    text,
    (part) => {
      if (typeof part === 'string') return escaped(part);
      if ('code' in part) return `\`${codeLine(part.code)}\``;
      if ('instant' in part) return dateToken(part.instant, fullUtcTime(part.instant));
      if ('moment' in part)
        return (reader ? yourTime(part.moment, part.portZone, reader) : [])
          .map((words) => ` · ${words}`)
          .join('');
      if ('inTable' in part) return escaped(part.inLine);
      if ('channel' in part) return channelMention(part.channel);
      return link(part.link, part.label);
    },
    (words) => (words === '' ? '' : `*${words}*`),
  );

/** For programs, and cells of a table. Times are those of the reader's zone. */
export const toPlain = (
  text: Text,
  { zone, isInTable = false }: Pick<Reader, 'zone'> & { isInTable?: boolean },
): string =>
  fold(
    text,
    (part) => {
      if (typeof part === 'string') return part;
      if ('code' in part) return part.code;
      if ('instant' in part)
        return part.instant.toLocaleString('en-GB', { ...instantFormat, timeZone: zone });
      if ('moment' in part) return '';
      if ('inTable' in part) return isInTable ? part.inTable : part.inLine;
      if ('channel' in part) return 'a channel';
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

/** Puts a separator between the texts. */
export const joined = (texts: readonly Text[], separator = ' · '): Text =>
  texts.flatMap((text, index) => (index === 0 ? [text] : [separator, text]));

/** Leaves out what isn't there: `present(isOld && 'an old answer', note)`. */
export const present = <Part>(...parts: readonly (Part | false | undefined)[]): Part[] =>
  parts.filter((part): part is Part => part !== false && part !== undefined);

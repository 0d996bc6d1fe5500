import type { KnownBlock } from '@slack/types';

/**
 * A block as slack-blocks-to-jsx 1.1 renders it right. It reads mrkdwn as Markdown, so that `[x](y)`, a
 * leading `#` or a lone `*` would mean something they do not mean in Slack, and it turns `&lt;!channel&gt;`
 * back into a mention. Character references are shown as they are, so those become references.
 * Its `verbatim` shows the bare text, while Slack's only links nothing that is not marked as a link.
 * `block_id` goes too: it would be the element's id, and two messages may have the same.
 */
export function renderable(block: KnownBlock): KnownBlock {
  return JSON.parse(JSON.stringify(block), (key, value: unknown) => {
    if (key === 'block_id') return undefined;
    return isText(value) ? renderableText(value) : value;
  }) as KnownBlock; // Same shape: only texts are rewritten, and an optional key dropped.
}

interface Text {
  type: keyof typeof forType;
  text: string;
  verbatim?: boolean;
}

function renderableText({ verbatim = false, ...rest }: Text): Text {
  return { ...rest, text: forType[rest.type](rest.text, verbatim) };
}

const isText = (value: unknown): value is Text =>
  typeof value === 'object' &&
  value !== null &&
  'text' in value &&
  typeof value.text === 'string' &&
  'type' in value &&
  typeof value.type === 'string' &&
  Object.hasOwn(forType, value.type);

const CODE = /(```[\s\S]*?```|`[^`\n]+`)/;

/** Of two times in a row the library makes an emoji: `22:00–06:00`. */
const TIME_COLON = /(?<=\b\d\d?):(?=\d\d(?!\d))/g;

const forType = {
  mrkdwn: (text: string, verbatim: boolean): string =>
    text
      .split(CODE)
      .map((piece, index) => {
        if (index % 2) return unescaped(piece);
        return reference(verbatim ? unlinked(piece) : piece);
      })
      .join(''),
  plain_text: (text: string): string =>
    unescaped(text)
      .replace(/[&<>*_~`[\]#\\]/g, toReference)
      .replace(TIME_COLON, toReference),
};

/** In code, references stay as typed, so the three escapes of Slack become what they stand for. */
const unescaped = (text: string): string =>
  text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');

const reference = (text: string): string =>
  text
    // Slack keeps a line's indent (here behind a word joiner), and quotes by the escaped character, too.
    .replace(/^(?=[^\S\n])/gm, '\u2060')
    .replace(/^&gt;/gm, '>')
    .replace(/&lt;/g, '&#60;')
    .replace(/&gt;/g, '&#62;')
    .replace(/[[\]\\]/g, toReference)
    .replace(/^(\s*)#/gm, '$1&#35;')
    .replace(TIME_COLON, toReference)
    .replace(/(?<=^|\s)\*(?=\s|$)/gm, '&#42;');

/** What would become a link by itself no longer does; `<…>` stays as it is. */
const unlinked = (text: string): string =>
  text
    .split(/(<[^>]*>)/)
    .map((piece, index) =>
      index % 2 ? piece : piece.replace(/(?<=https?|ftp):|(?<=www)\.|@/gi, toReference),
    )
    .join('');

const toReference = (character: string): string => `&#${character.charCodeAt(0)};`;

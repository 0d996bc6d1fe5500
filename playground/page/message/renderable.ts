import type { KnownBlock } from '@slack/types';
import { imageSource } from './image-source.ts';
import { decodeEscapes } from './plain-text.ts';

/**
 * Prepares a block for slack-blocks-to-jsx 1.1. The library reads mrkdwn as Markdown and decodes escapes too early,
 * so characters without a meaning in Slack become character references. It uses `block_id` as an element id,
 * which two messages may share, so the id is dropped. Images come from the server.
 */
export function renderable(block: KnownBlock): KnownBlock {
  return JSON.parse(JSON.stringify(block), (key, value: unknown) => {
    if (key === 'block_id') return undefined;
    if (key === 'image_url' && typeof value === 'string') return imageSource(value);
    return isText(value) ? renderableText(value) : value;
  }) as KnownBlock; // Same shape: only texts change, and an optional key is dropped.
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

/** The library turns the middle of `22:00–06:00` into an emoji. */
const TIME_COLON = /(?<=\b\d\d?):(?=\d\d(?!\d))/g;

const forType = {
  mrkdwn: (text: string, verbatim: boolean): string =>
    text
      .split(CODE)
      .map((piece, index) => {
        // Every second piece is code. It shows character references literally, so it gets the characters.
        if (index % 2) return decodeEscapes(piece);
        // Slack's `verbatim` only disables automatic links; the library's would disable all formatting.
        return escapeMarkdown(verbatim ? withoutAutoLinks(piece) : piece);
      })
      .join(''),
  plain_text: (text: string): string =>
    decodeEscapes(text)
      .replace(/[&<>*_~`[\]#\\]/g, toReference)
      .replace(TIME_COLON, toReference),
};

/** The library turns `:1/mmsi:` in the words of a link into an emoji that doesn't exist. */
const withWords = (text: string): string =>
  text.replace(/<(https?:\/\/[^|>]+)>/g, (link, url: string) =>
    /:.*:.*:/.test(url) ? `<${url}|${url.replaceAll(':', toReference)}>` : link,
  );

const escapeMarkdown = (text: string): string =>
  withWords(text)
    // Slack preserves indents (a word joiner does it here), and also quotes lines that start with `&gt;`.
    .replace(/^(?=[^\S\n])/gm, '\u2060')
    .replace(/^&gt;/gm, '>')
    .replace(/&lt;/g, '&#60;')
    .replace(/&gt;/g, '&#62;')
    .replace(/[[\]\\]/g, toReference)
    .replace(/^(\s*)#/gm, '$1&#35;')
    .replace(TIME_COLON, toReference)
    .replace(/(?<=^|\s)\*(?=\s|$)/gm, '&#42;');

/** Prevents automatic links. Explicit ones, in `<…>`, stay. */
const withoutAutoLinks = (text: string): string =>
  text
    .split(/(<[^>]*>)/)
    .map((piece, index) =>
      index % 2 ? piece : piece.replace(/(?<=https?|ftp):|(?<=www)\.|@/gi, toReference),
    )
    .join('');

const toReference = (character: string): string => `&#${character.charCodeAt(0)};`;

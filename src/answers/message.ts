import type { KnownBlock } from '@slack/types';
import { z } from 'zod';

/** The result of a view. `text` is a complete answer in words, with the verdict in the first 80 characters. */
export interface Message {
  text: string;
  blocks: MessageBlock[];
  /** The same content without newer block types, for a workspace that refuses them (`invalid_blocks`). */
  plain?: KnownBlock[];
}

/** A block of a message; `@slack/types` 3.2 has no charts. */
export type MessageBlock = KnownBlock | ChartBlock;

/** docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
interface ChartBlock {
  type: 'data_visualization';
  block_id?: string;
  title: string;
  chart: {
    type: 'bar' | 'line' | 'area';
    series: { name: string; data: { label: string; value: number }[] }[];
    axis_config: { categories: string[]; x_label?: string; y_label?: string };
  };
}

/** A newer block, with the ordinary blocks that say the same. */
export interface Twinned {
  native: MessageBlock;
  twin: readonly KnownBlock[];
}

/** A part of a message's body. */
export type Piece = KnownBlock | Twinned;

/** The native blocks, and their plain twins where there are any. */
export function blocksOf(pieces: readonly Piece[]): Pick<Message, 'blocks' | 'plain'> {
  const blocks = pieces.map((piece) => ('native' in piece ? piece.native : piece));
  if (!pieces.some((piece) => 'native' in piece)) return { blocks };
  return { blocks, plain: pieces.flatMap((piece) => ('native' in piece ? piece.twin : [piece])) };
}

/** The blocks that every workspace, modal and terminal can show. Without twins there are no newer blocks. */
export const plainBlocksOf = ({ blocks, plain }: Message): readonly KnownBlock[] =>
  plain ?? (blocks as readonly KnownBlock[]);

/** The person who reads an answer, and the time, because a view has no clock. */
export interface Reader {
  now: Date;
  /** IANA name. */
  zone: string;
  /** With `sandbox`, every view says “invented data”. */
  source: 'service' | 'sandbox';
  /** `outside`: people of another organisation read the channel, so it shows no usage, costs or owners. */
  audience: 'private' | 'channel' | 'outside';
}

/**
 * The kind of place that a `channelId` names. A group message counts as a channel. `response`: only one person gets
 * the answer, as on the Home tab or after a shortcut, and `channelId` is that person's id.
 */
export type Destination = 'channel' | 'direct-message' | 'response';

/** Watches and digests have no `response`: they go to the person's direct message instead. */
export const storedDestination = z.enum(['channel', 'direct-message'] satisfies Destination[]);
export type StoredDestination = z.infer<typeof storedDestination>;

/** Slack's limits for one message, in items or characters (docs.slack.dev/reference/block-kit). */
export const limits = {
  blocks: 50,
  sectionText: 3000,
  contextText: 2000,
  actionsElements: 25,
  /** Beside a menu: ours, since more are not read. */
  buttons: 5,
  buttonText: 75,
  buttonValue: 2000,
  overflowOptions: 5,
  optionText: 75,
  optionValue: 150,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  /** Of a modal or a Home tab. */
  viewBlocks: 100,
  viewBytes: 250_000,
  modalTitle: 24,
  inputLabel: 2000,
  inputText: 3000,
  placeholder: 150,
  headerText: 150,
  /** Rows of a table beside its header, and characters of a cell: ours, so that a page of rows fits in a message. */
  tableRows: 100,
  cellText: 150,
  tableCaption: 150,
  chartTitle: 50,
  /** A category, a series or a segment. */
  chartLabel: 20,
  containerTitle: 150,
  containerBlocks: 10,
  /** The title, and the subtitle. */
  cardTitle: 150,
  cardBody: 200,
  cardButtons: 3,
  altText: 2000,
  messageText: 4000,
  /** Of the small print in that text: ours. */
  spokenNotes: 300,
  /** The text of all blocks together. Undocumented: Slack refuses about 12,000. */
  blockTextInAll: 10_000,
  /** Ours: a canonical command line must fit in a button's value. */
  commandLine: 1500,
} as const;

/** Shortens a text to at most `max` characters. A shortened text ends in `…`. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  // Half of a surrogate pair is not a letter.
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

export interface PageNumbers {
  /** From 1. */
  page: number;
  pages: number;
  /** The number of items on all pages. */
  total: number;
  /** The number of items after this page. */
  after: number;
  /** The requested page, if it does not exist; then `page` is the last page. */
  beyond?: number;
}

export interface Page<Item> extends PageNumbers {
  items: readonly Item[];
}

/** The requested page, or the last page if there are fewer. */
export function pageNumbers(total: number, requested: number, size: number): PageNumbers {
  const pages = Math.max(1, Math.ceil(total / size));
  const page = Math.min(Math.max(1, requested), pages);
  const after = Math.max(0, total - page * size);
  return { page, pages, total, after, ...(requested > pages && { beyond: requested }) };
}

/** The requested page of a list, or the last page if there are fewer. */
export function paged<Item>(items: readonly Item[], requested: number, size: number): Page<Item> {
  const numbers = pageNumbers(items.length, requested, size);
  const start = (numbers.page - 1) * size;
  return { ...numbers, items: items.slice(start, start + size) };
}

/** Packs lines into as few texts as possible, each of at most `max` characters. Clips longer lines. */
export function packLines(lines: readonly string[], max: number): string[] {
  const texts: string[] = [];
  for (const line of lines) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + 1 + line.length <= max)
      texts[texts.length - 1] = `${last}\n${line}`;
    else texts.push(clip(line, max));
  }
  return texts;
}

/** Counts a line break after each line, as Slack does. */
export const charactersIn = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + line.length + 1, 0);

/** As many of the first lines as fit into `max` characters. */
export const linesWithin = (lines: readonly string[], max: number): string[] =>
  lines.filter((_, index) => charactersIn(lines.slice(0, index + 1)) <= max);

/**
 * Joins the parts that fit into `max` characters, and says how many did not fit. A function gets what stands before, and the
 * index of the part that follows.
 */
export function joinWithin(
  parts: readonly string[],
  separator: string | ((before: string, index: number) => string),
  max: number,
): string {
  const between = typeof separator === 'string' ? () => separator : separator;
  let joined = '';
  for (const [index, part] of parts.entries()) {
    const next = index === 0 ? part : `${joined}${between(joined, index)}${part}`;
    const rest = ` (and ${parts.length - index} more)`;
    if (next.length > max - rest.length) return `${joined}${rest}`.trimStart();
    joined = next;
  }
  return joined;
}

/** The same for names from people, each clipped. */
export const joinClipped = (names: readonly string[], { each, all }: { each: number; all: number }): string =>
  joinWithin(
    names.map((name) => clip(name, each)),
    ', ',
    all,
  );

/** `isSentence`: it begins one, unless its first word has a small letter; otherwise it goes on with a list. */
export interface TextPart {
  text: string;
  isSentence: boolean;
}

/** The text of a message, its most important part first. Leaves room for the small print, and 200 characters for the caller. */
export const joinText = (parts: readonly TextPart[]): string =>
  joinWithin(
    parts.map(({ text }) => text),
    (before, index) => {
      if (/[:.!?]$/.test(before)) return ' ';
      const { text = '', isSentence = false } = parts[index] ?? {};
      return isSentence && !/^[^\p{L}`<]*\p{Ll}/u.test(text) ? '. ' : '; ';
    },
    limits.messageText - limits.spokenNotes - 200,
  );

/** A list of points becomes a sentence with the line before: `I'll post when: the ETA moves; predictions end.` */
export function withPoints(lines: readonly string[]): string[] {
  const isPoint = (line = '') => line.startsWith('• ');
  const folded: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (!isPoint(line)) folded.push(line);
    else {
      const before = folded.pop() ?? '';
      const between = /^$|:$/.test(before) ? '' : ';';
      folded.push(`${before}${between} ${line.slice(2)}${isPoint(lines[index + 1]) ? '' : '.'}`.trim());
    }
  }
  return folded;
}

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
export interface ChartBlock {
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

/** The result of a form's view; slack/ makes a modal of it. Titles are plain text. */
export interface Modal {
  /** At most 24 characters. */
  title: string;
  blocks: KnownBlock[];
  /** The label of the submit button; left out if there is nothing to submit. */
  submit?: string;
}

/**
 * The kind of place that a `channelId` names. A group message counts as a channel. `response`: only one person gets
 * the answer, as on the Home tab or after a shortcut, and `channelId` is that person's id.
 */
export type Destination = 'channel' | 'direct-message' | 'response';

/** Watches and digests have no `response`: they go to the person's direct message instead. */
export const storedDestination = z.enum(['channel', 'direct-message'] satisfies Destination[]);
export type StoredDestination = z.infer<typeof storedDestination>;

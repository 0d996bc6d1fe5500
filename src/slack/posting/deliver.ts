import type { KnownBlock } from '@slack/types';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { Message, MessageBlock } from '../../answers/message.ts';
import { context } from '../../answers/slack/blocks.ts';
import { escaped } from '../../answers/slack/mrkdwn.ts';
import { createCache } from '../../cache.ts';
import { slackCode } from './slack-errors.ts';

export interface Rendering {
  text: string;
  blocks?: KnownBlock[];
}

export type RefusedBlocks = ReturnType<typeof createRefusedBlocks>;

/** Slack refuses a picture that it can't fetch, and the bot's server may be reachable again soon. */
const pictureTtlMs = 10 * millisecondsInMinute;

/** The block types that a workspace refuses, remembered for a day; pictures for ten minutes. */
export function createRefusedBlocks({ realNow }: { realNow: () => number }) {
  /** Keys: block types, at least one of them at fault. Values: the texts of messages that Slack took only without them. */
  const refusals = createCache<Set<string>>({ ttlMs: millisecondsInDay, realNow, max: 50 });
  return {
    /** A single refused message may be at fault itself; two different ones mean that their types are refused. */
    areRefused: (types: ReadonlySet<string>): boolean =>
      refusals
        .entries()
        .some(([key, texts]) => texts.size >= 2 && key.split(' ').every((type) => types.has(type))),
    add(types: ReadonlySet<string>, { text }: Message): void {
      if (types.size === 0) return;
      const key = [...types].sort().join(' ');
      const texts = refusals.get(key) ?? new Set();
      const ttl = key === 'image' ? pictureTtlMs : millisecondsInDay;
      if (texts.size < 2) refusals.set(key, texts.add(text), { ttl });
    },
  };
}

/** Slack's codes for invalid blocks. */
const blockRefusals = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long']);

/**
 * Sends the blocks. While Slack refuses them, sends them without pictures, with simple tables, without any newer block,
 * and in the end only the text. Begins with what the workspace has not refused lately.
 */
export async function deliver<T>(
  message: Message,
  send: (rendering: Rendering) => Promise<T>,
  refused?: RefusedBlocks,
): Promise<T> {
  const { text } = message;
  const renderings = renderingsOf(message);
  const first = renderings.findIndex((blocks) => !refused?.areRefused(typesIn(blocks)));
  const refusedTypes: Set<string>[] = [];
  for (const blocks of first < 0 ? [] : renderings.slice(first)) {
    try {
      // Slack knows the newer types, which its package of types does not.
      const sent = await send(blocks.length > 0 ? { text, blocks: blocks as KnownBlock[] } : { text });
      const taken = typesIn(blocks);
      if (blocks.length > 0) for (const types of refusedTypes) refused?.add(without(types, taken), message);
      return sent;
    } catch (error) {
      const code = slackCode(error) ?? '';
      if (!blockRefusals.has(code)) throw error;
      if (code !== 'msg_blocks_too_long') refusedTypes.push(typesIn(blocks));
    }
  }
  return await send({ text });
}

/** The richest first, each once. */
function renderingsOf({ blocks, plain }: Message): readonly (readonly MessageBlock[])[] {
  const withoutImages = mapBlocks(blocks, 'image', ({ alt_text }) => context(escaped(alt_text)));
  const simpler = mapBlocks(withoutImages, 'data_table', ({ rows }) => ({ type: 'table', rows }));
  return [...new Set([blocks, withoutImages, simpler, ...(plain ? [plain] : [])])];
}

/** The same array if no block is of the type. */
function mapBlocks<Type extends 'image' | 'data_table'>(
  blocks: readonly MessageBlock[],
  type: Type,
  change: (block: Extract<MessageBlock, { type: Type }>) => KnownBlock,
): readonly MessageBlock[] {
  const isOfType = (block: MessageBlock): block is Extract<MessageBlock, { type: Type }> =>
    block.type === type;
  return blocks.some(isOfType) ? blocks.map((block) => (isOfType(block) ? change(block) : block)) : blocks;
}

const without = (types: ReadonlySet<string>, taken: ReadonlySet<string>): Set<string> =>
  new Set([...types].filter((type) => !taken.has(type)));

const typesIn = (blocks: readonly MessageBlock[]): Set<string> =>
  new Set(
    blocks.flatMap((block) => [block.type, ...('child_blocks' in block ? typesIn(block.child_blocks) : [])]),
  );

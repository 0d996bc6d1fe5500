import type { KnownBlock } from '@slack/types';
import type { Message } from '../../messages/message.ts';
import { SlackRefusal } from './slack-errors.ts';

export interface Rendering {
  text: string;
  blocks?: KnownBlock[];
}

/** Slack's codes for invalid blocks. */
const blockRefusals = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long']);

/** Sends the blocks; if Slack refuses them, the plain twin; if it refuses that too, only the text. */
export async function deliver<T>(
  { text, blocks, plain }: Message,
  send: (rendering: Rendering) => Promise<T>,
): Promise<T> {
  const fallbacks: Rendering[] = [...(plain ? [{ text, blocks: plain }] : []), { text }];
  let rendering: Rendering = blocks.length > 0 ? { text, blocks } : { text };
  for (const fallback of fallbacks) {
    try {
      return await send(rendering);
    } catch (error) {
      if (!(error instanceof SlackRefusal && blockRefusals.has(error.reason))) throw error;
      rendering = fallback;
    }
  }
  return await send(rendering);
}

import type { KnownBlock } from '@slack/types';
import type { Message } from '../../messages/message.ts';

export interface Rendering {
  text: string;
  blocks?: KnownBlock[];
}

/** Slack's codes for invalid blocks. */
const blockRefusals = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long']);

/** Slack refused a message; `reason` is Slack's own code. */
export class SlackRefusal extends Error {
  override readonly name = 'SlackRefusal';
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(`Slack refused a message: ${reason}`, options);
    this.reason = reason;
  }
}

/** Sends the blocks; if Slack refuses them, the plain twin; if it refuses that too, only the text. */
export async function deliver<T>(
  message: Message,
  send: (rendering: Rendering) => Promise<T>,
): Promise<{ result: T; rendering: 'blocks' | 'plain' | 'text' }> {
  const { text, blocks, plain } = message;
  try {
    return { result: await send(blocks.length > 0 ? { text, blocks } : { text }), rendering: 'blocks' };
  } catch (error) {
    if (!isBlockRefusal(error)) throw error;
  }
  if (plain) {
    try {
      return { result: await send({ text, blocks: plain }), rendering: 'plain' };
    } catch (error) {
      if (!isBlockRefusal(error)) throw error;
    }
  }
  return { result: await send({ text }), rendering: 'text' };
}

function isBlockRefusal(error: unknown): boolean {
  return error instanceof SlackRefusal && blockRefusals.has(error.reason);
}

import type { KnownBlock } from '@slack/types';
import type { Message } from '../../messages/message.ts';

export interface Rendering {
  text: string;
  blocks?: KnownBlock[];
}

/** Slack's answers that mean «not these blocks», however the call was made. */
const blockRefusals = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long']);

/** Slack did not take a message; `reason` is Slack's own word for why. */
export class SlackRefusal extends Error {
  override readonly name = 'SlackRefusal';
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(`Slack refused a message: ${reason}`, options);
    this.reason = reason;
  }
}

/** Sends the blocks; where they are refused the plain twin; where that is refused too the bare text. */
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

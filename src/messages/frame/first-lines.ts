import type { KnownBlock } from '@slack/types';
import { linesWithin } from '../limits.ts';
import { type Message, plainBlocksOf } from '../message.ts';

/**
 * As many of the first lines of an answer as fit, in mrkdwn, including a warning above the answer. `isWhole` is true
 * if only the small print and the buttons are left out.
 */
export function firstLines(
  message: Message,
  { lines: maxLines, characters }: { lines: number; characters: number },
) {
  const body = plainBlocksOf(message).filter((block) => block.type !== 'actions');
  // Every answer ends in its small print.
  const answer = body.at(-1)?.type === 'context' ? body.slice(0, -1) : body;
  const blockLines = answer.flatMap(linesOf);
  const all = blockLines.length > 0 ? blockLines : [message.text];
  const lines = linesWithin(all.slice(0, maxLines), characters);
  return { lines, isWhole: lines.length === all.length };
}

function linesOf(block: KnownBlock): string[] {
  if (block.type === 'section') return block.text?.text.split('\n') ?? [];
  if (block.type !== 'context') return [];
  return block.elements.flatMap((element) => ('text' in element ? [element.text] : []));
}

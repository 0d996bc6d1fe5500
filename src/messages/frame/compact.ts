import type { KnownBlock } from '@slack/types';
import { linesWithin } from '../limits.ts';
import type { Message } from '../message.ts';

interface Compact {
  /** Mrkdwn. */
  lines: string[];
  /** True if only the small print and the buttons were left out. */
  isWhole: boolean;
}

/** As many of the first lines of an answer as fit, for a digest. A warning above the answer stays. */
export function compact(
  { blocks, plain, text }: Message,
  { lines: maxLines, characters }: { lines: number; characters: number },
): Compact {
  const body = (plain ?? blocks).filter((block) => block.type !== 'actions');
  // The last context is the small print of every answer.
  const answer = body.at(-1)?.type === 'context' ? body.slice(0, -1) : body;
  const found = answer.flatMap(linesOf);
  const all = found.length > 0 ? found : [text];
  const lines = linesWithin(all.slice(0, maxLines), characters);
  return { lines, isWhole: lines.length === all.length };
}

function linesOf(block: KnownBlock): string[] {
  if (block.type === 'section') return block.text?.text.split('\n') ?? [];
  if (block.type !== 'context') return [];
  return block.elements.flatMap((element) => ('text' in element ? [element.text] : []));
}

import type { KnownBlock } from '@slack/types';
import type { Message } from '../message.ts';

interface Compact {
  /** Markup, a line each. */
  lines: string[];
  /** Nothing of the answer is left out but its small print and buttons. */
  isWhole: boolean;
}

/** The first lines of an answer, as many as fit: what a digest shows of it. A warning above the answer stays. */
export function compact(
  { blocks, plain, text }: Message,
  { lines: maxLines, characters }: { lines: number; characters: number },
): Compact {
  const body = (plain ?? blocks).filter((block) => block.type !== 'actions');
  // The last context is the small print of every answer.
  const all = body.flatMap((block, index) =>
    block.type === 'context' && index === body.length - 1 ? [] : linesOf(block),
  );
  const whole = all.length > 0 ? all : [text];
  const lines: string[] = [];
  let used = 0;
  for (const line of whole) {
    used += line.length + 1;
    if (lines.length >= maxLines || used > characters) break;
    lines.push(line);
  }
  return { lines, isWhole: lines.length === whole.length };
}

function linesOf(block: KnownBlock): string[] {
  if (block.type === 'section') return block.text?.text.split('\n') ?? [];
  if (block.type !== 'context') return [];
  return block.elements.flatMap((element) => ('text' in element ? [element.text] : []));
}

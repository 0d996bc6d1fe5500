import type { KnownBlock } from '@slack/types';
import type { Message } from '../../src/messages/message.ts';

/** A message as text for snapshots: the blocks in order, buttons as `[label → line]`. */
export function asRead({ text, blocks }: Message): string {
  return [`text: ${text}`, '', ...blocks.flatMap(blockLines)].join('\n');
}

export function blockLines(block: KnownBlock): string[] {
  switch (block.type) {
    case 'section':
      return [block.text?.text ?? ''];
    case 'context':
      return block.elements.map((element) => ('text' in element ? element.text : ''));
    case 'actions':
      return [
        block.elements
          .map((element) => {
            if (element.type === 'button') return `[${element.text.text} → ${element.value}]`;
            if (element.type !== 'overflow' && element.type !== 'static_select') return `[${element.type}]`;
            const name = 'placeholder' in element ? `${element.placeholder?.text} ` : '';
            return `[${name}▾ ${(element.options ?? []).map(({ text, value }) => `${text.text} → ${value}`).join(' | ')}]`;
          })
          .join(' '),
      ];
    case 'table':
      return block.rows.map(
        (row) => `| ${row.map((cell) => ('text' in cell ? String(cell.text) : '?')).join(' | ')} |`,
      );
    default:
      return [`(${block.type})`];
  }
}

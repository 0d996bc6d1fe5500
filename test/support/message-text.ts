import type { Button } from '@slack/types';
import type { CheckedBlock } from 'bolt-playground';
import { type Message, type MessageBlock, plainBlocksOf } from '../../src/answers/message.ts';

/** A message as text for snapshots: the blocks in order, buttons as `[label → line]`. */
export function asRead({ text, blocks }: Pick<Message, 'text' | 'blocks'>): string {
  return [`text: ${text}`, '', ...blocks.flatMap(blockLines)].join('\n');
}

/** The message as a workspace sees it that refuses newer blocks. */
export const asReadPlain = (message: Message): string =>
  asRead({ text: message.text, blocks: [...plainBlocksOf(message)] });

export function blockLines(block: MessageBlock | CheckedBlock): string[] {
  switch (block.type) {
    case 'section':
      return [block.text?.text ?? ''];
    case 'context':
      return block.elements.map((element) => ('text' in element ? element.text : ''));
    case 'actions':
      return [
        block.elements
          .map((element) => {
            if (element.type === 'button') return buttonText(element);
            if (element.type !== 'overflow' && element.type !== 'static_select') return `[${element.type}]`;
            const name = 'placeholder' in element ? `${element.placeholder?.text} ` : '';
            return `[${name}▾ ${(element.options ?? []).map(({ text, value }) => `${text.text} → ${value}`).join(' | ')}]`;
          })
          .join(' '),
      ];
    case 'table':
    case 'data_table':
      return [
        ...(block.type === 'data_table' ? [`(table: ${block.caption})`] : []),
        ...block.rows.map((row) => `| ${row.map(cellText).join(' | ')} |`),
      ];
    case 'data_visualization':
      return [
        `(${block.chart.type} chart: ${block.title})`,
        ...('series' in block.chart ? block.chart.series : []).map(
          ({ name, data }) => `  ${name}: ${data.map(({ label, value }) => `${label} ${value}`).join(', ')}`,
        ),
      ];
    case 'container':
      return [`▸ ${block.title?.text}`, ...block.child_blocks.flatMap(blockLines).map((line) => `  ${line}`)];
    case 'card':
      return [
        ...[block.title, block.subtitle, block.body].flatMap((part) => (part ? [`┃ ${part.text}`] : [])),
        ...(block.actions ? [`┃ ${block.actions.map(buttonText).join(' ')}`] : []),
      ];
    case 'header':
      return [`# ${block.text.text}`];
    case 'image':
      return [`(image: ${block.alt_text})`];
    default:
      return [`(${block.type})`];
  }
}

const buttonText = ({ text, value }: Button): string => `[${text.text} → ${value}]`;

type Cell = Extract<MessageBlock, { type: 'data_table' }>['rows'][number][number];

/** The text of a cell. */
export function cellText(cell: Cell): string {
  if (cell.type !== 'rich_text') return String(cell.text);
  return cell.elements
    .flatMap((part) => (part.type === 'rich_text_section' ? part.elements : []))
    .map((part) => (part.type === 'channel' ? `<#${part.channel_id}>` : 'text' in part ? part.text : ''))
    .join('');
}

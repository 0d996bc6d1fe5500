import type { ActionsBlock, Overflow } from '@slack/types';
import { actionIds, pressOption } from '../action-ids.ts';
import { actions, overflow } from '../blocks.ts';
import { limits } from '../limits.ts';
import type { Message, MessageBlock } from '../message.ts';
import { pageLine } from './paging.ts';

/** Adds “Export as XLSX” and “Export as CSV” to the menu in the last row of buttons. A message without a menu gets one. */
export function withExportMenu(message: Message, line: string): Message {
  const options = ['xlsx', 'csv'].map((format) =>
    // The file comes apart: the answer that it is of stays.
    pressOption(
      `Export as ${format.toUpperCase()}`,
      actionIds.apartMenu,
      `${pageLine(line, 1)} as ${format}`,
    ),
  );
  if (options.some(({ value }) => value.length > limits.optionValue)) return message;
  const menu = overflow(actionIds.more, options);
  const add = <Block extends MessageBlock>(blocks: readonly Block[]): (Block | ActionsBlock)[] => {
    const last = blocks.at(-1);
    if (last?.type === 'actions') return [...blocks.slice(0, -1), withOptions(last, menu)];
    return blocks.length < limits.blocks ? [...blocks, ...actions([menu])] : [...blocks];
  };
  return { ...message, blocks: add(message.blocks), ...(message.plain && { plain: add(message.plain) }) };
}

/** The other options make room, the last first. */
function withOptions(row: ActionsBlock, menu: Overflow): ActionsBlock {
  const isMenu = (element: ActionsBlock['elements'][number]) =>
    element.type === 'overflow' && element.action_id === menu.action_id;
  const present = row.elements.find(isMenu);
  const others = present?.type === 'overflow' ? present.options : [];
  const room = limits.overflowOptions - menu.options.length;
  const whole = { ...menu, options: [...others.slice(0, room), ...menu.options] };
  const elements = row.elements.filter((element) => !isMenu(element)).slice(0, limits.actionsElements - 1);
  return { ...row, elements: [...elements, whole] };
}

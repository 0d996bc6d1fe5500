import type { ActionsBlock, Button, Overflow } from '@slack/types';
import type { Choice } from '../../errors.ts';
import type { Imo } from '../../reference/imo.ts';
import { limits, type PageNumbers, pageNumbers } from '../limits.ts';
import type { Message, MessageBlock } from '../message.ts';
import { actionIds, actions, button, formActionId, overflow, pressOption } from './blocks.ts';

export interface AnswerActions {
  /** The canonical line that this message answers. Left out: neither Refresh nor Share. */
  line?: string;
  /** Buttons before Share: the next page, another order, a form. */
  runs?: readonly (Choice | Button)[];
  /** The line of the button Watch. */
  watch?: string;
  /** A vessel without a name, for the button Name it. */
  unnamed?: Imo;
  /** The overflow menu at the end. */
  more?: readonly Choice[];
}

/** The row under every answer: [Watch] [Refresh] [runs …] [Name it …] [Share] [⋯]. */
export function answerActions({ line, runs = [], watch, unnamed, more = [] }: AnswerActions): ActionsBlock[] {
  const runButtons = lineButtons(runs);
  const watchLines = watch === undefined ? [] : [{ label: 'Watch', line: watch }];
  const watchButton = lineButtons(watchLines, runButtons.length);
  const repeating = (id: string, label: string) =>
    line === undefined ? [] : [button({ id, label, value: line })];
  return actions([
    ...watchButton,
    ...repeating(actionIds.refresh, 'Refresh'),
    ...runButtons,
    ...(unnamed === undefined
      ? []
      : [button({ id: formActionId('name'), label: 'Name it …', value: JSON.stringify({ imo: unnamed }) })]),
    ...repeating(actionIds.share, 'Share'),
    ...moreMenu(more, runButtons.length + watchButton.length),
  ]);
}

/** Removes the button Share where everybody already sees the answer. */
export const withoutShare = (message: Message): Message => withoutButtons(message, [actionIds.share]);

/** Removes the buttons with these action ids. */
export function withoutButtons({ blocks, plain, ...message }: Message, ids: readonly string[]): Message {
  const remove = <Block extends MessageBlock>(block: Block): Block[] => {
    if (block.type !== 'actions') return [block];
    const elements = block.elements.filter(
      (element) => !('action_id' in element) || !ids.includes(element.action_id ?? ''),
    );
    return elements.length > 0 ? [{ ...block, elements }] : [];
  };
  return { ...message, blocks: blocks.flatMap(remove), ...(plain && { plain: plain.flatMap(remove) }) };
}

/** A button for each line, which it runs; buttons stay as they are. `from`: the number of such buttons before. */
export function lineButtons(given: readonly (Choice | Button)[], from = 0): Button[] {
  return given
    .filter((each) => 'type' in each || each.line.length <= limits.buttonValue)
    .map((each, index) =>
      'type' in each
        ? each
        : button({ id: actionIds.run(from + index), label: each.label, value: each.line }),
    );
}

/** A menu of one option looks broken in Slack, so a single line becomes a button. */
function moreMenu(more: readonly Choice[], from: number): (Button | Overflow)[] {
  const fitting = more
    .filter(({ line }) => line.length <= limits.optionValue)
    .slice(0, limits.overflowOptions);
  if (fitting.length < 2) return lineButtons(fitting, from);
  const items = fitting.map(({ label, line }) => ({ label, value: line }));
  return [overflow(actionIds.more, items)];
}

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

/** The canonical line of another page of the same answer. */
export function pageLine(line: string, page: number): string {
  const base = line.replace(/ page \d+$/, '');
  return page > 1 ? `${base} page ${page}` : base;
}

/** Buttons for the next page and the previous page, if they exist. */
export function pageButtons(line: string, { page, after }: PageNumbers, size: number) {
  return [
    ...(after > 0 ? [{ label: `Next ${Math.min(after, size)}`, line: pageLine(line, page + 1) }] : []),
    ...(page > 1 ? [{ label: 'Back', line: pageLine(line, page - 1) }] : []),
  ];
}

/** Reads the requested page from the database, or the last page if there are fewer. */
export async function readPage<Found extends { total: number }>(
  requested: number,
  size: number,
  read: (range: { limit: number; offset: number }) => Promise<Found>,
): Promise<Found & PageNumbers> {
  const readNumber = (page: number) => read({ limit: size, offset: (page - 1) * size });
  const found = await readNumber(requested);
  const numbers = pageNumbers(found.total, requested, size);
  return { ...(numbers.beyond === undefined ? found : await readNumber(numbers.page)), ...numbers };
}

/** `9–16 of 40 shown`, if there are several pages; a second note if the requested page doesn't exist. */
export function shownNote({ page, pages, total, after, beyond }: PageNumbers, size: number): string[] {
  const missing = beyond === undefined ? [] : [`there is no page ${beyond}: this is the last`];
  if (pages === 1) return missing;
  const from = (page - 1) * size + 1;
  return [`${from}–${total - after} of ${total} shown`, ...missing];
}

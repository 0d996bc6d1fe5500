import type { ActionsBlock, Button, Overflow, StaticSelect } from '@slack/types';
import type { Choice } from '../../errors.ts';
import type { Answer, AnswerButton, AnswerMenu, LineOf } from '../answer.ts';
import { limits, type PageNumbers, pageNumbers } from '../limits.ts';
import type { Message, MessageBlock, Reader } from '../message.ts';
import {
  actionIds,
  actions,
  button,
  formActionId,
  formOption,
  overflow,
  pressOption,
  primary,
  select,
  withConfirmation,
} from './blocks.ts';

interface RowContext extends Pick<Reader, 'now'> {
  /** The canonical line that this message answers. Left out: neither Refresh nor Share. */
  line?: string | undefined;
  /** The buttons to other pages. */
  pages?: readonly Choice[] | undefined;
  lineOf: LineOf;
}

/** The row under every answer: [Watch] [Refresh] [runs …] [Name it …] [Share] [⋯]. */
export function answerActions(
  { watch, unnamed, runs = [], more = [], isLasting = false }: NonNullable<Answer['actions']>,
  { line, pages = [], lineOf, now }: RowContext,
): ActionsBlock[] {
  const repeating = (press: string, label: string): AnswerButton[] =>
    line === undefined ? [] : [{ label, press, value: line }];
  const menu = menuOf(more, lineOf);
  const row: (AnswerButton | AnswerMenu)[] = [
    ...(watch ? [{ label: 'Watch', intent: watch }] : []),
    ...repeating(actionIds.refresh, 'Refresh'),
    ...pages,
    ...runs,
    ...(unnamed === undefined ? [] : [{ label: 'Name it …', form: 'name', target: { imo: unnamed } }]),
    ...repeating(actionIds.share, 'Share'),
    ...menu.buttons,
  ];
  const idOf = isLasting ? actionIds.apart : actionIds.run;
  const rows = actions([
    ...row.flatMap((each, index): (Button | StaticSelect)[] =>
      'options' in each
        ? [select(each.press, each.label, each.options)]
        : buttonOf(each, lineOf, { id: idOf(index) }),
    ),
    ...(menu.options.length > 0
      ? [overflow(isLasting ? actionIds.apartMenu : actionIds.more, menu.options)]
      : []),
  ]);
  // Slack keeps a menu's choice while the block has the same id. A new id lets people choose the same again.
  return runs.some((each) => 'options' in each)
    ? rows.map((block) => ({ ...block, block_id: `menu ${now.getTime()}` }))
    : rows;
}

/** What doesn't fit into a menu becomes a button, and so does a single option: a menu of one looks broken in Slack. */
function menuOf(more: readonly AnswerButton[], lineOf: LineOf) {
  const all = more.flatMap((each) => optionOf(each, lineOf).map((option) => ({ each, option })));
  const fitting = all.filter(({ option }) => option.value.length <= limits.optionValue);
  const inMenu = fitting.length > 1 ? fitting : [];
  return {
    options: inMenu.slice(0, limits.overflowOptions).map(({ option }) => option),
    buttons: all.filter((one) => !inMenu.includes(one)).map(({ each }) => each),
  };
}

/** The line that it runs, if it runs one. */
function lineIn(action: AnswerButton, lineOf: LineOf): string | undefined {
  if ('line' in action) return action.line;
  return 'intent' in action ? lineOf(action.intent) : undefined;
}

/** An option of an overflow menu, whose value has at most 150 characters. */
export function optionOf(action: AnswerButton, lineOf: LineOf): { label: string; value: string }[] {
  const { label } = action;
  if ('press' in action) return [pressOption(label, action.press, action.value)];
  if ('form' in action) return [{ label, value: formOption(action.form, action.target) }];
  const line = lineIn(action, lineOf);
  return line === undefined ? [] : [{ label, value: line }];
}

/** None for a line that is too long. `id`: of a line. `index`: of several in a message that open the same form. */
export function buttonOf(
  action: AnswerButton,
  lineOf: LineOf,
  { id, index }: { id: string; index?: number },
): Button[] {
  const { label } = action;
  if ('form' in action) {
    const opens = button({
      id: formActionId(action.form, index),
      label,
      value: JSON.stringify(action.target),
    });
    return [action.isPrimary ? primary(opens) : opens];
  }
  if ('press' in action) {
    const press = button({ id: action.press, label, value: action.value });
    if (action.confirm) return [withConfirmation(press, action.confirm)];
    return [action.isDangerous ? { ...press, style: 'danger' } : press];
  }
  const line = lineIn(action, lineOf);
  return line === undefined || line.length > limits.buttonValue ? [] : [button({ id, label, value: line })];
}

/** A button for each line, which it runs. */
export const lineButtons = (choices: readonly Choice[]): Button[] =>
  choices.flatMap((choice, index) => buttonOf(choice, () => undefined, { id: actionIds.run(index) }));

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

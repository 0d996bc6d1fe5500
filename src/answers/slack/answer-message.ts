import type { ActionsBlock, Button, ContextBlock, Overflow, StaticSelect } from '@slack/types';
import { z } from 'zod';
import type { Choice, Correction } from '../../errors.ts';
import type { Locode } from '../../reference/codes.ts';
import type { Provenance } from '../../reference/prediction.ts';
import type { AnswerActions, AnswerButton, AnswerMenu, LineOf } from '../answer.ts';
import { utcTime } from '../formatting/times.ts';
import { capitalised, counted } from '../formatting/words.ts';
import {
  blocksOf,
  clip,
  joinWithin,
  limits,
  type Message,
  type MessageBlock,
  type PageNumbers,
  type Piece,
  pageNumbers,
  type Reader,
} from '../message.ts';
import { escaped, plain, withMentions } from '../text.ts';
import {
  actionIds,
  actions,
  button,
  context,
  formActionId,
  formOption,
  overflow,
  pressOption,
  primary,
  select,
  withConfirmation,
} from './blocks.ts';

interface AnswerParts {
  /** The answer in words, escaped, its verdict in the first 80 characters. */
  text: string;
  /** Its first block is the verdict. */
  body: readonly Piece[];
  /** Small print, escaped: before the age of the answer, and after it. */
  firstNotes?: readonly string[];
  notes: readonly string[];
  /** `notes` for a screen reader. */
  spokenNotes: readonly string[];
  /** The answer is a forecast, which the small print says once. Default: true. */
  isForecast?: boolean;
  /** Left out if nothing of it comes from the service. */
  provenance?: Provenance | undefined;
  actions: readonly ActionsBlock[];
}

/** The frame of every answer: the verdict, a warning if it is old, the rest of the body, the small print, the buttons. */
export function answerMessage(parts: AnswerParts, reader: Reader): Message {
  const { firstNotes = [], isForecast = true, provenance } = parts;
  const asked = provenance && utcTime(provenance.fetchedAt, reader.now);
  const withAge = (notes: readonly string[]) => [
    ...(isForecast && asked ? [`Forecast as of ${asked}`] : []),
    ...notes,
    ...(isForecast || !asked ? [] : [`asked ${asked}`]),
    ...(provenance ? droppedNotes(provenance) : []),
  ];
  const [verdict, ...figures] = parts.body;
  const warning = provenance ? staleWords(provenance, reader).map(context) : [];
  const body = [...(verdict ? [verdict] : []), ...warning, ...figures];
  const staleText = provenance?.staleSince ? `. Old answer, from ${asked}` : '';
  return {
    text: `${withSpoken(`${parts.text}${staleText}`, withAge(parts.spokenNotes))}${inventedSuffix(reader)}`,
    ...blocksOf([
      ...body,
      ...smallPrint([...firstNotes, ...withAge(parts.notes)], inventedNotes(reader)),
      ...parts.actions,
    ]),
  };
}

/** A notification and a screen reader get the small print last, and not all of a long one. */
function withSpoken(text: string, notes: readonly string[]): string {
  if (notes.length === 0) return text;
  const end = joinWithin(notes, ' · ', limits.spokenNotes);
  return `${text}${/[.!?]$/.test(text) ? '' : '.'} ${capitalised(end.trimStart())}`;
}

/** The mark that every text with data of the sandbox needs. */
export const inventedSuffix = (reader: Reader): string =>
  reader.source === 'sandbox' ? ' (invented data)' : '';

/** The provenance of several answers that are shown together: the age of the oldest, the dropped records of all. */
export function mergeProvenance(all: readonly [Provenance, ...Provenance[]]): Provenance {
  const stale = all.filter(({ staleSince }) => staleSince);
  const unanswered = stale.filter(({ throttled }) => !throttled);
  const since = (unanswered.length > 0 ? unanswered : stale).flatMap(({ staleSince }) => staleSince ?? []);
  return {
    fetchedAt: new Date(Math.min(...all.map(({ fetchedAt }) => Number(fetchedAt)))),
    cached: all.every(({ cached }) => cached),
    ...(since.length > 0 && { staleSince: new Date(Math.min(...since.map(Number))) }),
    ...(stale.length > 0 && unanswered.length === 0 && { throttled: true as const }),
    droppedRecords: all.reduce((sum, { droppedRecords }) => sum + droppedRecords, 0),
  };
}

const droppedNotes = ({ droppedRecords }: Provenance): string[] =>
  droppedRecords > 0 ? [`${counted(droppedRecords, 'record')} could not be read`] : [];

/** The warning under the verdict of an old answer. */
export function staleWords(
  { staleSince, throttled, fetchedAt }: Provenance,
  { now }: Pick<Reader, 'now'>,
): string[] {
  if (!staleSince) return [];
  const trouble = throttled ? 'is limiting our calls' : `has not answered since ${utcTime(staleSince, now)}`;
  return [`🟠 The analytics service ${trouble}; this answer is from ${utcTime(fetchedAt, now)}`];
}

const sharedBlockId = 'shared_by';

/** Adds the name of the person who shared the answer, in a block that `keepSharer` can find later. */
export const withSharer = (message: Message, name: string): Message =>
  withNote(message, `Shared by ${name}`, sharedBlockId);

/** Copies the block of `withSharer` from the message that is replaced. `oldBlocks` is what Slack sent. */
export function keepSharer(message: Message, oldBlocks: unknown): Message {
  const blocks: unknown[] = Array.isArray(oldBlocks) ? oldBlocks : [];
  const shared = blocks.map((block) => sharedBlock.safeParse(block)).find(({ success }) => success)?.data;
  return shared ? insertAboveButtons(message, shared) : message;
}

const mrkdwn = z.object({ type: z.literal('mrkdwn'), text: z.string() });

/** The block of `withSharer` as Slack returns it. It is built again because Slack adds fields. */
const sharedBlock = z
  .object({
    block_id: z.literal(sharedBlockId),
    elements: z.tuple([mrkdwn]),
  })
  .transform(({ elements: [{ text }] }) => ({ ...context(text), block_id: sharedBlockId }));

/** One line of small print, from escaped notes, the most important first; nothing without notes. `last` is never left out. */
export function smallPrint(notes: readonly string[], last: readonly string[] = []): ContextBlock[] {
  const end = last.join(' · ');
  const begin = joinWithin(notes, ' · ', limits.contextText - end.length - 10);
  const texts = [begin, end].filter((text) => text !== '');
  return texts.length === 0 ? [] : [context(texts.join(' · '))];
}

/** The note of every message with data of the sandbox. */
export const inventedNotes = ({ source }: Pick<Reader, 'source'>): string[] =>
  source === 'sandbox' ? ['invented data'] : [];

export const refreshedNote = (agoMs: number) =>
  `Refreshed ${Math.max(1, Math.round(agoMs / 1000))} s ago; you can refresh again after a minute`;

/** The service had no answer for the typed code, so the answer is about another code of the same port. */
export const otherCodeNote = (typed: Locode, port: Locode) =>
  `no answer for ${typed}: this is for ${port}, another code for the same port`;

/** How a line was read, if not to the letter. */
export interface Reading {
  /** The canonical line, if a plain question was typed. */
  understoodAs?: string | undefined;
  /** What misspelt words were read as: only the person who asks sees the answer. */
  corrections?: readonly Correction[] | undefined;
  /** What was asked, and the answer doesn't say. */
  caveat?: string | undefined;
}

/** The answer says what misspelt words were read as, what it doesn't say, and as which line a plain question was understood. */
export function withReading(
  message: Message,
  { understoodAs, corrections = [], caveat }: Reading,
  { audience }: Pick<Reader, 'audience'>,
): Message {
  const notes = [
    ...corrections.map(({ typed, meant }) => `Showing ${meant} for “${clip(typed, 60)}”`),
    ...(caveat === undefined ? [] : [capitalised(caveat)]),
    ...(understoodAs === undefined ? [] : [`Understood as /${understoodAs}`]),
  ];
  if (notes.length === 0) return message;
  const note = notes.join(' · ');
  const named = (words: string) => withMentions(words, { mentionsPeople: audience === 'private' });
  const worded = { ...message, text: `${message.text} (${named(plain(note))})` };
  return insertAboveButtons(worded, context(named(escaped(note))), joined);
}

export const utcNote = "Slack doesn't give me your time zone, so days and times are in UTC";

/** For an admin of some workspace, whom Slack doesn't call an admin of this one. */
export const organisationAdminsNote =
  'Landfall is installed for your whole organisation, where only its admins and owners count as admins for people in several workspaces: ask one of them';

/** Adds small print under the answer, above its buttons: to the line that is there, unless it needs an id of its own. */
export function withNote(message: Message, note: string, blockId?: string): Message {
  const worded = { ...message, text: `${message.text} (${plain(note)})` };
  if (blockId !== undefined)
    return insertAboveButtons(worded, { ...context(escaped(note)), block_id: blockId });
  return insertAboveButtons(worded, context(escaped(note)), joined);
}

/** One line of small print from two; undefined if they need a block each. */
function joined(last: MessageBlock | undefined, added: ContextBlock): ContextBlock | undefined {
  const line = z.object({ type: z.literal('context'), elements: z.tuple([mrkdwn]) }).safeParse(last);
  const [more] = z.tuple([mrkdwn]).parse(added.elements);
  if (!line.success || (last && 'block_id' in last)) return undefined;
  const text = `${line.data.elements[0].text} · ${more.text}`;
  return text.length > limits.contextText ? undefined : context(text);
}

function insertAboveButtons(
  message: Message,
  added: ContextBlock,
  join: typeof joined = () => undefined,
): Message {
  const add = <Block extends MessageBlock>(blocks: readonly Block[]): (Block | ContextBlock)[] => {
    const end = blocks.length - (blocks.at(-1)?.type === 'actions' ? 1 : 0);
    const one = join(blocks[end - 1], added);
    if (one) return [...blocks.slice(0, end - 1), one, ...blocks.slice(end)];
    if (blocks.length >= limits.blocks) return [...blocks];
    return [...blocks.slice(0, end), added, ...blocks.slice(end)];
  };
  return { ...message, blocks: add(message.blocks), ...(message.plain && { plain: add(message.plain) }) };
}

interface RowContext extends Pick<Reader, 'now'> {
  /** What the buttons act on, and the answer's verdict: in plain words. */
  about?: string | undefined;
  verdict?: string;
  /** The canonical line that this message answers. Left out: neither Refresh nor Share. */
  line?: string | undefined;
  /** The buttons to other pages. */
  pages?: readonly Choice[] | undefined;
  lineOf: LineOf;
}

/** The row under every answer: [Watch] [Refresh] [runs …] [Name it …] [Share] [⋯]. */
export function answerActions(
  { watch, unnamed, runs = [], more = [], isLasting = false }: AnswerActions,
  { line, pages = [], lineOf, now, ...spoken }: RowContext,
): ActionsBlock[] {
  const repeating = (press: string, label: string): AnswerButton[] =>
    line === undefined ? [] : [{ label, press, value: line }];
  const whole: (AnswerButton | AnswerMenu)[] = [
    ...(watch ? [{ label: 'Watch', intent: watch }] : []),
    ...repeating(actionIds.refresh, 'Refresh'),
    ...pages,
    ...runs,
    ...(unnamed === undefined ? [] : [{ label: 'Name it …', form: 'name', target: { imo: unnamed } }]),
    ...repeating(actionIds.share, 'Share'),
  ];
  const { row, options } = rowOf(whole, { runs, more }, lineOf);
  const idOf = isLasting ? actionIds.apart : actionIds.run;
  const rows = actions([
    ...row.flatMap((each, index): (Button | StaticSelect)[] =>
      'options' in each
        ? [select(each.press, each.label, each.options)]
        : buttonOf(each, lineOf, { id: idOf(index) }).map((shown) => spokenFor(shown, each.label, spoken)),
    ),
    ...(options.length > 0 ? [overflow(isLasting ? actionIds.apartMenu : actionIds.more, options)] : []),
  ]);
  // Slack keeps a menu's choice while the block has the same id. A new id lets people choose the same again.
  return row.some((each) => 'options' in each)
    ? rows.map((block) => ({ ...block, block_id: `menu ${now.getTime()}` }))
    : rows;
}

/** Such as `Who is coming to Rotterdam`, `All groups`: these say what they are about. */
const isNamed = /\s(?!ETA\b)\p{Lu}|^(?:All|List) /u;

/** A screen reader's list of buttons has those of all messages, so each says what it acts on. */
function spokenFor(shown: Button, label: string, { about, verdict }: Pick<RowContext, 'about' | 'verdict'>) {
  const isOfAnswer = shown.action_id === actionIds.refresh || shown.action_id === actionIds.share;
  if (isOfAnswer && about) return spoken(shown, `${label} the answer about ${about}`);
  if (isOfAnswer) return verdict ? spoken(shown, `${label}: ${verdict}`) : shown;
  if (!about || isNamed.test(label)) return shown;
  return spoken(shown, label === 'Watch' ? `${label} ${about}` : `${label.replace(/ …$/, '')}: ${about}`);
}

export const spoken = (shown: Button, label: string): Button => ({
  ...shown,
  accessibility_label: clip(plain(label), limits.buttonText),
});

/**
 * At most five buttons; the last of `runs` beyond them begin the menu. Slack refuses a menu of one, so a single option is a
 * button, or another button joins it. What is too long for a menu is a button while there is room.
 */
function rowOf(
  buttons: readonly (AnswerButton | AnswerMenu)[],
  { runs, more }: Required<Pick<AnswerActions, 'runs' | 'more'>>,
  lineOf: LineOf,
) {
  const fits = (each: AnswerButton) =>
    optionOf(each, lineOf).some(({ value }) => value.length <= limits.optionValue);
  const menu = more.filter(fits);
  const isButton = menu.length === 1 && buttons.length < limits.buttons;
  const whole = [...buttons, ...more.filter((each) => isButton || !fits(each))];
  const beyond = Math.max(0, whole.length - limits.buttons);
  const joins = !isButton && beyond + menu.length === 1 ? 1 : 0;
  // Slack asks no question before it reports the choice of an option.
  const movable = runs.flatMap((each) => ('options' in each || 'confirm' in each || !fits(each) ? [] : each));
  const moved = movable.slice(Math.max(0, movable.length - beyond - joins));
  const isMoved = (each: AnswerButton | AnswerMenu) => moved.some((one) => one === each);
  const options = [...moved, ...(isButton ? [] : menu)].flatMap((each) => optionOf(each, lineOf));
  return {
    row: whole.filter((each) => !isMoved(each)).slice(0, limits.buttons),
    options: options.length === 1 ? [] : options.slice(0, limits.overflowOptions),
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

/** For people and for programs. Only a workbook opens right in every country: Excel expects another separator in some. */
const offeredFormats = { xlsx: 'Export for Excel (.xlsx)', csv: 'Export as CSV' };

/** Adds the exports to the menu in the last row of buttons. A message without a menu gets one. */
export function withExportMenu(message: Message, line: string): Message {
  const options = Object.entries(offeredFormats).map(([format, label]) =>
    // The file comes apart: the answer that it is of stays.
    pressOption(label, actionIds.apartMenu, `${pageLine(line, 1)} as ${format}`),
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

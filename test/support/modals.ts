import type { PageView, ViewReply } from 'bolt-playground';
import { expect } from 'vitest';
import type { TestBot } from './bot.ts';
import { waitUntil } from './wait-until.ts';

/** The user's open modals, bottom of the stack first. */
export const modals = (bot: TestBot, userId: string): PageView[] => bot.playground.views(userId);

export const top = (bot: TestBot, userId: string): PageView | undefined => modals(bot, userId).at(-1);

/** Waits until the top modal has this title and contains these words. */
export async function waitForModal(
  bot: TestBot,
  userId: string,
  title: string,
  words = '',
): Promise<PageView> {
  let view: PageView | undefined;
  await waitUntil(`${title} is opened and shows ${words}`, () => {
    view = top(bot, userId);
    return view?.title?.text === title && textsOf(view).includes(words);
  });
  // The condition holds only if there is a view.
  return view as PageView;
}

/** The blocks of a modal as JSON, in which tests look for texts. */
export const textsOf = ({ blocks }: PageView): string => JSON.stringify(blocks);

/** The element of an input block. */
export function field({ blocks }: PageView, id: string): unknown {
  const block = blocks.find(({ block_id }) => block_id === id);
  return block?.type === 'input' ? block.element : undefined;
}

type Values = Record<string, string | string[]>;

const inFields = (values: Values) =>
  Object.fromEntries(Object.entries(values).map(([id, value]) => [id, { field: value }]));

/** Fields without a value keep their initial value. */
export function submitTop(bot: TestBot, userId: string, values: Values = {}): Promise<ViewReply> {
  const viewId = top(bot, userId)?.id ?? '';
  return bot.playground.submitView({ userId, viewId, values: inFields(values) });
}

/** Types into a field that sends its changes to the app. */
export async function typeInto(bot: TestBot, userId: string, values: Values, id: string): Promise<void> {
  const viewId = top(bot, userId)?.id ?? '';
  const value = values[id] ?? '';
  const act = { userId, viewId, blockId: id, actionId: 'field', value, values: inFields(values) };
  expect(await bot.playground.actInView(act)).toEqual({ ok: true });
}

/** Presses the button with this text or this action id. */
export async function pressTop(
  bot: TestBot,
  userId: string,
  words: string,
  values: Values = {},
): Promise<void> {
  const view = top(bot, userId);
  for (const block of view?.blocks ?? []) {
    const elements =
      block.type === 'actions' ? block.elements : 'accessory' in block ? [block.accessory] : [];
    for (const element of elements) {
      if (element?.type !== 'button') continue;
      if (element.text.text !== words && element.action_id !== words) continue;
      const where = { blockId: block.block_id ?? '', actionId: element.action_id ?? '' };
      const act = { userId, viewId: view?.id ?? '', ...where, values: inFields(values) };
      expect(await bot.playground.actInView(act)).toEqual({ ok: true });
      return;
    }
  }
  throw new Error(`no button ${words} in ${view && textsOf(view)}`);
}

export async function closeAll(bot: TestBot, userId: string): Promise<void> {
  const [root] = modals(bot, userId);
  if (root) await bot.playground.closeView({ userId, viewId: root.id, all: true });
}

import type { PageView } from 'bolt-playground';
import type { TestBot } from './bot.ts';
import { buttonsIn } from './form-driver.ts';
import { blockLines } from './message-text.ts';
import { waitUntil } from './wait-until.ts';

type Block = PageView['blocks'][number];

/** One person who uses the Home tab. */
export function driveHome({ playground }: TestBot, userId: string) {
  const blocks = () => playground.home(userId)?.blocks ?? [];
  const read = () => blocks().flatMap(blockLines).join('\n');
  const menuOf = (row: string) => {
    const found = blocks().find((block) => blockLines(block).join('\n').includes(row) && menuIn(block));
    const menu = found && menuIn(found);
    if (!menu) throw new Error(`no row with a menu says ${row}:\n${read()}`);
    return { menu, blockId: found.block_id ?? '' };
  };
  const act = async (blockId: string, actionId: string, value?: string) => {
    const viewId = playground.home(userId)?.id ?? '';
    const what = { userId, viewId, blockId, actionId, values: {}, ...(value !== undefined && { value }) };
    const reply = await playground.actInView(what);
    if (!reply.ok) throw new Error(reply.error);
  };

  return {
    read,
    open: () => playground.openHome(userId, 'home'),
    /** Waits until the tab shows this; returns the whole tab as text. */
    async see(words: string | RegExp): Promise<string> {
      const isSeen = () => (typeof words === 'string' ? read().includes(words) : words.test(read()));
      try {
        await waitUntil(`${words} is seen`, isSeen);
      } catch (cause) {
        throw new Error(`not seen: ${words}\n${read()}`, { cause });
      }
      return read();
    },
    /** Clicks the button with this label. */
    async press(label: string | RegExp): Promise<void> {
      const is = (text: string) => (typeof label === 'string' ? text === label : label.test(text));
      for (const block of blocks()) {
        const pressed = buttonsIn(block).find(({ text }) => is(text.text));
        if (pressed) return act(block.block_id ?? '', pressed.action_id ?? '');
      }
      throw new Error(`no button ${label}:\n${read()}`);
    },
    /** Chooses from the menu of the row with this text. */
    async choose(row: string, option: string): Promise<void> {
      const { menu, blockId } = menuOf(row);
      const chosen = menu.options.find(({ text }) => text.text === option);
      if (!chosen) throw new Error(`no ${option} in the menu of ${row}`);
      await act(blockId, menu.action_id ?? '', chosen.value);
    },
    /** The options of that menu. */
    options: (row: string) => menuOf(row).menu.options.map(({ text }) => text.text),
  };
}

const menuIn = (block: Block) =>
  block.type === 'section' && block.accessory?.type === 'overflow' ? block.accessory : undefined;

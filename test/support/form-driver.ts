import type { ElementValue, FieldValues, PageView } from 'bolt-playground';
import type { FormView } from '../../src/answers/fields.ts';
import { fieldAction, formBlocks } from '../../src/answers/slack/form.ts';
import type { TestBot } from './bot.ts';
import { blockLines } from './message-text.ts';
import { reader } from './view-fixtures.ts';
import { waitUntil } from './wait-until.ts';

/** One person who uses the playground's modals. Typed text stays in its field, as in Slack. */
export function driveForms(bot: Pick<TestBot, 'playground'>, userId: string) {
  let values: FieldValues = {};
  let viewId = '';
  const top = () => {
    const view = bot.playground.views(userId).at(-1);
    if (view && view.id !== viewId && !bot.playground.views(userId).some(({ id }) => id === viewId))
      values = {};
    if (view && view.type === 'modal') viewId = view.id;
    return view;
  };
  const shown = () => {
    const view = top();
    if (!view) throw new Error('no modal is open');
    return view;
  };
  const act = async (blockId: string, actionId: string, value?: ElementValue) => {
    const given = value === undefined ? {} : { value };
    const reply = await bot.playground.actInView({
      userId,
      viewId: shown().id,
      blockId,
      actionId,
      values,
      ...given,
    });
    if (!reply.ok) throw new Error(reply.error);
  };

  return {
    /** The top modal. */
    top,
    /** Waits for a modal with this text. */
    async see(words: string | RegExp): Promise<PageView> {
      const isSeen = () => {
        const view = top();
        const text = view && readView(view);
        return text !== undefined && (typeof words === 'string' ? text.includes(words) : words.test(text));
      };
      try {
        await waitUntil(`${words} is seen`, isSeen);
      } catch (cause) {
        const view = top();
        throw new Error(`not seen: ${words}\n${view ? readView(view) : 'no modal'}`, { cause });
      }
      return shown();
    },
    /** Types or chooses; a field with an action sends it. */
    async fill(field: string, value: ElementValue): Promise<void> {
      const block = shown().blocks.find(({ type, block_id }) => type === 'input' && block_id === field);
      if (block?.type !== 'input') throw new Error(`no field ${field} in\n${readView(shown())}`);
      values = { ...values, [field]: { [fieldAction]: value } };
      if (block.dispatch_action) await act(field, fieldAction, value);
    },
    /** Clicks the button with this label. `index` chooses among several. */
    async press(label: string, index = 0): Promise<void> {
      const found = shown().blocks.flatMap((block) =>
        buttonsIn(block).map((button) => ({ ...button, blockId: block.block_id ?? '' })),
      );
      const button = found.filter(({ text }) => text.text === label)[index];
      if (!button) throw new Error(`no button ${label} in\n${readView(shown())}`);
      await act(button.blockId, button.action_id ?? '');
    },
    submit: () => bot.playground.submitView({ userId, viewId: shown().id, values }),
    async close(): Promise<void> {
      await bot.playground.closeView({ userId, viewId: shown().id, all: false });
    },
    /** Each field with its label, as text. */
    read: () => readView(shown()),
  };
}

/** Closes all modals of this person. */
export async function closeAll({ playground }: Pick<TestBot, 'playground'>, userId: string): Promise<void> {
  const root = playground.views(userId).find(({ type }) => type === 'modal');
  if (root) await playground.closeView({ userId, viewId: root.id, all: true });
}

type Block = PageView['blocks'][number];

/** The buttons of a block, accessories included. */
export function buttonsIn(block: Block) {
  const elements =
    block.type === 'actions'
      ? block.elements
      : block.type === 'section' && block.accessory
        ? [block.accessory]
        : [];
  return elements.flatMap((element) => (element.type === 'button' ? [element] : []));
}

/** A form as text, for snapshots. */
export const readForm = (form: FormView): string =>
  readView({
    title: { type: 'plain_text', text: form.title },
    submit: { type: 'plain_text', text: form.submit },
    blocks: formBlocks(form, reader),
  });

/** A modal as text, for snapshots. */
export function readView({ title, submit, blocks }: Pick<PageView, 'title' | 'submit' | 'blocks'>): string {
  return [
    `# ${title?.text ?? ''}${submit ? ` [${submit.text}]` : ''}`,
    ...blocks.flatMap((block) => [
      ...(block.type === 'input' ? [fieldLine(block)] : blockLines(block)),
      ...(block.type === 'section' ? buttonsIn(block).map(({ text }) => `[${text.text}]`) : []),
    ]),
  ].join('\n');
}

/** `times: Times of day = 08:00 (One or several: …)`. */
function fieldLine({ block_id, label, element, hint, optional }: Extract<Block, { type: 'input' }>): string {
  const known = element as {
    initial_value?: string;
    initial_conversation?: string;
    initial_option?: { value?: string };
    initial_options?: { value?: string }[];
  };
  const value =
    known.initial_value ??
    known.initial_conversation ??
    known.initial_option?.value ??
    known.initial_options?.map((option) => option.value).join(',');
  const is = value === undefined ? '' : ` = ${value}`;
  return `${block_id}: ${label.text}${optional ? ' (optional)' : ''}${is}${hint ? ` (${hint.text})` : ''}`;
}

import type { ElementValue, FieldValues, PageView } from 'bolt-playground';
import { dmOf, ops, type TestBot } from '../support/bot.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Observe, Step } from './observer.ts';
import { outlineOf, viewLines } from './outline.ts';

/** What one person does in Slack. Each act is a step of the story. */
export interface Person {
  userId: string;
  /** Types in #ops, or elsewhere. */
  says(text: string, where?: { channelId?: string; threadOf?: string }): Promise<Step>;
  /** Types in the direct message with the bot. */
  writes(text: string): Promise<Step>;
  /** Presses a button, or chooses an option of a menu, under the newest message that has it; `under`: words of that message. */
  presses(label: string, under?: string): Promise<Step>;
  /** Fills in a field of the open window, by its label. */
  fills(label: string, value: ElementValue): Promise<Step>;
  pressesInForm(label: string): Promise<Step>;
  submits(): Promise<Step>;
  closes(): Promise<Step>;
  opensHome(): Promise<Step>;
  /** A button, or an option of a menu; `row`: words of its row. */
  pressesAtHome(label: string, row?: string): Promise<Step>;
  usesShortcut(callbackId: string, onMessage?: string): Promise<Step>;
  shares(name: string, content: string): Promise<Step>;
  /** Writes a link without sending; the bot shows something under it. */
  composes(text: string): Promise<Step>;
  /** Runs a workflow's step with these inputs. */
  runsStep(callbackId: string, inputs: Record<string, string>): Promise<Step>;
}

interface Setting {
  bot: TestBot;
  name: string;
  userId: string;
  step: Observe;
}

export function createPerson(setting: Setting): Person {
  return { userId: setting.userId, ...inMessages(setting), ...inForms(setting), ...elsewhere(setting) };
}

type Reply = { ok: boolean; error?: string; errors?: Record<string, string> };

/** What Slack says about an act that the bot refuses. */
const notesOf = ({ ok, error, errors = {} }: Reply): string[] => [
  ...(ok || !error ? [] : [`Slack says: ${error}`]),
  ...Object.entries(errors).map(([field, text]) => `error under ${field}: ${text}`),
];

function inMessages({ bot, name, userId, step }: Setting) {
  const { playground } = bot;
  const visible = () =>
    playground.world.channels
      .filter(({ memberIds }) => memberIds.includes(userId))
      .flatMap(({ id }) => playground.messages(id))
      .filter(({ ephemeralTo }) => ephemeralTo === undefined || ephemeralTo === userId)
      .toSorted((a, b) => Number(a.ts) - Number(b.ts));
  const find = (words: string) => {
    const found = visible().findLast(
      (message) => message.userId === bot.botUserId && JSON.stringify(message).includes(words),
    );
    if (!found) throw new Error(`${name} sees no message with “${words}”`);
    return found;
  };
  const say = async (request: { channelId: string; text: string; threadTs?: string; fileIds?: string[] }) =>
    notesOf(await playground.say({ userId, ...request }));
  const dm = dmOf(userId);
  return {
    says: (text: string, { channelId = ops, threadOf }: { channelId?: string; threadOf?: string } = {}) => {
      const thread = threadOf === undefined ? undefined : find(threadOf);
      const { name: channel } = playground.world.channels.find(({ id }) => id === channelId) ?? {};
      return step(
        `${name}${thread ? ' in the thread' : channelId === ops ? '' : ` in #${channel}`}: ${text}`,
        () => say({ channelId, text, ...(thread && { threadTs: thread.threadTs ?? thread.ts }) }),
      );
    },
    writes: (text: string) => step(`${name} to Landfall: ${text}`, () => say({ channelId: dm, text })),
    presses: (label: string, under = '') =>
      step(`${name} presses ${label}`, async () => {
        for (const message of visible().toReversed()) {
          if (!JSON.stringify(message).includes(under)) continue;
          const { channelId, ts: messageTs, blocks, unfurls = [] } = message;
          for (const part of [{ blocks }, ...unfurls]) {
            const found = pressable(part.blocks, label);
            const at = { userId, channelId, messageTs, ...('url' in part && { unfurlUrl: part.url }) };
            if (found) return notesOf(await playground.click({ ...at, ...found }));
          }
        }
        throw new Error(`${name} sees no button ${label}`);
      }),
    usesShortcut: (callbackId: string, onMessage?: string) =>
      step(`${name} uses the shortcut ${callbackId}`, async () => {
        const message = onMessage === undefined ? undefined : find(onMessage);
        const at = message ? { channelId: message.channelId, messageTs: message.ts } : { channelId: ops };
        return notesOf(await playground.shortcut({ userId, callbackId, ...at }));
      }),
    shares: (file: string, content: string) =>
      step(`${name} shares ${file}`, async () => {
        const upload = playground.upload({ userId, name: file, content: Buffer.from(content) });
        return upload.ok ? say({ channelId: dm, text: '', fileIds: [upload.fileId] }) : [upload.error];
      }),
  };
}

function inForms({ bot: { playground }, name, userId, step }: Setting) {
  /** Typed text stays in its field, as in Slack. */
  const typed = new Map<string, FieldValues>();
  const top = (): PageView => {
    const view = playground.views(userId).at(-1);
    if (!view) throw new Error(`${name} has no open window`);
    return view;
  };
  const valuesOf = ({ id }: PageView) => typed.get(id) ?? {};
  return {
    fills: (label: string, value: ElementValue) =>
      step(`${name} fills in ${label}: ${JSON.stringify(value)}`, async () => {
        const view = top();
        const field = view.blocks.find((block) => block.type === 'input' && block.label.text === label);
        if (field?.type !== 'input') throw new Error(`no field ${label} in\n${viewLines(view).join('\n')}`);
        const { block_id: blockId = '', element, dispatch_action: isSent } = field;
        const actionId = ('action_id' in element && element.action_id) || '';
        const values = { ...valuesOf(view), [blockId]: { [actionId]: value } };
        typed.set(view.id, values);
        return isSent
          ? notesOf(await playground.actInView({ userId, viewId: view.id, blockId, actionId, value, values }))
          : [];
      }),
    pressesInForm: (label: string) =>
      step(`${name} presses ${label}`, async () => {
        const view = top();
        const found = pressable(view.blocks, label);
        if (!found) throw new Error(`no button ${label} in\n${viewLines(view).join('\n')}`);
        const { optionValue: value, ...where } = found;
        const given = { ...(value !== undefined && { value }), values: valuesOf(view) };
        return notesOf(await playground.actInView({ userId, viewId: view.id, ...where, ...given }));
      }),
    submits: () =>
      step(`${name} submits`, async () => {
        const view = top();
        return notesOf(await playground.submitView({ userId, viewId: view.id, values: valuesOf(view) }));
      }),
    closes: () =>
      step(`${name} closes the window`, async () =>
        notesOf(await playground.closeView({ userId, viewId: top().id, all: false })),
      ),
  };
}

function elsewhere({ bot: { playground }, name, userId, step }: Setting) {
  return {
    composes: (text: string) =>
      step(`${name} writes ${text}`, async () => {
        const reply = await playground.write({ userId, text });
        // Nobody waits for what the bot shows then, so nothing says when it has decided.
        await waitUntil('a preview is shown', () => playground.previews(userId).length > 0);
        return notesOf(reply);
      }),
    runsStep: (callbackId: string, inputs: Record<string, string>) =>
      step(`${name} runs the step ${callbackId}: ${JSON.stringify(inputs)}`, async () => {
        const reply = await playground.runStep({ userId, callbackId, inputs });
        if (!reply.ok) return [reply.error];
        const { outcome } = reply;
        if (outcome.kind === 'failed') return [`fails: ${outcome.error}`];
        return Object.entries(outcome.outputs).map(([output, value]) => `${output}: ${value}`);
      }),
    opensHome: () =>
      step(`${name} opens Home`, async () => {
        await playground.openHome(userId, 'home');
        return [];
      }),
    pressesAtHome: (label: string, row = '') =>
      step(`${name} presses ${label} at Home`, async () => {
        const { id: viewId = '', blocks = [] } = playground.home(userId) ?? {};
        const found = pressable(
          blocks.filter((block) => JSON.stringify(block).includes(row)),
          label,
        );
        if (!found) throw new Error(`no button ${label} in\n${outlineOf(blocks).join('\n')}`);
        const { optionValue: value, ...where } = found;
        const act = { userId, viewId, ...where, ...(value !== undefined && { value }), values: {} };
        return notesOf(await playground.actInView(act));
      }),
  };
}

interface Pressable {
  blockId: string;
  actionId: string;
  optionValue?: string;
}

interface Labelled {
  block_id?: string;
  action_id?: string;
  text?: { text?: string };
  value?: string;
  options?: { text: { text: string }; value: string }[];
}

/** A button, or an option of a menu, anywhere within these blocks. */
function pressable(within: unknown, label: string, blockId = ''): Pressable | undefined {
  if (typeof within !== 'object' || within === null) return undefined;
  const { block_id = blockId, action_id: actionId, text, options = [] }: Labelled = within; // blocks are JSON
  if (actionId !== undefined) {
    if (text?.text === label) return { blockId: block_id, actionId };
    const option = Array.isArray(options) && options.find((one) => one.text.text === label);
    if (option) return { blockId: block_id, actionId, optionValue: option.value };
  }
  for (const part of Object.values(within)) {
    const found = pressable(part, label, block_id);
    if (found) return found;
  }
  return undefined;
}

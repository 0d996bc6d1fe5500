import type { FieldValues, PageView } from 'bolt-playground';
import { dmOf, ops, type TestBot } from '../support/bot.ts';
import { waitUntil } from '../support/wait-until.ts';
import { outlineOf, viewLines } from './outline.ts';

/** Somebody who does something in Slack. */
export interface Doer {
  bot: TestBot;
  userId: string;
  /** What stands after ` | `: words of the message or row that is meant, or the content of a file. */
  more: string;
  /** What is typed stays in its field, as in Slack. By window. */
  typed: Map<string, FieldValues>;
}

type Reply = { ok: boolean; error?: string; errors?: Record<string, string> };

/** Returns what Slack shows beside messages. */
type Act = (doer: Doer, ...parts: string[]) => Promise<string[]>;

/** What a person does, as a line says it after the name: `ada presses Refresh`. */
const acts: readonly (readonly [RegExp, Act])[] = [
  [/^: (.*)$/, (doer, text) => say(doer, { text })],
  [
    /^ in the thread: (.*)$/,
    (doer, text) => {
      const { channelId, ts, threadTs = ts } = messageFor(doer);
      return say(doer, { channelId, text, threadTs });
    },
  ],
  [
    /^ in #(\S+): (.*)$/,
    ({ bot, ...doer }, name, text) => {
      const channel = bot.playground.world.channels.find((one) => one.name === name);
      return say({ bot, ...doer }, { channelId: channel?.id, text });
    },
  ],
  [/^ to Landfall: (.*)$/, (doer, text) => say(doer, { channelId: dmOf(doer.userId), text })],
  [/^ presses (.*) at Home$/, pressAtHome],
  [/^ presses (.*)$/, press],
  [/^ fills in (.*?): (".*")$/, fill],
  [
    /^ submits$/,
    async ({ bot, userId, typed }) => {
      const { id: viewId } = windowOf(bot, userId);
      return notesOf(await bot.playground.submitView({ userId, viewId, values: typed.get(viewId) ?? {} }));
    },
  ],
  [
    /^ closes the window$/,
    async ({ bot, userId }) =>
      notesOf(await bot.playground.closeView({ userId, viewId: windowOf(bot, userId).id, all: false })),
  ],
  [
    /^ opens Home$/,
    async ({ bot, userId }) => {
      await bot.playground.openHome(userId, 'home');
      return [];
    },
  ],
  [
    /^ uses the shortcut (\w+)$/,
    async (doer, callbackId = '') => {
      const message = doer.more === '' ? undefined : messageFor(doer);
      const at = message ? { channelId: message.channelId, messageTs: message.ts } : { channelId: ops };
      return notesOf(await doer.bot.playground.shortcut({ userId: doer.userId, callbackId, ...at }));
    },
  ],
  [
    /^ shares (.*)$/,
    async (doer, name = '') => {
      const content = Buffer.from(JSON.parse(doer.more));
      const upload = doer.bot.playground.upload({ userId: doer.userId, name, content });
      if (!upload.ok) return [upload.error];
      return await say({ ...doer, more: '' }, { channelId: dmOf(doer.userId), fileIds: [upload.fileId] });
    },
  ],
  [
    // Without sending: the bot shows something under a link.
    /^ writes (.*)$/,
    async ({ bot: { playground }, userId }, text = '') => {
      const reply = await playground.write({ userId, text });
      // Nobody waits for what the bot shows then, so nothing says when it has decided.
      await waitUntil('a preview is shown', () => playground.previews(userId).length > 0);
      return notesOf(reply);
    },
  ],
  [
    // Of a workflow, with these inputs.
    /^ runs the step (\w+): (.*)$/,
    async ({ bot, userId }, callbackId = '', inputs = '') => {
      const reply = await bot.playground.runStep({ userId, callbackId, inputs: JSON.parse(inputs) });
      if (!reply.ok) return [reply.error];
      const { outcome } = reply;
      if (outcome.kind === 'failed') return [`fails: ${outcome.error}`];
      return Object.entries(outcome.outputs).map(([output, value]) => `${output}: ${value}`);
    },
  ],
];

/** Does what a line says after the person's name. */
export async function act(line: string, doer: Doer): Promise<string[]> {
  for (const [pattern, perform] of acts) {
    const match = pattern.exec(line);
    if (match) return await perform(doer, ...match.slice(1));
  }
  throw new Error(`nobody can do this: ${line}`);
}

/** What Slack says about an act that the bot refuses. */
const notesOf = ({ ok, error, errors = {} }: Reply): string[] => [
  ...(ok || !error ? [] : [`Slack says: ${error}`]),
  ...Object.entries(errors).map(([field, text]) => `error under ${field}: ${text}`),
];

/** In #ops by default. */
async function say(
  { bot, userId, more }: Doer,
  words: { channelId?: string | undefined; text?: string | undefined; threadTs?: string; fileIds?: string[] },
): Promise<string[]> {
  const { channelId = ops, text = '', ...others } = words;
  const send = async () => notesOf(await bot.playground.say({ userId, channelId, text, ...others }));
  if (more !== 'while the service waits') return await send();
  const { remove } = bot.sandbox.faults.hold();
  await bot.after(send);
  remove();
  return [];
}

/** What this person sees, oldest first. */
const messagesFor = ({ bot: { playground }, userId }: Doer) =>
  playground.world.channels
    .filter(({ memberIds }) => memberIds.includes(userId))
    .flatMap(({ id }) => playground.messages(id))
    .filter(({ ephemeralTo }) => ephemeralTo === undefined || ephemeralTo === userId)
    .toSorted((a, b) => Number(a.ts) - Number(b.ts));

/** The newest message of the bot with these words. */
function messageFor(doer: Doer) {
  const found = messagesFor(doer).findLast(
    (message) => message.userId === doer.bot.botUserId && JSON.stringify(message).includes(doer.more),
  );
  if (!found) throw new Error(`${doer.userId} sees no message with “${doer.more}”`);
  return found;
}

function windowOf({ playground }: TestBot, userId: string): PageView {
  const view = playground.views(userId).at(-1);
  if (!view) throw new Error(`${userId} has no open window`);
  return view;
}

/** In the open window; if there is none with that button, under the newest message that has it. */
async function press(doer: Doer, label = ''): Promise<string[]> {
  const { bot, userId, more, typed } = doer;
  const { playground } = bot;
  const view = playground.views(userId).at(-1);
  const inWindow = view && pressable(view.blocks, label);
  if (inWindow) {
    const { optionValue: value, ...where } = inWindow;
    const given = { ...(value !== undefined && { value }), values: typed.get(view.id) ?? {} };
    return notesOf(await playground.actInView({ userId, viewId: view.id, ...where, ...given }));
  }
  for (const message of messagesFor(doer).toReversed()) {
    if (!JSON.stringify(message).includes(more)) continue;
    const { channelId, ts: messageTs, blocks, unfurls = [] } = message;
    for (const part of [{ blocks }, ...unfurls]) {
      const found = pressable(part.blocks, label);
      const at = { userId, channelId, messageTs, ...('url' in part && { unfurlUrl: part.url }) };
      if (found) return notesOf(await playground.click({ ...at, ...found }));
    }
  }
  throw new Error(`${userId} sees no button ${label}`);
}

async function fill({ bot, userId, typed }: Doer, label = '', json = ''): Promise<string[]> {
  const view = windowOf(bot, userId);
  const field = view.blocks.find((block) => block.type === 'input' && block.label.text === label);
  if (field?.type !== 'input') throw new Error(`no field ${label} in\n${viewLines(view).join('\n')}`);
  const { block_id: blockId = '', element, dispatch_action: isSent } = field;
  const actionId = ('action_id' in element && element.action_id) || '';
  const value = JSON.parse(json);
  const values = { ...typed.get(view.id), [blockId]: { [actionId]: value } };
  typed.set(view.id, values);
  if (!isSent) return [];
  return notesOf(
    await bot.playground.actInView({ userId, viewId: view.id, blockId, actionId, value, values }),
  );
}

async function pressAtHome({ bot, userId, more }: Doer, label = ''): Promise<string[]> {
  const { id: viewId = '', blocks = [] } = bot.playground.home(userId) ?? {};
  const found = pressable(
    blocks.filter((block) => JSON.stringify(block).includes(more)),
    label,
  );
  if (!found) throw new Error(`no button ${label} in\n${outlineOf(blocks).join('\n')}`);
  const { optionValue: value, ...where } = found;
  const press = { userId, viewId, ...where, ...(value !== undefined && { value }), values: {} };
  return notesOf(await bot.playground.actInView(press));
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

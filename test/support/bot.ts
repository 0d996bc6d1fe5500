import type { PageMessage } from 'bolt-playground';
import { createApp } from '../../src/app/app.ts';
import { createLogger } from '../../src/app/logger.ts';
import { createConfig } from '../../src/config/config.ts';
import type { Timing } from '../../src/slack/context.ts';
import { emptyDatabase } from './bot-database.ts';

export type Mode = 'socket' | 'http';

/** Users and channels of the playground. */
export const ada = 'U0ADA0001';
export const ben = 'U0BEN0001';
/** Of another organisation. */
export const dora = 'U0DORA0001';
/** A guest, in #ops only. */
export const eve = 'U0EVE0001';
export const ops = 'C0OPS00001';
/** A channel with people of another organisation. */
export const shared = 'C0CARRIERS';
/** A channel without the bot. */
export const privateDesk = 'C0PRIVATE1';
export const dmOf = (userId: string) => `D${userId.slice(1)}`;

interface LogLine extends Record<string, unknown> {
  level: number;
  msg: string;
}

export type TestBot = Awaited<ReturnType<typeof startBot>>;

export interface BotOptions {
  timing?: Partial<Timing>;
  env?: Record<string, string>;
  /** A timer does the due work, as in production. */
  automatic?: boolean;
  /** The real clock stands still at this time, except for `advance`, and ids are the same in each run. */
  frozenAt?: number;
  logLevel?: 'info' | 'trace';
}

/** A Monday morning: what the sandbox predicts and which digests are due must not depend on when the tests run. */
export const mondayMs = Date.UTC(2026, 10, 23, 5, 10);
export const loadedMs = Date.now();

/** Long enough for a busy machine. */
export const patienceMs = 45_000;

type Match = (message: PageMessage) => boolean;
interface SayOptions {
  threadTs?: string;
  match?: Match;
}

/**
 * The whole bot in this process: sandbox, playground and app, each on a free port. The store is in memory unless `env`
 * names a data directory or a database. Due work is done only on request, unless `automatic` is set.
 */
export async function startApp({
  timing,
  env = {},
  automatic = false,
  frozenAt,
  logLevel = 'info',
  beginMs = mondayMs,
}: BotOptions & { beginMs?: number }) {
  const log: LogLine[] = [];
  let advancedMs = 0;
  const realNow = () => (frozenAt ?? beginMs + Date.now() - loadedMs) + advancedMs;
  let lastId = frozenAt ?? 0;
  const app = createApp({
    config: createConfig({ PORT: '0', LANDFALL_DATA_DIR: ':memory:', ...env }),
    logger: createLogger(
      { logLevel, logFormat: 'json' },
      { isTerminal: false, destination: { write: (line) => log.push(JSON.parse(line)) } },
    ),
    version: '1.2.3',
    realNow,
    automatic,
    // The playground's limit counts real seconds.
    ...(frozenAt !== undefined && { newId: () => uuidOf(++lastId), playgroundRateLimit: false as const }),
    ...(env.LANDFALL_DATA_DIR || env.DATABASE_URL ? {} : { connect: emptyDatabase }),
    // Long times: on a busy machine no answer is late unless a test wants it.
    timing: { workingMs: patienceMs, deadlineMs: patienceMs, ...timing },
    pictureTimeoutMs: patienceMs,
  });
  const { playground, settled, advance: forward, ...started } = await app.start();
  if (!playground) throw new Error('the playground has not been started');
  return {
    ...{ ...started, playground, log },
    /** Advances the invented world a quarter of an hour at a time, and does what is due after each step. */
    forward,
    /** The real clock of the bot and of the sandbox. */
    realNow: () => new Date(realNow()),
    /** Moves that clock. */
    advance(ms: number): void {
      advancedMs += ms;
    },
    /** Resolves when everything that people did has been delivered and answered. */
    async settled(): Promise<void> {
      await playground.runDue();
      if (!(await settled(patienceMs))) throw new Error('the bot is still at work');
    },
    stop: async (): Promise<void> => void (await app.stop(5_000)),
  };
}

/** The bot of one workspace. */
export async function startBot(mode: Mode, options: BotOptions = {}) {
  const env = { PLAYGROUND_MODE: mode, ...options.env };
  const { sandbox, ...app } = await startApp({ ...options, env });
  const { playground } = app;
  const { botUserId } = playground.world.app;
  const messages = (channelId: string): PageMessage[] =>
    playground.messages(channelId).filter((message) => message.userId === botUserId);

  const after = async (act: () => Promise<unknown>, match: Match = () => true): Promise<PageMessage> => {
    const before = new Set(playground.world.channels.flatMap(({ id }) => messages(id)).map(identity));
    const isNew = (message: PageMessage) => message.userId === botUserId && !before.has(identity(message));
    await act();
    return playground.waitForMessage((message) => isNew(message) && match(message), patienceMs);
  };
  const accepted = async (reply: Promise<{ ok: boolean; error?: string }>) => {
    const { ok, error } = await reply;
    if (!ok) throw new Error(error);
  };

  return {
    ...app,
    get sandbox() {
      if (!sandbox) throw new Error('this bot has another service than the sandbox');
      return sandbox;
    },
    botUserId,
    /** Runs an action; returns the bot's next new or edited message that matches. */
    after,
    /** All of the bot's messages in a channel, oldest first. */
    messages,
    /** Types in a channel; returns the bot's next matching message. */
    say: (userId: string, channelId: string, text: string, { threadTs, match }: SayOptions = {}) =>
      after(
        () => accepted(playground.say({ userId, channelId, text, ...(threadTs && { threadTs }) })),
        match,
      ),
    click(userId: string, message: PageMessage, button: string, optionValue?: string) {
      const where = { userId, channelId: message.channelId, messageTs: message.ts };
      const what = { ...actionOf(message, button), ...(optionValue && { optionValue }) };
      return after(() => accepted(playground.click({ ...where, ...what })));
    },
  };
}

const uuidOf = (id: number) => `00000000-0000-4000-8000-${id.toString(16).padStart(12, '0')}`;

interface Button {
  action_id: string;
  text?: { text: string };
  value?: string;
  options?: { text: { text: string }; value: string }[];
}

/** The buttons and menus of a message. */
export function buttonsOf(message: PageMessage): Button[] {
  return (message.blocks ?? []).flatMap((block) =>
    // The playground stores blocks as they were sent, with ids added.
    block.type === 'actions' ? (block.elements as unknown as Button[]) : [],
  );
}

/** All text of a message's blocks. */
export function wordsOf(message: PageMessage): string {
  return JSON.stringify(message.blocks ?? []);
}

/** Of a button, or of an option of a menu, by its label. */
function actionOf(message: PageMessage, label: string): { actionId: string; optionValue?: string } {
  for (const { action_id: actionId, text, options = [] } of buttonsOf(message)) {
    if (actionId === label || text?.text === label) return { actionId };
    const option = options.find((one) => one.text.text === label);
    if (option) return { actionId, optionValue: option.value };
  }
  throw new Error(`no button ${label} under: ${message.text}`);
}

export function identity({ channelId, ts, editedTs, text }: PageMessage): string {
  return `${channelId} ${ts} ${editedTs ?? ''} ${text}`;
}

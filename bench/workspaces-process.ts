// The bot in a separate process, installed in many workspaces. Its argument is `BotOptions` as JSON. It sends its address
// when it is ready, and answers each `BotTask`.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { sql } from 'kysely';
import { createApp } from '../src/app/app.ts';
import { createConfig } from '../src/config/config.ts';
import { inChunks } from '../src/database/batches.ts';
import { connectDatabase } from '../src/database/connect.ts';
import { storeOf } from '../src/database/workspace-store.ts';
import { silentLogger as logger } from '../src/log.ts';
import { pendingMessage } from '../src/outbox/outgoing-message.ts';
import { freePort } from '../test/support/free-port.ts';
import { answerParent } from './child.ts';
import { range } from './watch-fleet.ts';
import { encryptionKey, seedWorkspaces, vesselAt, type WorkspaceFleet } from './workspaces-fleet.ts';
import { serviceAddress, signingSecret } from './workspaces-world.ts';

export interface BotOptions {
  /** The store's PostgreSQL address, or its directory. */
  store: string;
  worldUrl: string;
  /** All workspaces use the same account of the service. */
  isShared?: boolean;
}

export interface BotReady {
  url: string;
}

export type BotTask =
  | { task: 'seed'; fleets: readonly WorkspaceFleet[] }
  /** Makes the vessels of a workspace due at a time of the wall clock, which is also the domain clock here. */
  | { task: 'plan'; polls: readonly PlannedPolls[] }
  /** Puts a message for each watch of the workspace into the outbox. */
  | { task: 'messages'; workspaceId: string }
  /** Deletes the workspace's messages. */
  | { task: 'clear'; workspaceId: string }
  /** Starts to measure how long the event loop is held. */
  | { task: 'begin' }
  /** Ends that: it takes processor time. */
  | { task: 'end' }
  | { task: 'look' };

export interface PlannedPolls extends WorkspaceFleet {
  at: Date;
}

export interface BotFigures {
  /** The subjects and messages that wait or are under way, of all workspaces. */
  subjects: number;
  messages: number;
  /** Since `begin`: how long the event loop was held at a time. */
  holdMs: { p50: number; p99: number; max: number };
}

// The parent passes its own options.
const { store, worldUrl, isShared = false } = JSON.parse(process.argv[2] ?? '') as BotOptions;
const port = await freePort();
const account = { address: serviceAddress(worldUrl), apiKey: 'key', password: 'password' };
const operators = {
  ACCOUNTS: 'shared',
  ANALYTICS_BASE_URL: account.address,
  ANALYTICS_API_KEY: account.apiKey,
  ANALYTICS_USER_ID: 'shared',
  ANALYTICS_PASSWORD: account.password,
};
const config = createConfig({
  SLACK_CLIENT_ID: 'client',
  SLACK_CLIENT_SECRET: 'secret',
  SLACK_SIGNING_SECRET: signingSecret,
  SLACK_API_URL: `${worldUrl}/slack/api/`,
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  HOST: '127.0.0.1',
  PORT: String(port),
  ...(isShared ? operators : { ACCOUNT_ADDRESSES: account.address }),
  ...(store.startsWith('postgres:') ? { DATABASE_URL: store } : { LANDFALL_DATA_DIR: store }),
  LANDFALL_ENCRYPTION_KEY: encryptionKey.toString('base64'),
  WATCH_POLL_MINUTES: '1440',
});
const database = await connectDatabase({ url: config.databaseUrl, dataDir: config.storeDir, logger });
const { db } = database;
// Only workspaces without an account use the operator's.
if (isShared) await db.deleteFrom('accounts').execute();
const app = createApp({ config, logger, version: '0.0.0', connect: async () => database });
await app.start();

const delay = monitorEventLoopDelay({ resolution: 1 });

async function plan({ id, first, vessels, at: due_at }: PlannedPolls): Promise<void> {
  const keys = range(vessels).map((index) => String(vesselAt(first + index)));
  for (const part of inChunks(keys)) {
    const subjects = db
      .selectFrom('subjects')
      .select('id')
      .where('workspace_id', '=', id)
      .where('kind', '=', 'vessel')
      .where('key', 'in', part)
      // In this order polls lock them too.
      .orderBy('id')
      .forUpdate();
    await db.updateTable('subjects').set({ due_at }).where('id', 'in', subjects).execute();
  }
}

async function writeMessages(workspaceId: string): Promise<void> {
  const store = storeOf(db, workspaceId);
  const watches = await store.selectFrom('watches').select(['id', 'channel_id']).execute();
  const rows = watches.map(({ id: threadKey, channel_id: channelId }, index) => {
    const message = { kind: index % 2 === 0 ? 'card' : 'card-update' };
    const id = crypto.randomUUID();
    return pendingMessage({ id, threadKey, channelId, message, now: new Date(), dueAt: new Date() });
  });
  for (const part of inChunks(rows)) await store.insertInto('outbox', part).execute();
}

async function look(): Promise<BotFigures> {
  const count = db.selectFrom('subjects').select((of) => of.fn.countAll<number>().as('count'));
  const waiting = db.selectFrom('outbox').select((of) => of.fn.countAll<number>().as('count'));
  const isDue = count.where((of) =>
    of.or([of('due_at', '<=', new Date()), of('lease_until', 'is not', null)]),
  );
  const subjects = await isDue.executeTakeFirst();
  const messages = await waiting.where('status', 'in', ['pending', 'sending']).executeTakeFirst();
  return {
    subjects: Number(subjects?.count),
    messages: Number(messages?.count),
    holdMs: { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 },
  };
}

const ready: BotReady = { url: `http://127.0.0.1:${port}` };
answerParent(ready, async (task: BotTask) => {
  switch (task.task) {
    case 'seed':
      await seedWorkspaces(db, { fleets: task.fleets, account });
      // Autovacuum would do it within a minute.
      if (config.databaseUrl) await sql`analyze`.execute(db);
      break;
    case 'plan':
      await Promise.all(task.polls.map(plan));
      break;
    case 'messages':
      await writeMessages(task.workspaceId);
      break;
    case 'clear':
      await db.deleteFrom('outbox').where('workspace_id', '=', task.workspaceId).execute();
      break;
    case 'begin':
      delay.reset();
      delay.enable();
      break;
    case 'end':
      delay.disable();
      break;
    case 'look':
      break;
  }
  return await look();
});

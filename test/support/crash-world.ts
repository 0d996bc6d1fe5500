import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import { createPlayground } from 'bolt-playground';
import { oneWorkspace } from '../../src/app/playground-world.ts';
import { connectDatabase, connectTool, type Database } from '../../src/database/connect.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import type { Rules } from '../../src/features/rules/list.ts';
import { chooseRules } from '../../src/features/rules/registry.ts';
import type { Imo } from '../../src/reference/codes.ts';
import { saveChannelSettings } from './channel-settings.ts';
import { createInstances } from './crash-instances.ts';
import { startCrashSlack } from './crash-slack.ts';
import { createTestDatabase } from './create-test-database.ts';
import { startPortService } from './fake-service.ts';
import { direct } from './statements/direct.ts';
import { createStoreLogger } from './store-logger.ts';
import type { TestPostgres } from './store-postgres.ts';
import { waitUntil } from './wait-until.ts';
import { createWatchStore } from './watch-stores.ts';

export interface CrashWatch {
  id: string;
  channelId: string;
  cardTs: string;
}

const onlyDiverted = chooseRules({ diverted: true }, { only: true });
const encryptionKey = Buffer.alloc(32, 7).toString('base64');

/** One instance on SQLite, or two on PostgreSQL. */
export const crashEngines = ['sqlite', 'postgres'] as const;

export type CrashWorld = Awaited<ReturnType<typeof startCrashWorld>>;

/** Instances of the bot, and the database, service and Slack that outlive them. */
export async function startCrashWorld(
  engine: (typeof crashEngines)[number],
  /** Default: the server that all test files share. */
  server?: TestPostgres,
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-crash-'));
  const url =
    engine === 'sqlite' ? undefined : await (server?.createDatabase() ?? createTestDatabase('empty'));
  // With real settings, the bot keeps its store there.
  const store = { url, dataDir: join(dataDir, 'workspace'), logger: createStoreLogger() };
  await (await connectDatabase(store)).close();
  const database = await connectTool(store);
  const playground = await createPlayground({
    mode: 'http',
    world: oneWorkspace(),
    rateLimit: false,
    limits: { messages: 100_000 },
  });
  const slack = await startCrashSlack(playground.apiUrl);
  const { service, ports } = await startPortService('2099-01-01');
  const instances = createInstances(engine === 'sqlite' ? 1 : 2, {
    ...(url !== undefined && { DATABASE_URL: url }),
    LANDFALL_ENCRYPTION_KEY: encryptionKey,
    LANDFALL_DATA_DIR: dataDir,
    LEASE_MS: '5000',
    WATCH_POLL_MINUTES: '0.01',
    PORT: '0',
    SLACK_BOT_TOKEN: playground.botToken,
    SLACK_SIGNING_SECRET: playground.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    ANALYTICS_BASE_URL: service.url,
    ANALYTICS_API_KEY: 'key',
    ANALYTICS_USER_ID: 'user',
    ANALYTICS_PASSWORD: 'password',
  });
  const client = new WebClient(playground.botToken, { slackApiUrl: playground.apiUrl });
  /** The messages in the watches' threads, as Slack has them: each as JSON, with its id. */
  const read = async (watches: readonly CrashWatch[]) =>
    (await Promise.all(watches.map((crashWatch) => readThread(client, crashWatch)))).flat();
  return {
    database,
    service,
    ports,
    slack,
    playground,
    instances,
    /** Starts the instances and adds these watches. Resolves when each watch has its first answer. */
    async begin(channelIds: readonly string[], imos: readonly Imo[], rules = onlyDiverted) {
      instances.start();
      await waitUntil('an instance has added the workspace', () => hasRows(database, 'workspaces'));
      const watches = await Promise.all(
        channelIds.map((channelId) => addWatch({ database, client }, { channelId, imos, rules })),
      );
      await waitUntil('every watch has its first answer', async () => (await unanswered(database)) === 0);
      return watches;
    },
    read,
    /** Their ids, sorted. */
    record: async (watches: readonly CrashWatch[]) => (await read(watches)).map(({ id }) => id).sort(),
    async close(): Promise<void> {
      await instances.kill();
      slack.close();
      await service.close();
      await playground.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function hasRows({ db }: Database, table: 'workspaces'): Promise<boolean> {
  return (await db.selectFrom(table).select('id').execute()).length > 0;
}

async function unanswered({ db }: Database): Promise<number> {
  const rows = await direct(db)
    .selectFrom('followings')
    .select('watch_id')
    .where('state', 'is', null)
    .execute();
  return rows.length;
}

/** The bot's messages have their ids in the metadata. */
async function readThread(client: WebClient, { channelId: channel, cardTs: ts }: CrashWatch) {
  const query = { channel, ts, limit: 999, include_all_metadata: true };
  const { messages = [] } = await client.conversations.replies(query);
  return messages.slice(1).map((message) => ({
    id: String(Object(message.metadata?.event_payload).id),
    json: JSON.stringify(message),
  }));
}

async function addWatch(
  { database: { db }, client }: { database: Database; client: WebClient },
  { channelId, imos, rules }: { channelId: string; imos: readonly Imo[]; rules: Rules },
): Promise<CrashWatch> {
  const { id: workspaceId } = await db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow();
  const by = { actorId: 'U0ADA0001', now: new Date(), realNow: new Date() };
  await saveChannelSettings(
    db,
    { workspaceId, channelId },
    { change: { mode: 'thread' }, id: crypto.randomUUID(), ...by },
  );
  const { ts: cardTs = '' } = await client.chat.postMessage({ channel: channelId, text: 'card' });
  const store = createWatchStore({ store: storeOf(db, workspaceId), newId: () => crypto.randomUUID() });
  const { id } = await store.create(
    {
      channelId,
      destination: 'channel',
      ownerId: by.actorId,
      title: 'crash',
      fleet: null,
      portGroup: null,
      condition: null,
      cardTs,
      rules,
      subjects: imos.map((imo) => ({ kind: 'vessel', imo })),
    },
    by,
  );
  return { id, channelId, cardTs };
}

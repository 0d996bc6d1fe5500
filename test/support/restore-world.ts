import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import { createPlayground, type PageMessage } from 'bolt-playground';
import { pino } from 'pino';
import { createApp, type LandfallApp } from '../../src/app/app.ts';
import { createConfig } from '../../src/config/config.ts';
import { backUp, restore } from '../../src/database/backup-file.ts';
import { ada, ops } from './bot.ts';
import { createTestDatabase } from './create-test-database.ts';
import { startPortService } from './fake-service.ts';

const patienceMs = 45_000;

/** A whole bot whose store is lost and restored, while Slack and the service go on. */
export async function startRestoreWorld(engine: 'sqlite' | 'postgres', begin: string) {
  const home = await mkdtemp(join(tmpdir(), 'landfall-restore-'));
  const file = join(home, 'landfall.jsonl');
  let clock = Date.parse(begin);
  const realNow = () => clock;
  const slack = await createPlayground({ mode: 'socket', rateLimit: false, now: realNow });
  const { service, ports } = await startPortService('2026-12-01');
  const logger = pino({ level: 'silent' });
  let stores = 0;
  const openStore = async () => {
    const dataDir = join(home, `store-${++stores}`);
    return { dataDir, url: engine === 'postgres' ? await createTestDatabase('empty') : undefined };
  };
  let store = await openStore();
  // With real settings, the bot keeps its store there.
  const location = () => ({ url: store.url, dataDir: join(store.dataDir, 'workspace'), logger });
  let app: LandfallApp | undefined;
  let runDue = async () => {};

  const stop = async (): Promise<void> => {
    await app?.stop(5_000);
    app = undefined;
  };

  return {
    slack,
    ports,
    service,
    async start(): Promise<void> {
      app = createApp({
        config: createConfig({
          ...(store.url !== undefined && { DATABASE_URL: store.url }),
          LANDFALL_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
          LANDFALL_DATA_DIR: store.dataDir,
          WATCH_POLL_MINUTES: '15',
          PORT: '0',
          SLACK_BOT_TOKEN: slack.botToken,
          SLACK_APP_TOKEN: slack.appToken,
          SLACK_API_URL: slack.apiUrl,
          ANALYTICS_BASE_URL: service.url,
          ANALYTICS_API_KEY: 'key',
          ANALYTICS_USER_ID: 'user',
          ANALYTICS_PASSWORD: 'password',
        }),
        logger,
        version: '1.2.3',
        realNow,
        automatic: false,
        timing: { workingMs: patienceMs, deadlineMs: patienceMs },
      });
      ({ runDue } = await app.start());
      await slack.waitForApp();
    },
    stop,
    /** Ada types this in #ops. Resolves with the bot's next message that matches. */
    async say(text: string, match: (message: PageMessage) => boolean): Promise<PageMessage> {
      const before = new Set(slack.messages(ops).map(({ ts }) => ts));
      const reply = await slack.say({ userId: ada, channelId: ops, text });
      if (!reply.ok) throw new Error(JSON.stringify(reply));
      return slack.waitForMessage((message) => !before.has(message.ts) && match(message), patienceMs);
    },
    /** Moves the clock that bot and Slack share, and does what is due if the bot runs. */
    async at(time: string): Promise<void> {
      clock = Date.parse(time);
      if (app) await runDue();
    },
    async backUp() {
      await backUp(file, { ...location(), now: realNow });
    },
    /** The store is gone; the next bot finds the one in the backup. */
    async loseAndRestore() {
      store = await openStore();
      await restore(file, { ...location(), now: realNow });
    },
    /** The bot's messages in #ops, and in the threads there. */
    messages: () =>
      slack
        .messages(ops)
        .filter(({ userId, ephemeralTo }) => userId === slack.world.app.botUserId && !ephemeralTo),
    async remove({ channelId: channel, ts }: PageMessage): Promise<void> {
      await new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl }).chat.delete({ channel, ts });
    },
    async close() {
      await stop();
      await slack.close();
      await service.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

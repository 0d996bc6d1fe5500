import type { PageMessage } from 'bolt-playground';
import { pino } from 'pino';
import { createApp } from '../../src/app/app.ts';
import { createConfig } from '../../src/config/config.ts';
import type { LogLine } from './bot.ts';
import { emptyDatabase } from './bot-database.ts';

/** The workspaces of the playground. Each has an admin, and a channel with the bot. */
export const freight = { teamId: 'T0FREIGHT1', admin: 'U0HFMAYA', member: 'U0HFOMAR', ops: 'C0HFOPS' };
export const norderney = { teamId: 'T0NORDERN1', admin: 'U0NLINES', member: 'U0NLKARL', ops: 'C0NLFLEET' };
export type TestWorkspace = typeof freight;

const patienceMs = 45_000;

/** The whole bot for many workspaces: sandbox, a playground with two, and the app. Due work is done only on request. */
export async function startManyBot({
  env = {},
  frozenAt,
}: {
  env?: Record<string, string>;
  /** The real clock stands still at this time. */
  frozenAt?: number;
} = {}) {
  const log: LogLine[] = [];
  let offsetMs = 0;
  const settings = { PLAYGROUND_WORKSPACES: '2', PORT: '0', LANDFALL_DATA_DIR: ':memory:', ...env };
  const app = createApp({
    config: createConfig(settings),
    logger: pino({ level: 'info' }, { write: (line: string) => log.push(JSON.parse(line)) }),
    version: '1.2.3',
    realNow: () => (frozenAt ?? Date.now()) + offsetMs,
    automatic: false,
    ...(env.LANDFALL_DATA_DIR || env.DATABASE_URL ? {} : { connect: emptyDatabase }),
    timing: { workingMs: patienceMs, deadlineMs: patienceMs },
  });
  const { playground, sandbox, publicUrl, runDue, settled } = await app.start();
  if (!playground?.oauth || !sandbox || !publicUrl)
    throw new Error('the embedded parts have not been started');
  const { oauth } = playground;
  // An organisation has a bot user of its own.
  const people = new Set(
    playground.workspaces.flatMap(({ users }) => users.flatMap(({ id, isBot }) => (isBot ? [] : [id]))),
  );

  /** The bot's next message in this channel, or there to this person alone, that comes after `act` began. */
  async function after(
    act: () => Promise<unknown>,
    { channelId, ephemeralTo }: { channelId: string; ephemeralTo?: string },
  ): Promise<PageMessage> {
    const before = new Set(playground?.messages(channelId).map(identity));
    await act();
    const isNew = (message: PageMessage) =>
      message.channelId === channelId &&
      !people.has(message.userId) &&
      !before.has(identity(message)) &&
      (ephemeralTo === undefined || message.ephemeralTo === ephemeralTo);
    // Always set: see above.
    return await (playground as NonNullable<typeof playground>).waitForMessage(isNew, patienceMs);
  }

  return {
    playground,
    oauth,
    sandbox,
    publicUrl,
    log,
    runDue,
    after,
    /** Resolves when everything that people did has been delivered and answered. */
    async settled(): Promise<void> {
      await playground.runDue();
      if (!(await settled(patienceMs))) throw new Error('the bot is still at work');
    },
    /** Moves the real clock of the bot. */
    advance: (ms: number) => {
      offsetMs += ms;
    },
    /** Installs as the workspace's admin does in a browser, and invites the bot; returns the text of the last page. */
    async install(
      { teamId, admin, ops }: TestWorkspace,
      { declined = [] as string[] } = {},
    ): Promise<string> {
      const start = await fetch(`${publicUrl}/slack/install?team=${teamId}`, { redirect: 'manual' });
      const cookie = start.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
      const by = { placeId: teamId, userId: admin, declined };
      const back = oauth.allow(start.headers.get('location') ?? '', by);
      const page = await fetch(back, { headers: { cookie } });
      await playground.controls.addMember(ops);
      return (await page.text()).replace(/<style>.*?<\/style>|<[^>]+>/gs, ' ').replaceAll(/\s+/g, ' ');
    },
    /** Types a slash command that is answered in private; returns the answer. */
    say: (userId: string, channelId: string, text: string) =>
      after(
        async () => {
          const reply = await playground.say({ userId, channelId, text });
          if (!reply.ok) throw new Error(JSON.stringify(reply));
        },
        { channelId, ephemeralTo: userId },
      ),
    stop: () => app.stop(5_000),
  };
}

const identity = ({ channelId, ts, editedTs, text }: PageMessage): string =>
  `${channelId} ${ts} ${editedTs ?? ''} ${text}`;

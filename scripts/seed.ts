// `npm run seed` fills the playground in the data folder, for the next `npm start`: names, a reference, a fleet, watches,
// a digest, and an alert that nobody has acknowledged. It types what a person would, and moves the invented world forward.
import { existsSync, rmSync } from 'node:fs';
import manifest from '../package.json' with { type: 'json' };
import { createApp, type Started } from '../src/app/app.ts';
import { type Config, configOrExit } from '../src/config/config.ts';
import { silentLogger } from '../src/log.ts';

/** What is typed, and what the answer says. The fleet's legs are short, so something soon happens to one of them. */
const lines: readonly (readonly [line: string, answer: string])[] = [
  ['/vessel name 9839430 GULSUN', 'IMO 9839430 is now called GULSUN'],
  ['/vessel ref 9461477 BK123, MEDU4711', 'DS CYPRESS: added BK123'],
  [
    '/vessel fleet NORTH add 1997638, 1997705, 1997779, 1997846, 1997913, 1997987, 1996165, 1996232',
    'Fleet NORTH, ',
  ],
  ['/watch 9461477', 'Watching DS CYPRESS here'],
  ['/watch fleet:NORTH', 'Watching fleet NORTH here'],
  ['/watch port Rotterdam', 'Watching port Rotterdam'],
  [
    '/digest add "Morning" daily 08:00: nextport watched; portcalls Rotterdam next 3 days',
    'Digest saved: “Morning”',
  ],
];

const stepHours = 3;
const maxHours = 24 * 10;
const answerWithinMs = 30_000;

// @date-fns/tz is exact for other zones only if the process itself is in UTC.
process.env.TZ = 'UTC';
await run();

async function run(): Promise<void> {
  // `npm start` may be running, with another data folder.
  const config = configOrExit({ ...process.env, PORT: '0', METRICS_PORT: '' });
  const refusal = refusalOf(config);
  if (refusal !== undefined) {
    process.stderr.write(`${refusal}\n`);
    process.exitCode = 1;
    return;
  }
  const { version } = manifest;
  const app = createApp({ config, logger: silentLogger, version, automatic: false });
  try {
    await fill(await app.start());
    await app.stop(10_000);
  } catch (error) {
    await app.stop(2_000);
    // It didn't exist before.
    if (config.storeDir !== undefined) rmSync(config.storeDir, { recursive: true, force: true });
    throw error;
  }
  process.stdout.write(describe(config));
  // Bolt's Socket Mode client waits up to 30 s for a ping, even after it was closed.
  process.exit(0);
}

/** Why this folder mustn't be filled. */
function refusalOf(config: Config): string | undefined {
  const { slack, analytics, databaseUrl, playgroundWorkspaces, dataDir, storeDir } = config;
  if (slack !== 'playground' || analytics !== 'sandbox')
    return 'npm run seed fills the playground with invented data. Run it without the settings of a real Slack or a real account (SLACK_…, ANALYTICS_…).';
  if (databaseUrl !== undefined) return 'npm run seed fills a SQLite file. Run it without DATABASE_URL.';
  if (playgroundWorkspaces > 1)
    return 'npm run seed fills a playground with one workspace. Run it without PLAYGROUND_WORKSPACES.';
  if (storeDir === undefined)
    return 'LANDFALL_DATA_DIR is :memory:, which stores nothing. Set it to a folder.';
  return existsSync(storeDir)
    ? `${dataDir} already holds a playground. Move it away, or use another folder: LANDFALL_DATA_DIR=./seeded npm run seed`
    : undefined;
}

/** Types the lines, then moves the world forward until an alert waits on the Home tab. */
async function fill({ playground, advance, runDue, settled }: Started): Promise<void> {
  const [ada] = playground?.world.users ?? [];
  const [ops] = playground?.world.channels ?? [];
  if (!playground || !ada || !ops) throw new Error('the playground has nobody who could type');
  for (const [line, answer] of lines) {
    const reply = await playground.say({ userId: ada.id, channelId: ops.id, text: line });
    if (!reply.ok) throw new Error(`${line}: ${reply.error}`);
    await playground.waitForMessage(({ text }) => text.includes(answer), answerWithinMs);
  }
  await runDue();
  for (let hours = 0; hours < maxHours; hours += stepHours) {
    await advance(stepHours);
    await playground.openHome(ada.id, 'home');
    await settled(answerWithinMs);
    if (JSON.stringify(playground.home(ada.id)?.blocks).includes('Needs you')) return;
  }
  throw new Error(`nothing happened to the watched vessels within ${maxHours} hours`);
}

function describe({ dataDir }: Config): string {
  return `The playground in ${dataDir} now holds, in #ops:
  - names of vessels, two references of DS CYPRESS (BK123, MEDU4711), and the fleet NORTH
  - watches of DS CYPRESS, of fleet NORTH and of the port of Rotterdam
  - a digest, daily at 08:00
  - an alert that nobody has acknowledged

Run npm start with the same settings, open the address that it prints, and try:
  - Landfall › Home: “Needs you” shows the alert
  - the thread under the card of the watch: Acknowledge, Assign, History
  - /nextport BK123 · /watch changes since yesterday · /digest run 1
`;
}

// Does what the Dockerfile does where there is no container engine, then starts the result on PostgreSQL as an image
// would run, tries its health check and its tools, and stops it. Also installs Landfall as docs/hosting.md does
// without a container: `npm run test:image`.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../test/support/free-port.ts';
import { startPostgres } from '../test/support/store-postgres.ts';
import { buildImage, type Image } from './image/build-image.ts';
import { installOnHost } from './image/install-on-host.ts';

const limitMs = 120_000;
const context = fileURLToPath(new URL('..', import.meta.url));
const started: ChildProcess[] = [];

/** What docs/hosting.md runs in the container, and what it prints. */
const tools: readonly (readonly [string, RegExp])[] = [
  ['backup -- data/landfall.jsonl', /Wrote \d+ rows to data\/landfall\.jsonl/],
  ['workspaces', /operator's +active/],
  ['doctor', /Landfall can start|All is well/],
];

const target = await mkdtemp(join(tmpdir(), 'landfall-image-'));
const host = await mkdtemp(join(tmpdir(), 'landfall-host-'));
await chmod(target, 0o755); // Under root, the bot runs as another user.
const say = (text: string) => process.stdout.write(`image: ${text}\n`);
try {
  await tryHost(installOnHost({ context, target: host }));
  await tryImage(buildImage({ context, target }));
  say('all is well');
} finally {
  for (const child of started) child.kill('SIGKILL');
  for (const directory of [target, host]) await rm(directory, { recursive: true, force: true });
}

/** The unit's command gets as far as the settings, which are missing. */
async function tryHost(command: string[]): Promise<void> {
  const installed: Image = {
    directory: host,
    env: { NODE_ENV: 'production' },
    user: {},
    command,
    healthCheck: [],
  };
  const { code, output } = await start(installed, {}).ended;
  check(code === 2, `does not start as on a host: status ${code}`, output);
  say('installed as docs/hosting.md says, without scripts of packages');
}

async function tryImage(image: Image): Promise<void> {
  const { uid } = image.user;
  say(uid === undefined ? 'not root: it runs as the current user' : `it runs as user ${uid}`);
  const refused = await start(image, {}).ended;
  check(
    refused.code === 2,
    'starts without settings, or fails otherwise than by its settings',
    refused.output,
  );

  const postgres = await startPostgres();
  try {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const settings = {
      SLACK_API_URL: 'playground',
      ANALYTICS_BASE_URL: 'sandbox',
      DATABASE_URL: await postgres.createDatabase(),
      LANDFALL_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      // The image listens on all addresses, which is for a container only.
      HOST: '127.0.0.1',
    };
    const bot = start(image, settings);
    const isHealthy = async () => (await run(image, image.healthCheck, settings).ended).code === 0;
    await until(isHealthy, { bot, what: 'healthy' });
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
    await until(isReady, { bot, what: 'ready' });
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    check(/^landfall_ready 1$/m.test(metrics), 'has no metrics', metrics);
    say('healthy, ready and measured, on PostgreSQL');

    for (const [line, expected] of tools) {
      const { code, output } = await run(image, ['npm', 'run', ...line.split(' ')], settings).ended;
      check(code === 0 && expected.test(output), `npm run ${line} fails with status ${code}`, output);
      say(`npm run ${line} works`);
    }

    bot.child.kill('SIGTERM');
    const { code, output } = await bot.ended;
    check(code === 0, `SIGTERM ends it with status ${code}`, output);
    say('stopped by SIGTERM with status 0');
  } finally {
    await postgres.close();
  }
}

/** Asks every quarter of a second. */
async function until(
  isSo: () => Promise<boolean>,
  { bot, what }: { bot: ReturnType<typeof run>; what: string },
): Promise<void> {
  const endsAt = performance.now() + limitMs / 2;
  while (performance.now() < endsAt && bot.child.exitCode === null) {
    if (await isSo()) return;
    await delay(250);
  }
  bot.child.kill('SIGKILL');
  check(false, `does not become ${what}`, (await bot.ended).output);
}

function start(image: Image, settings: Record<string, string>) {
  return run(image, image.command, settings);
}

/** A process in the image; it is killed after `limitMs`. */
function run(
  { directory, env, user }: Image,
  [file = '', ...args]: string[],
  settings: Record<string, string>,
) {
  const child = spawn(file, args, {
    cwd: directory,
    env: { ...env, ...settings },
    ...user,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += data;
    });
  const ended = once(child, 'close').then(([code]) => ({ code, output }));
  return { child, ended };
}

function check(isRight: boolean, fault: string, output: string): asserts isRight {
  if (!isRight) throw new Error(`the image ${fault}:\n${output.slice(-4_000)}`);
}

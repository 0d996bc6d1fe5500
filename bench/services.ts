import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPlayground } from 'bolt-playground';
import { buildBot } from '../scripts/build-bot.ts';
import { startPostgres, type TestPostgres } from '../test/support/store-postgres.ts';
import { startChild } from './child.ts';
import { type Arrival, createLoad } from './load.ts';
import { processorMsOf } from './process-figures.ts';
import type { SandboxCounts, SandboxReady } from './sandbox-process.ts';
import { type Subject, startFlags, startSubject } from './subject.ts';

/** Processor time per process. `slack` also makes the load. */
type ProcessorMs = Record<'bot' | 'service' | 'slack', number>;

/** Requests to the service, and processor time. */
export interface Usage extends SandboxCounts {
  processorMs: ProcessorMs;
}

const subjects = {
  bare: { script: 'bench/bare.ts', probe: { path: '/', any: true } },
  constant: { script: 'bench/constant.ts', probe: { path: '/', any: true } },
  landfall: { script: 'dist/main.js', flags: startFlags, probe: { path: '/readyz' } },
  /** A profile of it names the source files. */
  unbundled: { script: 'src/main.ts', flags: startFlags, probe: { path: '/readyz' } },
};

/** What a subject gets beyond the address of each service. */
interface Start {
  env?: Record<string, string>;
  flags?: readonly string[];
}

type SubjectName = keyof typeof subjects;
export type Services = Awaited<ReturnType<typeof startServices>>;

/**
 * What the subjects work with: the sandbox, 50 ms per request, in its own process; the local Slack in this one; and
 * PostgreSQL.
 */
export async function startServices() {
  await buildBot();
  const sandbox = await startChild<SandboxReady>('sandbox-process.ts', { args: ['50'] });
  const load = createLoad();
  const slack = await createPlayground({ mode: 'http', rateLimit: false, onDelivery: load.onDelivery });
  const [asker] = slack.world.users;
  const channel = slack.world.channels.find(({ memberIds }) => asker && memberIds.includes(asker.id));
  if (!asker || !channel) throw new Error('The local Slack has no user');
  const env = {
    ...sandbox.ready.env,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_API_URL: slack.apiUrl,
  };

  let postgres: Promise<TestPostgres> | undefined;

  const say = (text: string) => slack.say({ userId: asker.id, channelId: channel.id, text });

  function start(name: SubjectName, { env: own = {}, flags = [] }: Start): Promise<Subject> {
    const subject: Omit<Parameters<typeof startSubject>[0], 'name' | 'env'> = subjects[name];
    const allFlags = [...(subject.flags ?? []), ...flags];
    return startSubject({ name, ...subject, flags: allFlags, env: { ...env, ...own } });
  }

  /** The totals since the start. */
  async function readTotals(subject: Subject): Promise<Usage> {
    const counts = await sandbox.ask<SandboxCounts>({});
    const processorMs = {
      bot: subject.processorMs(),
      service: processorMsOf(sandbox.pid),
      slack: processorMsOf(process.pid),
    };
    return { ...counts, processorMs };
  }

  return {
    /** The settings of every subject. */
    env,
    /** One command line per vessel. */
    questions: sandbox.ready.vessels.map((imo) => `/nextport ${imo}`),
    run: (plan: { lines: readonly string[]; samples: number; concurrency: number }) => load.run(say, plan),
    runOpen: (arrivals: readonly Arrival[]) => load.runOpen(say, arrivals),
    start,
    /** Returns the address of a new database. */
    async createDatabase(): Promise<string> {
      postgres ??= startPostgres({ isDurable: true });
      return await (await postgres).createDatabase();
    },
    /** Starts one subject with an empty store, runs `work` against it, and stops it. */
    async withSubject<T>(
      name: SubjectName,
      { env: own = {}, flags = [] }: Start,
      work: (subject: Subject) => Promise<T>,
    ): Promise<T> {
      const directory = await mkdtemp(join(tmpdir(), 'landfall-bench-'));
      const subject = await start(name, { env: { LANDFALL_DATA_DIR: directory, ...own }, flags });
      slack.setRequestUrl(subject.requestUrl);
      try {
        return await work(subject);
      } finally {
        await subject.stop();
        await rm(directory, { recursive: true, force: true });
      }
    },
    /** Adds the usage during `work` to its result. */
    async withUsage<T>(subject: Subject, work: () => Promise<T>): Promise<T & Usage> {
      const before = await readTotals(subject);
      const result = await work();
      const { logins, requests, processorMs } = await readTotals(subject);
      return {
        ...result,
        logins: logins - before.logins,
        requests: requests - before.requests,
        processorMs: {
          bot: processorMs.bot - before.processorMs.bot,
          service: processorMs.service - before.processorMs.service,
          slack: processorMs.slack - before.processorMs.slack,
        },
      };
    },
    async close(): Promise<void> {
      await Promise.all([slack.close(), sandbox.stop(), (await postgres)?.close()]);
    },
  };
}

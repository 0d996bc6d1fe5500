// `node bench/alert-delay.ts`: how long an alert that is ready takes to reach Slack while 5,000 subjects are due at a
// service that takes 2 s a call, and while 200 digests are due at a service that hangs. The jobs and the store are real;
// the service and Slack only take their time. Option: --seconds 60 for each table row.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createJobs } from '../src/app/jobs.ts';
import { connectDatabase, type Database } from '../src/database/connect.ts';
import { defaultLeaseMs } from '../src/database/due.ts';
import { storeOf } from '../src/database/workspace-store.ts';
import { watchMessages } from '../src/features/cards/outgoing.ts';
import { type WorkCtx, withinDeadline } from '../src/features/ctx.ts';
import { digestMessages } from '../src/features/digests/outgoing.ts';
import { runDueDigests } from '../src/features/digests/run-due.ts';
import type { Job } from '../src/features/feature.ts';
import { silentLogger as logger } from '../src/log.ts';
import { createOutbox } from '../src/outbox/outbox.ts';
import { outgoingMessage, type Poster, pendingMessage } from '../src/outbox/outgoing-message.ts';
import { createDigestStore } from '../test/support/digest-fixture.ts';
import { oneWorkspace } from '../test/support/one-workspace.ts';
import { createPoller } from '../test/support/poller.ts';
import { startPostgres } from '../test/support/store-postgres.ts';
import { percentile } from './statistics.ts';
import { createCannedService, hourOf, seedFleet } from './watch-fleet.ts';

const subjects = 5_000;
const digests = 200;
const serviceMs = 2_000;
const slackMs = 100;
/** Few enough that the outbox is idle in between, and at different times after its last round. */
const alertIntervalMs = (index: number) => 400 + ((index * 137) % 300);
const channels = 200;

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });
const seconds = Number(values.seconds);

const newId = () => crypto.randomUUID();
const now = () => hourOf(8);
const text = async () => ({ text: '', blocks: [] });
const alert = outgoingMessage('alert', {
  payload: z.object({ kind: z.literal('alert') }),
  operation: 'post',
  open: async () => ({ render: text }),
});

const directory = await mkdtemp(join(tmpdir(), 'landfall-bench-'));
const postgres = await startPostgres();
try {
  process.stdout.write(
    '| an alert that is ready is posted after | p50 | p99 | longest | other work meanwhile |\n',
  );
  process.stdout.write('|---|--:|--:|--:|---|\n');
  const dataDir = join(directory, 'store');
  await measure('SQLite', await connectDatabase({ dataDir, logger }));
  const url = await postgres.createDatabase();
  await measure('PostgreSQL', await connectDatabase({ url, logger }));
} finally {
  await postgres.close();
  await rm(directory, { recursive: true, force: true });
}

async function measure(engine: string, { db, close }: Database): Promise<void> {
  const store = storeOf(db, 'T1');
  const common = { store, realNow: Date.now, newId, logger };
  await seedFleet(db, { watches: subjects, vessels: subjects - 10, shiplists: 10 });
  const service = createCannedService();
  const { analytics } = service;
  let polls = 0;
  const slow =
    <Args extends unknown[], Answer>(request: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      await wait(serviceMs);
      polls += 1;
      return request(...args);
    };
  const poller = createPoller({
    ...common,
    analytics: {
      vesselPredictions: slow(analytics.vesselPredictions),
      shiplistNextPorts: slow(analytics.shiplistNextPorts),
      portPredictions: slow(analytics.portPredictions),
    },
  });
  const polling = await delayBeside({ ...common, name: 'polls', runDue: poller.runDue });
  print(
    `${engine}, ${count(subjects)} subjects due, ${serviceMs / 1000} s a call`,
    polling,
    `${count(polls)} polls`,
  );

  const digestStore = createDigestStore({ store, newId });
  for (let index = 0; index < digests; index += 1) {
    const days = { kind: 'week', weekdays: [1, 2, 3, 4, 5, 6, 7] } as const;
    await digestStore.create(
      {
        channelId: `C${index % channels}`,
        destination: 'channel',
        ownerId: 'U1',
        title: 'Morning',
        lines: ['nextport 9461477'],
        schedule: { days, minutes: [8 * 60] },
        zone: 'UTC',
        onlyNews: false,
      },
      { actorId: 'U1', now: hourOf(0) },
    );
  }
  let lines = 0;
  const reader = { now: hourOf(0), zone: 'UTC', source: 'service', audience: 'channel' } as const;
  const ctx = {
    services: { ...common, settings: { leaseMs: defaultLeaseMs } },
    registry: {
      askLine() {
        lines += 1;
        const failed = (error: unknown) => ({ kind: 'failed', error, ref: '7K3F', reader });
        return withinDeadline(15_000, () => new Promise(() => {})).catch(failed);
      },
    },
    // What due digests use.
  } as unknown as WorkCtx;
  const digesting = await delayBeside({
    ...common,
    name: 'digests',
    runDue: (at, mayClaim) => runDueDigests(at, mayClaim, ctx),
  });
  print(`${engine}, ${digests} digests due, the service hangs`, digesting, `${lines} lines of digests begun`);
  await close();
}

/** Runs the job and the outbox side by side, and returns how long each alert took, in milliseconds. */
async function delayBeside(
  options: Pick<Parameters<typeof createOutbox>[0], 'store' | 'realNow' | 'newId' | 'logger'> & Job,
): Promise<number[]> {
  const { store, name, runDue } = options;
  const readyAt = new Map<string, number>();
  const delays: number[] = [];
  const poster: Poster = {
    async post({ id }) {
      await wait(slackMs);
      const ready = readyAt.get(id);
      if (ready !== undefined) delays.push(performance.now() - ready);
      return { ts: id };
    },
    find: async () => 'absent',
  };
  const pause = async () => {};
  const outgoing = [
    alert,
    ...watchMessages({ draw: text, pause }),
    ...digestMessages.map((kind) => ({
      ...kind,
      open: async () => ({ operation: 'post' as const, render: text }),
    })),
  ];
  const outbox = createOutbox({
    ctx: { services: { store } } as unknown as WorkCtx,
    ...options,
    poster,
    outgoing,
  });
  const messages = { name: 'messages', ...outbox };
  const jobs = createJobs({
    ...options,
    monotonicNow: options.realNow,
    ...oneWorkspace({ name, runDue }, messages),
    now,
  });
  jobs.start();
  const endsAt = performance.now() + seconds * 1_000;
  for (let index = 0; performance.now() < endsAt; index += 1) {
    await wait(alertIntervalMs(index));
    const id = newId();
    const about = { id, channelId: `C${(index * 7) % channels}` };
    const row = pendingMessage({ ...about, message: { kind: alert.kind }, now: now(), dueAt: new Date() });
    await store.insertInto('outbox', row).execute();
    readyAt.set(id, performance.now());
  }
  while (delays.length < readyAt.size) await wait(100);
  await jobs.stop(20_000);
  return delays;
}

function print(name: string, delays: readonly number[], work: string): void {
  const show = (ms: number) => `${count(Math.round(ms))} ms`;
  const cells = [percentile(delays, 0.5), percentile(delays, 0.99), Math.max(...delays)].map(show);
  process.stdout.write(`| ${name} | ${cells.join(' | ')} | ${work} |\n`);
}

function count(value: number): string {
  return value.toLocaleString('en');
}

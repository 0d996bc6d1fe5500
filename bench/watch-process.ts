// Sweeps of watches in a separate process, with a canned service and a Slack that only counts. Arguments: `seed`
// (writes the fleet) or `sweep` (measures, and prints `FleetFigures`); the number of watches; the store's PostgreSQL
// address or its directory.
import { setTimeout as wait } from 'node:timers/promises';
import { connectDatabase } from '../src/database/connect.ts';
import { watchMessages } from '../src/features/watches/messages/outgoing.ts';
import type { WatchPost } from '../src/features/watches/messages/render-post.ts';
import { createPoller } from '../src/features/watches/polling/poll.ts';
import { silentLogger } from '../src/log.ts';
import type { Message } from '../src/messages/message.ts';
import { createOutbox } from '../src/outbox/outbox.ts';
import type { Poster } from '../src/outbox/poster.ts';
import { percentile } from './statistics.ts';
import { createCannedService, fleetOf, hourOf, imoAt, seedFleet } from './watch-fleet.ts';

export interface SweepFigures {
  subjects: number;
  requests: number;
  replies: number;
  posts: number;
  /** Time to poll, evaluate and commit. */
  pollMs: number;
  /** The same as processor time of this process, which is more reliable on a busy machine. */
  pollCpuMs: number;
  postMs: number;
  /** From a changed answer to the post of its alert. */
  alertMs: { p50: number; p99: number };
}

export interface FleetFigures {
  watches: number;
  first: SweepFigures;
  quiet: SweepFigures;
  news: SweepFigures;
  /** Sweeps in which a single vessel has changed. */
  singleAlertMs: { p50: number; p99: number };
  /** Peak resident memory minus the memory right after opening the store. */
  overIdleMb: number;
}

const [task, count = '10000', store = ''] = process.argv.slice(2);
/** Every tenth vessel changes. */
const changeInterval = 10;
const singleChanges = 100;

const size = fleetOf(Number(count));
const logger = silentLogger;
const { db, close } = await connectDatabase({
  ...(store.startsWith('postgres:') ? { url: store } : { dataDir: store }),
  logger,
});
if (task === 'seed') {
  await seedFleet(db, size);
  await close();
  process.exit();
}
// Some memory of the start is freed a moment later.
await wait(2_000);
const idleBytes = process.memoryUsage.rss();
let peakBytes = idleBytes;

const service = createCannedService();
const answeredAt = new Map<number, number>();
service.onAnswer = (imo) => answeredAt.set(imo, performance.now());
let alertMs: number[] = [];
let posts = 0;
/** Called right before a message is posted. */
const post = async ({ message }: WatchPost): Promise<Message> => {
  const events =
    message.kind === 'reply'
      ? message.events
      : message.kind === 'summary'
        ? message.items.flatMap((item) => item.events)
        : [];
  for (const event of events) {
    if ('imo' in event) alertMs.push(performance.now() - (answeredAt.get(event.imo) ?? Number.NaN));
  }
  return { text: '', blocks: [] };
};
const poster: Poster = {
  async post({ delivery }) {
    posts += 1;
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
    if (delivery.operation !== 'remove') await delivery.render();
    return { ts: String(posts) };
  },
  find: async () => 'absent',
};
const common = { db, realNow: Date.now, newId: () => crypto.randomUUID(), logger };
const poller = createPoller({ ...common, analytics: service.analytics, credentialId: 'account-1' });
const outbox = createOutbox({
  ...common,
  poster,
  outgoing: watchMessages({ db, render: { post }, pause: async () => {} }),
});

async function sweep(hours: number): Promise<SweepFigures> {
  service.now = hourOf(hours);
  service.requests = 0;
  posts = 0;
  alertMs = [];
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  const { answered, replies } = await poller.runDue(service.now);
  const polledAt = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  await outbox.runDue(service.now);
  return {
    subjects: answered,
    requests: service.requests,
    replies,
    posts,
    pollMs: polledAt - startedAt,
    pollCpuMs: (user + system) / 1000,
    postMs: performance.now() - polledAt,
    alertMs: percentiles(alertMs),
  };
}

const percentiles = (values: readonly number[]) => ({
  p50: percentile(values, 0.5),
  p99: percentile(values, 0.99),
});

function changePort(index: number): void {
  const imo = imoAt(index);
  service.portChanges.set(imo, (service.portChanges.get(imo) ?? 0) + 1);
}

const first = await sweep(0);
const quiet = await sweep(7);
for (let index = 0; index < size.vessels; index += changeInterval) changePort(index);
const news = await sweep(14);

const singleAlertMs: number[] = [];
for (let round = 0; round < singleChanges; round += 1) {
  const index = (round * 7 + 1) % size.vessels;
  changePort(index);
  await db
    .updateTable('subjects')
    .set({ due_at: service.now })
    .where('key', '=', String(imoAt(index)))
    .execute();
  service.now = new Date(service.now.getTime() + 1000);
  await poller.runDue(service.now);
  alertMs = [];
  await outbox.runDue(service.now);
  singleAlertMs.push(...alertMs);
}

const figures: FleetFigures = {
  watches: size.watches,
  first,
  quiet,
  news,
  singleAlertMs: percentiles(singleAlertMs),
  overIdleMb: (peakBytes - idleBytes) / 2 ** 20,
};
await close();
process.stdout.write(JSON.stringify(figures));

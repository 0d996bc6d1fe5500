// Sweeps of watches in a separate process, with a canned service and a Slack that only waits. Its argument is
// `ProcessOptions` as JSON. It answers each `Task` with the figures of that task.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Message } from '../src/answers/message.ts';
import { createJobs } from '../src/app/jobs.ts';
import { connectDatabase } from '../src/database/connect.ts';
import { storeOf } from '../src/database/workspace-store.ts';
import { watchMessages } from '../src/features/cards/outgoing.ts';
import { renderPost, type WatchPost } from '../src/features/cards/render-post.ts';
import type { WorkCtx } from '../src/features/ctx.ts';
import { registry } from '../src/features/index.ts';
import { createVesselDirectory } from '../src/grammar/vessel-directory.ts';
import { silentLogger } from '../src/log.ts';
import { createOutbox } from '../src/outbox/outbox.ts';
import type { Poster } from '../src/outbox/outgoing-message.ts';
import { oneWorkspace } from '../test/support/one-workspace.ts';
import { createPoller } from '../test/support/poller.ts';
import { answerParent } from './child.ts';
import { openWithSlowCommits } from './slow-commits.ts';
import { type Percentiles, percentiles } from './statistics.ts';
import { createCannedService, fleetOf, hourOf, imoAt, seedFleet } from './watch-fleet.ts';

export interface ProcessOptions {
  /** The store's PostgreSQL address, or its directory. */
  store: string;
  watches: number;
  /** Added to each commit of SQLite. */
  commitMs?: number;
}

/** `hours`: the domain clock. `changes`: how often one vessel in ten has changed its next port by then. */
export type Task =
  | { task: 'seed' }
  /** Deletes all messages. */
  | { task: 'clear' }
  /** Polls every subject that is due, and sends no messages. */
  | { task: 'sweep'; hours: number; changes: number; limitMs: number }
  /** Polls and messages side by side, as in the bot. `singles` further vessels change later, one by one. */
  | { task: 'alerts'; hours: number; changes: number; slackMs: number; singles: number };

export interface SweepFigures {
  subjects: number;
  requests: number;
  elapsedMs: number;
  /** How long the event loop was held at a time. */
  holdMs: { p99: number; max: number };
}

export interface AlertFigures extends SweepFigures {
  /** From a changed answer to the call that posts its alert: of the sweep, and of the vessels that change one by one. */
  alertMs: Percentiles;
  singleAlertMs: Percentiles;
  /** Calls to Slack, and until when they took. */
  posts: number;
  postsMs: number;
}

// The parent passes its own options.
const options = JSON.parse(process.argv[2] ?? '') as ProcessOptions;
const { store, watches, commitMs } = options;
const isPostgres = store.startsWith('postgres:');
const size = fleetOf(watches);
const logger = silentLogger;
const { db } =
  commitMs === undefined
    ? await connectDatabase({ ...(isPostgres ? { url: store } : { dataDir: store }), logger })
    : { db: openWithSlowCommits(store, commitMs) };

const service = createCannedService();
const answeredAt = new Map<number, number>();
service.onAnswer = (imo) => answeredAt.set(imo, performance.now());

const person = {
  name: 'Bench',
  zone: 'UTC',
  isAdmin: false,
  isGuest: false,
  isOutside: false,
  isGone: false,
};
const slack = {
  personOf: async () => ({ ...person, isUnknown: false }),
  audienceOf: async () => 'channel' as const,
  readersOf: async () => 'channel' as const,
  asksOnly: async () => false,
  messages: {
    post: async () => ({ ts: '0' }),
    update: async () => {},
    remove: async () => {},
    linkTo: async () => 'https://slack.example/archives/C1/p1',
  },
};
const names = createVesselDirectory([]);
const now = () => service.now;
const workspaceStore = storeOf(db, 'T1');
const ctx = {
  services: { store: workspaceStore, slack, source: 'service', now, pauses: { next: async () => undefined } },
  registry: { vessels: async () => names, lineOf: registry.lineOf },
  // What these messages use.
} as unknown as WorkCtx;

const alertMs: number[] = [];
let posts = 0;
let slackMs = 0;

async function renderTimed(post: WatchPost): Promise<Message> {
  const rendered = await renderPost(post, ctx);
  const { message } = post;
  const items = message.kind === 'reply' ? [message] : message.kind === 'summary' ? message.items : [];
  for (const event of items.flatMap(({ events }) => events)) {
    const at = 'imo' in event ? answeredAt.get(event.imo) : undefined;
    if (at !== undefined) alertMs.push(performance.now() - at);
  }
  return rendered;
}

const poster: Poster = {
  async post({ delivery }) {
    if (delivery.operation !== 'remove') await delivery.render();
    posts += 1;
    const ts = String(posts);
    await wait(slackMs);
    return { ts };
  },
  find: async () => 'absent',
};

const common = { store: workspaceStore, realNow: Date.now, newId: () => crypto.randomUUID(), logger };
// Every sweep polls every subject, so it must be due again by then.
const polling = { analytics: service.analytics, fixedMinutes: 15 };
const poller = createPoller({ ...common, ...polling });
const outgoing = watchMessages({ draw: renderTimed, pause: async () => {} });
const outbox = createOutbox({ ctx, ...common, poster, outgoing });

function advance({ hours, changes }: { hours: number; changes: number }): void {
  service.now = hourOf(hours);
  service.requests = 0;
  for (let index = 0; index < size.vessels; index += 10) service.portChanges.set(imoAt(index), changes);
}

/** Measures how long the event loop is held while `work` is under way. */
async function withHold<T>(work: () => Promise<T>): Promise<T & Pick<SweepFigures, 'holdMs'>> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const result = await work();
  delay.disable();
  return { ...result, holdMs: { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 } };
}

const sweep = ({ limitMs, ...world }: Extract<Task, { task: 'sweep' }>): Promise<SweepFigures> =>
  withHold(async () => {
    advance(world);
    const startedAt = performance.now();
    const { answered } = await poller.runDue(service.now, () => performance.now() - startedAt < limitMs);
    return { subjects: answered, requests: service.requests, elapsedMs: performance.now() - startedAt };
  });

const singleIntervalMs = 500;
const lookMs = 200;

const measureAlerts = (task: Extract<Task, { task: 'alerts' }>): Promise<AlertFigures> =>
  withHold(async () => {
    advance(task);
    slackMs = task.slackMs;
    const startedAt = performance.now();
    const swept = Promise.withResolvers<{ subjects: number; elapsedMs: number }>();
    const polls = async (time: Date, mayClaim: () => boolean) => {
      const pollingSince = performance.now();
      const { answered: subjects } = await poller.runDue(time, mayClaim);
      if (subjects > 0) swept.resolve({ subjects, elapsedMs: performance.now() - pollingSince });
    };
    const jobs = createJobs({
      ...oneWorkspace({ name: 'polls', runDue: polls }, { name: 'messages', ...outbox }),
      ...common,
      monotonicNow: Date.now,
      now,
    });
    jobs.start();
    const { subjects, elapsedMs } = await swept.promise;
    const { requests } = service;
    await untilAllSent();
    const figures = { subjects, requests, elapsedMs, posts, postsMs: performance.now() - startedAt };
    const sweepAlertMs = alertMs.splice(0);
    for (let index = 1; index <= task.singles * 10; index += 10) {
      await changeOne(index);
      await wait(singleIntervalMs);
    }
    await untilAllSent();
    await jobs.stop(10_000);
    return { ...figures, alertMs: percentiles(sweepAlertMs), singleAlertMs: percentiles(alertMs) };
  });

/** Resolves when no subject is due and no message waits. */
async function untilAllSent(): Promise<void> {
  for (;;) {
    await wait(lookMs);
    const due = db.selectFrom('subjects').select('id').where('due_at', '<=', service.now).limit(1);
    const waiting = db
      .selectFrom('outbox')
      .select('id')
      .where('status', 'in', ['pending', 'sending'])
      .limit(1);
    if (!(await due.executeTakeFirst()) && !(await waiting.executeTakeFirst())) return;
  }
}

async function changeOne(index: number): Promise<void> {
  service.now = new Date(service.now.getTime() + 1000);
  service.portChanges.set(imoAt(index), 1);
  const subject = db.updateTable('subjects').set({ due_at: service.now });
  await subject.where('key', '=', String(imoAt(index))).execute();
}

async function clear(): Promise<object> {
  await db.deleteFrom('outbox').execute();
  return {};
}

async function seed(): Promise<object> {
  await db.transaction().execute((transaction) => seedFleet(transaction, size));
  // Autovacuum would do it within a minute.
  if (isPostgres) await sql`analyze`.execute(db);
  return {};
}

answerParent({}, async (task: Task) => {
  switch (task.task) {
    case 'seed':
      return await seed();
    case 'clear':
      return await clear();
    case 'sweep':
      return await sweep(task);
    case 'alerts':
      return await measureAlerts(task);
  }
});

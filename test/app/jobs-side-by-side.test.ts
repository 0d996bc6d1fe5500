import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createJobs } from '../../src/app/jobs.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import type { Job } from '../../src/features/feature.ts';
import { createOutbox } from '../../src/outbox/outbox.ts';
import { outgoingMessage, pendingMessage } from '../../src/outbox/outgoing-message.ts';
import { createDigestFixture } from '../support/digest-fixture.ts';
import { oneWorkspace } from '../support/one-workspace.ts';
import { direct } from '../support/statements/direct.ts';
import { addSubjects, engines, seedWorkspace, workspaceId } from '../support/store-engines.ts';
import { createStoreLogger } from '../support/store-logger.ts';
import { useStore } from '../support/use-store.ts';
import { createWatchFixture } from '../support/watch-fixture.ts';

const now = new Date('2026-11-23T08:00Z');

const alert = outgoingMessage('alert', {
  payload: z.object({ kind: z.literal('alert') }),
  operation: 'post',
  open: async () => ({ render: async () => ({ text: 'diverted', blocks: [] }) }),
});

describe.each(engines)('an alert goes out while the service does not answer, $engine', ({ open }) => {
  const store = useStore(open);
  let posted: PromiseWithResolvers<string>;
  beforeEach(async () => {
    await store.database.db.deleteFrom('workspaces').execute();
    await seedWorkspace(store.database);
    posted = Promise.withResolvers();
    // Only the loops' timers: the store needs the others.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Starts both jobs and waits until the service was `asked`; then an alert comes up, and is posted. */
  async function postBeside(job: Job, asked: Promise<void>) {
    const { db } = store.database;
    const common = { realNow: Date.now, monotonicNow: Date.now, logger: createStoreLogger() };
    const outbox = createOutbox({
      ctx: undefined,
      ...common,
      store: storeOf(db, workspaceId),
      outgoing: [alert],
      newId: () => crypto.randomUUID(),
      poster: {
        async post({ id }) {
          posted.resolve(id);
          return { ts: '1' };
        },
        find: async () => 'absent',
      },
    });
    const firstRound = Promise.withResolvers<void>();
    const messages: Job = {
      name: 'messages',
      finish: outbox.finish,
      async runDue(at, mayClaim) {
        await outbox.runDue(at, mayClaim);
        firstRound.resolve();
      },
    };
    const jobs = createJobs({ ...common, ...oneWorkspace(job, messages), now: () => now });
    jobs.start();
    await vi.advanceTimersByTimeAsync(1_000);
    await Promise.all([asked, firstRound.promise]);
    const message = { id: 'diverted', channelId: 'C1', message: { kind: 'alert' } };
    await storeOf(db, workspaceId)
      .insertInto('outbox', pendingMessage({ ...message, now, dueAt: new Date() }))
      .execute();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await posted.promise).toBe('diverted');
    return jobs;
  }

  /** Due work that waits for the service once so many have asked it. */
  const works = {
    // Two workers claim 50 each.
    '500 subjects': async () => {
      const ids = Array.from({ length: 500 }, (_, index) => String(9_000_000 + index));
      await addSubjects(store.database, ids, now);
      const fixture = createWatchFixture(store.database);
      const job = { name: 'polls', runDue: fixture.poller.runDue };
      return { fixture, job, asked: fixture.calls, max: 100 };
    },
    '20 digests': async () => {
      const fixture = createDigestFixture(store.database);
      for (let count = 0; count < 20; count += 1) await fixture.add({ channelId: `C${count}` });
      const job = { name: 'digests', runDue: fixture.runner.runDue };
      return { fixture, job, asked: fixture.ran, max: 4 };
    },
  };

  it.each(['500 subjects', '20 digests'] as const)('with %s due', async (work) => {
    const { fixture, job, asked, max } = await works[work]();
    const waiting = Promise.withResolvers<void>();
    const answers = Promise.withResolvers<void>();
    fixture.gate = () => {
      if (asked.length === max) waiting.resolve();
      return answers.promise;
    };
    const jobs = await postBeside(job, waiting.promise);
    const stopped = jobs.stop(60_000);
    answers.resolve();
    await stopped;
    // The stop waited for the work under way, and no other began.
    expect(asked).toHaveLength(max);
    const db = direct(store.database.db);
    const polled = await db.selectFrom('subjects').select('id').where('polled_at', 'is not', null).execute();
    const run = await db.selectFrom('digests').select('id').where('last_run_at', 'is not', null).execute();
    expect([...polled, ...run]).toHaveLength(max);
  });
});

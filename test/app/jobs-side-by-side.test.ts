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
import { engines, seedWorkspace, workspaceId } from '../support/store-engines.ts';
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

  it('with 5,000 subjects due', async () => {
    const { db } = store.database;
    const subjects = Array.from({ length: 5_000 }, (_, index) => ({
      id: `subject-${index}`,
      workspace_id: workspaceId,
      kind: 'vessel',
      key: String(9_000_000 + index),
      interval_minutes: 15,
      polled_at: null,
      failing_since: null,
      nearest_eta: null,
      due_at: now,
      lease_until: null,
      lease_token: null,
      attempts: 0,
    }));
    for (let from = 0; from < subjects.length; from += 1_000)
      await db
        .insertInto('subjects')
        .values(subjects.slice(from, from + 1_000))
        .execute();
    const fixture = createWatchFixture(store.database);
    const asked = Promise.withResolvers<void>();
    const answers = Promise.withResolvers<void>();
    // Two workers claim 50 each.
    const claimed = 100;
    fixture.gate = () => {
      if (fixture.calls.length === claimed) asked.resolve();
      return answers.promise;
    };
    const polls = { name: 'polls', runDue: fixture.poller.runDue };
    const jobs = await postBeside(polls, asked.promise);
    const stopped = jobs.stop(60_000);
    answers.resolve();
    await stopped;
    // The stop waited for the polls under way, and no others began.
    expect(fixture.calls).toHaveLength(claimed);
    const polled = await direct(db)
      .selectFrom('subjects')
      .select('id')
      .where('polled_at', 'is not', null)
      .execute();
    expect(polled).toHaveLength(claimed);
  });

  it('with 200 digests due', async () => {
    const fixture = createDigestFixture(store.database);
    for (let count = 0; count < 200; count += 1) await fixture.add({ channelId: `C${count}` });
    const asked = Promise.withResolvers<void>();
    const answers = Promise.withResolvers<void>();
    fixture.gate = () => {
      if (fixture.ran.length === 4) asked.resolve();
      return answers.promise;
    };
    const digests = { name: 'digests', runDue: fixture.runner.runDue };
    const jobs = await postBeside(digests, asked.promise);
    const stopped = jobs.stop(60_000);
    answers.resolve();
    await stopped;
    expect(fixture.ran).toHaveLength(4);
    const run = await direct(store.database.db)
      .selectFrom('digests')
      .select('id')
      .where('last_run_at', 'is not', null)
      .execute();
    expect(run).toHaveLength(4);
  });
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createJobs } from '../../src/app/jobs.ts';
import { StoreUnavailable } from '../../src/errors.ts';
import type { Job } from '../../src/features/feature.ts';
import { oneWorkspace } from '../support/one-workspace.ts';
import { createStoreLogger } from '../support/store-logger.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const jobsOf = (...jobs: Job[]) =>
  createJobs({
    ...oneWorkspace(...jobs),
    now: () => new Date(),
    monotonicNow: Date.now,
    logger: createStoreLogger(),
  });

let seen: string[];
beforeEach(() => {
  seen = [];
});
const job = (name: string, outcome: () => unknown = () => undefined): Job => ({
  name,
  async runDue() {
    seen.push(name);
    await outcome();
  },
});
const never = () => new Promise<never>(() => {});
const fails = (error: Error) => () => {
  throw error;
};

test('on request, a job that fails does not stop the others, and the first error is thrown', async () => {
  const jobs = jobsOf(
    job('polls', fails(new Error('no polls'))),
    job('digests'),
    job('messages', fails(new Error('no messages'))),
  );
  await expect(jobs.runDue()).rejects.toThrow('no polls');
  expect(seen).toEqual(['polls', 'digests', 'messages']);
});

test('a job that hangs and one that fails hold up no other', async () => {
  const jobs = jobsOf(job('polls', never), job('digests', fails(new Error('gone'))), job('messages'));
  jobs.start();
  await vi.advanceTimersByTimeAsync(60_000);
  const roundsOf = (name: string) => seen.filter((other) => other === name).length;
  expect(roundsOf('polls')).toBe(1);
  // After 1, 3, 7, 15 and 31 seconds: its failures slow down only itself.
  expect(roundsOf('digests')).toBe(5);
  expect(roundsOf('messages')).toBe(60);
  void jobs.stop(0);
});

test('names a job that has not finished a round for two minutes', async () => {
  const jobs = jobsOf(job('polls', never), job('messages'));
  jobs.start();
  await vi.advanceTimersByTimeAsync(119_999);
  expect(jobs.whyNotReady()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(jobs.whyNotReady()).toEqual(['polls have not finished a round for 2 minutes']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(jobs.whyNotReady()).toEqual(['polls have not finished a round for 3 minutes']);
  void jobs.stop(0);
});

test('a job that hung is no longer named after its round', async () => {
  const gate = Promise.withResolvers<void>();
  const jobs = jobsOf(job('digests', () => gate.promise));
  jobs.start();
  await vi.advanceTimersByTimeAsync(180_000);
  expect(jobs.whyNotReady()).toEqual(['digests have not finished a round for 3 minutes']);
  gate.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(jobs.whyNotReady()).toEqual([]);
  await jobs.stop(0);
});

test('names the jobs whose last round failed until one succeeds; one reason for a database that does not answer', async () => {
  let error: Error | undefined = new Error('no such column');
  const failing = () => {
    if (error) throw error;
  };
  const jobs = jobsOf(job('polls', failing), job('digests', failing), job('messages'));
  await expect(jobs.runDue()).rejects.toThrow('no such column');
  expect(jobs.whyNotReady()).toEqual([
    'the last round of polls failed; the log says why',
    'the last round of digests failed; the log says why',
  ]);
  error = new StoreUnavailable('the database does not answer');
  await expect(jobs.runDue()).rejects.toThrow('the database does not answer');
  expect(jobs.whyNotReady()).toEqual(['the database does not answer']);
  error = undefined;
  await jobs.runDue();
  expect(jobs.whyNotReady()).toEqual([]);
});

test('a stop waits for a job that hangs only until its deadline', async () => {
  const jobs = jobsOf(job('polls', never), job('messages'));
  jobs.start();
  await vi.advanceTimersByTimeAsync(1_000);
  let isStopped = false;
  const stopped = jobs.stop(5_000).then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(4_999);
  expect(isStopped).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await stopped;
  expect(seen).toEqual(['polls', 'messages']);
});

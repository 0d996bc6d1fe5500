import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockDirectory } from '../../src/database/lock-directory.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'landfall-lock-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it('admits at most one of many processes that start together, and the next after a release', async () => {
  const tries = await Promise.allSettled(Array.from({ length: 6 }, () => lockDirectory(directory)));
  const locks = tries.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(locks.length).toBeLessThanOrEqual(1);
  for (const lock of locks) await lock.release();
  const lock = await lockDirectory(directory);
  await expect(lockDirectory(directory)).rejects.toThrow(
    `Another Landfall (process ${process.pid}) is using`,
  );
  await lock.release();
  expect(await readdir(directory)).toEqual([]);
});

it('trusts the heartbeat of a process in another container, not its process number', async () => {
  const path = join(directory, 'in-use.1-x.json');
  await writeFile(path, JSON.stringify({ pid: 1, startedAt: '1', bootId: 'x', pidNamespace: 'pid:[1]' }));
  await expect(lockDirectory(directory)).rejects.toThrow('Another Landfall (process 1) is using');
  const old = new Date(Date.now() - 60_000);
  await utimes(path, old, old);
  await (await lockDirectory(directory)).release();
  expect(await readdir(directory)).toEqual([]);
});

it('is not blocked for ever by a file that a crash left incomplete', async () => {
  const child = 999_999_999; // No process has this number.
  await writeFile(join(directory, `in-use.${child}-x.json`), '{"pid":');
  await (await lockDirectory(directory)).release();
  await writeFile(join(directory, `in-use.${process.pid}-x.json`), '');
  await expect(lockDirectory(directory)).rejects.toThrow('Another Landfall');
});

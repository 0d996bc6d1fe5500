import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty directory that is deleted after the test; from beforeEach too. */
export async function useDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'landfall-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

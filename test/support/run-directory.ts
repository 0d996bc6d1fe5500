import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Of Linux. There, copying a database takes a tenth of the time, and the hundreds that a run needs are 9 MB each. */
const inMemory = '/dev/shm';
const neededBytes = 8 * 2 ** 30;

/**
 * Puts all temporary files of a run into one directory, and deletes it however the run ends: a shell waits until its
 * input closes, and then retries as long as stopping servers still write.
 */
export default function openRunDirectory(): () => void {
  const parent = process.env.TMPDIR === undefined && hasRoomInMemory() ? inMemory : tmpdir();
  const directory = mkdtempSync(join(parent, 'landfall-test-'));
  chmodSync(directory, 0o755); // Under root, PostgreSQL runs as another user.
  process.env.TMPDIR = directory;
  // Many tests start the bot as a process of its own, which otherwise compiles every module again.
  process.env.NODE_COMPILE_CACHE = resolve('node_modules/.cache/node-compile');
  const script =
    'cat; for i in $(seq 20); do rm -rf "$0" 2>/dev/null; sleep 0.5; [ -e "$0" ] || exit 0; done';
  const cleaner = spawn('sh', ['-c', script, directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // Ctrl+C must not end it.
  });
  cleaner.unref();
  return () => cleaner.stdin.end();
}

function hasRoomInMemory(): boolean {
  if (process.platform !== 'linux' || process.availableMemory() < neededBytes) return false;
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= neededBytes;
  } catch {
    return false; // There is none, as in some containers.
  }
}

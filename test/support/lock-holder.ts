// A separate process, on request as another user, that obeys messages: a directory to lock, `release`, or `forget`
// (drop the result and collect garbage). It answers `done` or the error.
import { setImmediate } from 'node:timers/promises';
import { lockDirectory } from '../../src/database/lock-file.ts';

process.umask(0o022);
const [uid] = process.argv.slice(2);
if (uid !== undefined) process.seteuid?.(Number(uid));

let lock: { release(): void } | undefined;
process.on('message', async (message: string) => {
  try {
    if (message === 'release') lock?.release();
    else if (message === 'forget') await forget();
    else lock = lockDirectory(message);
    process.send?.('done');
  } catch (error) {
    process.send?.(String(error));
  }
});

async function forget(): Promise<void> {
  lock = undefined;
  for (let round = 0; round < 3; round += 1) {
    await setImmediate();
    globalThis.gc?.();
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Another process that uses the store like a bot, see store-holder.ts. */
export interface StoreHolder {
  pid: number | undefined;
  /** Resolves when it has written `count` pairs of rows more. */
  written(count: number): Promise<void>;
  kill(): Promise<void>;
}

export async function holdStore(place: string): Promise<StoreHolder> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'store-holder.ts'), place], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const exited = once(child, 'exit');
  const holder: StoreHolder = {
    pid: child.pid,
    async written(count) {
      for (let left = count; left > 0; left -= 1) await Promise.race([once(lines, 'line'), failed()]);
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
  const failed = () =>
    exited.then(() => {
      throw new Error('the process has ended');
    });
  await holder.written(1);
  return holder;
}

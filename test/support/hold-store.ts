import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type StoreHolder = Awaited<ReturnType<typeof holdStore>>;

/** Another process that uses the store like a bot, see store-holder.ts. */
export async function holdStore(place: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'store-holder.ts'), place], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const exited = once(child, 'exit');
  const holder = {
    pid: child.pid,
    /** Resolves when it has written `count` pairs of rows more. */
    async written(count: number): Promise<void> {
      for (let left = count; left > 0; left -= 1) await Promise.race([once(lines, 'line'), failed()]);
    },
    async kill(): Promise<void> {
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

import { setTimeout as wait } from 'node:timers/promises';

const attempts = 2500;

/** Polls a condition that another process fulfils, for at most about 50 s. */
export async function waitUntil(
  description: string,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await condition()) return;
    await wait(20);
  }
  throw new Error(`timed out waiting until ${description}`);
}

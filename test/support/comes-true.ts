import { setTimeout as wait } from 'node:timers/promises';

const rounds = 2500;

/** Polls a condition that another process fulfils, for at most about 50 s. */
export async function comesTrue(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    if (await condition()) return;
    await wait(20);
  }
  throw new Error(`it never came true that ${what}`);
}

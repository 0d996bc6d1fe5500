import { randomBytes, randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Letters and digits as in Slack's ids. */
export function randomId(prefix: string, length = 10): string {
  let id = prefix;
  for (let index = 0; index < length; index += 1) id += ALPHABET[randomInt(ALPHABET.length)];
  return id;
}

export function randomSecret(bytes = 18): string {
  return randomBytes(bytes).toString('hex');
}

/** Slack's message times: `seconds.microseconds`, unique and rising even when the clock stands still. */
export function createTsClock(now: () => number): { next(): string; after(ts: string): void } {
  let last = 0;
  return {
    next() {
      last = Math.max(last + 1, Math.floor(now()) * 1000);
      return `${Math.floor(last / 1e6)}.${String(last % 1e6).padStart(6, '0')}`;
    },
    after(ts) {
      const [seconds = '0', micros = '0'] = ts.split('.');
      last = Math.max(last, Number(seconds) * 1e6 + Number(micros));
    },
  };
}

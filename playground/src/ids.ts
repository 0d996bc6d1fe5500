import { randomBytes, randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A prefix and random characters, like Slack's ids. */
export function randomId(prefix: string, length = 10): string {
  let id = prefix;
  for (let index = 0; index < length; index += 1) id += ALPHABET[randomInt(ALPHABET.length)];
  return id;
}

export const newTriggerId = (): string => randomId('Tr', 12);

export function randomSecret(bytes = 18): string {
  return randomBytes(bytes).toString('hex');
}

/** Slack's message timestamps: `seconds.microseconds`, unique and increasing even if the clock stops. */
export function createTsClock(now: () => number): { next(): string; startAfter(ts: string): void } {
  let last = 0;
  return {
    next() {
      last = Math.max(last + 1, Math.floor(now()) * 1000);
      return `${Math.floor(last / 1e6)}.${String(last % 1e6).padStart(6, '0')}`;
    },
    startAfter(ts) {
      const [seconds = '0', micros = '0'] = ts.split('.');
      last = Math.max(last, Number(seconds) * 1e6 + Number(micros));
    },
  };
}

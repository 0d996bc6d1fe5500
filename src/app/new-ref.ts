import { randomInt } from 'node:crypto';

/** A reference short enough to read out over the phone, without characters that look alike. */
export function newRef(): string {
  const letters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
  return Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
}

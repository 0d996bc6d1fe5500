import type { Locode } from '../../reference/locode.ts';

/** A small note: the service gives nothing for the code that was typed, and the answer is of another one. */
export function otherCode(typed: Locode, port: Locode): string {
  return `no answer for ${typed}: this is for ${port}, another code for the same port`;
}

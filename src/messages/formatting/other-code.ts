import type { Locode } from '../../reference/locode.ts';

/** A small note: the service gives nothing for the code that was typed, and the answer is of another one. */
export function otherCode(typed: Locode, port: Locode): string {
  return `nothing under ${typed}: this is ${port}, another code of the same port`;
}

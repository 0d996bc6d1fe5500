import type { WireEntry } from '../../src/page-api/inspector-api.ts';
import type { PageMessage } from '../../src/page-api/page-api.ts';
import { messageKey } from './shown-messages.ts';

const MAX_WIRE_ENTRIES = 500;

/** Adds a message in its place, or replaces it. */
export function upsert(messages: PageMessage[], message: PageMessage): PageMessage[] {
  const key = messageKey(message);
  const at = messages.findIndex((other) => messageKey(other) === key);
  return at >= 0 ? messages.with(at, message) : [...messages, message].toSorted(byTs);
}

/** Adds an entry at the end, or replaces it. Forgets the oldest ones. */
export function upsertWire(wire: WireEntry[], entry: WireEntry): WireEntry[] {
  const at = wire.findLastIndex((other) => other.id === entry.id);
  return at >= 0 ? wire.with(at, entry) : [...wire, entry].slice(-MAX_WIRE_ENTRIES);
}

/** All `ts` have the same length (seconds with six decimals), so text order is time order. */
export const byTs = (a: PageMessage, b: PageMessage): number => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0);

import { isJsonObject } from '../json.ts';
import type { WireEntry } from '../page-api/page-api.ts';

export interface Wire {
  add(entry: Omit<WireEntry, 'id'>): void;
  /** Oldest first. */
  list(): WireEntry[];
  subscribe(listener: (entry: WireEntry) => void): () => void;
  /** For entries of one workspace. */
  of(teamName: string): Pick<Wire, 'add'>;
}

const SECRET_KEYS = new Set([
  'token',
  'authorization',
  'x-slack-signature',
  'client_secret',
  'code',
  'refresh_token',
  // Fields of a form.
  'apikey',
  'password',
]);

/**
 * The newest `maxEntries` entries of the inspector. Secrets are removed only when entries are read,
 * because a benchmark records thousands of them.
 */
export function createWire(options: { maxEntries: number; secrets: string[] }): Wire {
  const entries = new Map<number, WireEntry>();
  const listeners = new Set<(entry: WireEntry) => void>();
  const clean = (entry: WireEntry): WireEntry => ({
    ...entry,
    payload: withoutSecrets(entry.payload, options.secrets),
  });
  let id = 0;
  const wire: Wire = {
    add(content) {
      id += 1;
      const entry = { ...content, id };
      entries.set(id, entry);
      entries.delete(id - options.maxEntries);
      if (listeners.size === 0) return;
      const cleaned = clean(entry);
      for (const listener of listeners) listener(cleaned);
    },
    list: () => [...entries.values()].map(clean),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    of: (teamName) => ({ add: (entry) => wire.add({ ...entry, teamName }) }),
  };
  return wire;
}

function withoutSecrets(value: unknown, secrets: string[]): unknown {
  if (typeof value === 'string') {
    return secrets.reduce((text, secret) => text.replaceAll(secret, '(secret)'), value);
  }
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, secrets));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !SECRET_KEYS.has(key.toLowerCase()))
      .map(([key, item]) => [key, withoutSecrets(item, secrets)]),
  );
}

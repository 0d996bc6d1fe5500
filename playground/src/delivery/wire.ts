import type { WireEntry } from '../page-api/inspector-api.ts';
import { SERVICE_SECRET_KEYS, SLACK_SECRET_KEYS, withoutSecrets } from './secrets.ts';

export interface Wire {
  add(entry: Omit<WireEntry, 'id'>): void;
  /** In the order in which they ended. */
  list(): WireEntry[];
  subscribe(listener: (entry: WireEntry) => void): () => void;
  /** For entries of one workspace. */
  of(teamName: string): Pick<Wire, 'add'>;
}

/**
 * The newest `maxEntries` entries of the inspector with Slack, and as many with the service, whose polls must not
 * displace the others. Secrets are removed only when entries are read, because a benchmark records thousands of them.
 */
export function createWire(options: { maxEntries: number; secrets: string[] }): Wire {
  const entries = { slack: new Map<number, WireEntry>(), service: new Map<number, WireEntry>() };
  const listeners = new Set<(entry: WireEntry) => void>();
  const clean = (entry: WireEntry): WireEntry => {
    const keys = entry.direction === 'to-service' ? SERVICE_SECRET_KEYS : SLACK_SECRET_KEYS;
    const hide = (value: unknown) => withoutSecrets(value, { keys, values: options.secrets });
    const { request, response, headers, ...rest } = entry;
    return {
      ...rest,
      request: hide(request),
      ...(response !== undefined && { response: hide(response) }),
      // The values are those that `hide` was given, without the secrets.
      ...(headers && { headers: hide(headers) as NonNullable<WireEntry['headers']> }),
    };
  };
  let id = 0;
  const wire: Wire = {
    add(content) {
      id += 1;
      const entry = { ...content, id };
      const kept = entries[entry.direction === 'to-service' ? 'service' : 'slack'];
      kept.set(id, entry);
      const [oldest] = kept.keys();
      if (oldest !== undefined && kept.size > options.maxEntries) kept.delete(oldest);
      if (listeners.size === 0) return;
      const cleaned = clean(entry);
      for (const listener of listeners) listener(cleaned);
    },
    list: () =>
      [...entries.slack.values(), ...entries.service.values()].toSorted((a, b) => a.id - b.id).map(clean),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    of: (teamName) => ({ add: (entry) => wire.add({ ...entry, teamName }) }),
  };
  return wire;
}

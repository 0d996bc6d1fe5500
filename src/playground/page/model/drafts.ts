/** Unsent texts by key. They aren't part of the model, so typing re-renders only the composer. */
export interface Drafts {
  get: (key: string) => string;
  set: (key: string, text: string) => void;
  subscribe: (onChange: () => void) => () => void;
}

export function createDrafts(): Drafts {
  const texts = new Map<string, string>();
  const listeners = new Set<() => void>();
  return {
    get: (key) => texts.get(key) ?? '',
    set(key, text) {
      texts.set(key, text);
      for (const onChange of listeners) onChange();
    },
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}

/** The key of a channel's or a thread's draft; each user has their own. */
export const draftKey = (userId: string, channelId: string, threadTs = ''): string =>
  `${userId}:${channelId}:${threadTs}`;

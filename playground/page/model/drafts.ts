export type Drafts = ReturnType<typeof createDrafts>;

/** Unsent texts by key. They aren't part of the model, so typing re-renders only the composer. */
export function createDrafts() {
  const texts = new Map<string, string>();
  const listeners = new Set<() => void>();
  return {
    get: (key: string) => texts.get(key) ?? '',
    set(key: string, text: string) {
      texts.set(key, text);
      for (const onChange of listeners) onChange();
    },
    subscribe(onChange: () => void) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}

/** The key of a channel's or a thread's draft; each user has their own. */
export const draftKey = (userId: string, channelId: string, threadTs = ''): string =>
  `${userId}:${channelId}:${threadTs}`;

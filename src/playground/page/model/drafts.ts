/** What was typed and not sent, by place. Outside of the model, so that typing redraws the composer only. */
export interface Drafts {
  get: (place: string) => string;
  set: (place: string, text: string) => void;
  subscribe: (changed: () => void) => () => void;
}

export function createDrafts(): Drafts {
  const texts = new Map<string, string>();
  const followers = new Set<() => void>();
  return {
    get: (place) => texts.get(place) ?? '',
    set(place, text) {
      texts.set(place, text);
      for (const changed of followers) changed();
    },
    subscribe(changed) {
      followers.add(changed);
      return () => followers.delete(changed);
    },
  };
}

/** A channel's or a thread's place, for each user their own. */
export const draftKey = (userId: string, channelId: string, threadTs = ''): string =>
  `${userId}:${channelId}:${threadTs}`;

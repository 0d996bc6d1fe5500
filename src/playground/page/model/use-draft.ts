import { useSyncExternalStore } from 'react';
import { usePage } from './page-context.ts';

/** The unsent text of one place, and its setter. */
export function useDraft(place: string): [string, (text: string) => void] {
  const { drafts } = usePage();
  const text = useSyncExternalStore(drafts.subscribe, () => drafts.get(place));
  return [text, (next) => drafts.set(place, next)];
}

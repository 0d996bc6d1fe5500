import { useSyncExternalStore } from 'react';
import { usePage } from './page-context.ts';

/** The unsent text with this key, and its setter. */
export function useDraft(key: string): [string, (text: string) => void] {
  const { drafts } = usePage();
  const text = useSyncExternalStore(drafts.subscribe, () => drafts.get(key));
  return [text, (next) => drafts.set(key, next)];
}

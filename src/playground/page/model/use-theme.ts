import { useSyncExternalStore } from 'react';

const dark = matchMedia('(prefers-color-scheme: dark)');

function subscribe(changed: () => void): () => void {
  dark.addEventListener('change', changed);
  return () => dark.removeEventListener('change', changed);
}

/** The machine's light or dark, followed as it changes. */
export const useTheme = (): 'light' | 'dark' =>
  useSyncExternalStore(subscribe, () => (dark.matches ? 'dark' : 'light'));

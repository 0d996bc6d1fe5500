import { useSyncExternalStore } from 'react';

const dark = matchMedia('(prefers-color-scheme: dark)');

function subscribe(onChange: () => void): () => void {
  dark.addEventListener('change', onChange);
  return () => dark.removeEventListener('change', onChange);
}

/** The system's colour scheme, updated when it changes. */
export const useTheme = (): 'light' | 'dark' =>
  useSyncExternalStore(subscribe, () => (dark.matches ? 'dark' : 'light'));

import { useRef } from 'react';

/** The last line sent from this composer, which the up arrow recalls. */
export function useHistory(): { remember: (line: string) => void; last: () => string | undefined } {
  const sent = useRef<string>(undefined);
  return {
    remember: (line) => {
      sent.current = line;
    },
    last: () => sent.current,
  };
}

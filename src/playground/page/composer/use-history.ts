import { useRef } from 'react';

/** The last line sent from this composer: the up arrow in an empty one brings it back. */
export function useHistory(): { remember: (line: string) => void; last: () => string | undefined } {
  const sent = useRef<string>(undefined);
  return {
    remember: (line) => {
      sent.current = line;
    },
    last: () => sent.current,
  };
}

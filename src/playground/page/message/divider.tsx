import type { ReactNode } from 'react';

/** A line across the list with a word in it: a day, «New», how many replies. */
export function Divider({ kind, children }: { kind: 'day' | 'new' | 'thread'; children: ReactNode }) {
  return (
    <div className={`divider divider-${kind}`}>
      <span>{children}</span>
    </div>
  );
}

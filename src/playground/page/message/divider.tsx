import type { ReactNode } from 'react';

/** A line across the list with a label: a day, "New", or the number of replies. */
export function Divider({ kind, children }: { kind: 'day' | 'new' | 'thread'; children: ReactNode }) {
  return (
    <div className={`divider divider-${kind}`}>
      <span>{children}</span>
    </div>
  );
}

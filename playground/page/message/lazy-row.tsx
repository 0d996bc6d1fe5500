import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import type { NearRows } from './use-near.ts';

interface Props {
  near: NearRows;
  /** True for a row that is in sight at once, such as a new message at the end. */
  startsNear: boolean;
  /** Of a row that has not been rendered yet. */
  estimatedPx: number;
  /** What the browser's search finds while the row isn't rendered. */
  text: string;
  ts: string;
  /** True if a link led to it. */
  isLinked: boolean;
  render: () => ReactNode;
}

/**
 * A row that is rendered near the visible part only. Elsewhere it keeps its height, and its text for the browser's
 * search, which shows it when it finds something. A row that somebody has used stays, with its state.
 */
export function LazyRow({ near, startsNear, estimatedPx, text, ts, isLinked, render }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(startsNear);
  const [heightPx, setHeightPx] = useState(estimatedPx);
  const isUsed = useRef(false);
  useEffect(() => {
    const row = element.current;
    if (!row) return;
    const use = () => {
      isUsed.current = true;
      setIsNear(true);
    };
    const stop = near.observe(row, (change) => {
      if (!change.isNear && isUsed.current) return;
      if (!change.isNear) setHeightPx(change.heightPx);
      setIsNear(change.isNear);
    });
    const events = ['pointerdown', 'focusin', 'beforematch'];
    for (const event of events) row.addEventListener(event, use);
    return () => {
      stop();
      for (const event of events) row.removeEventListener(event, use);
    };
  }, [near]);
  // Screen readers announce new messages, not those that come into sight again.
  const [isQuiet] = useState(!startsNear);
  return (
    <div
      ref={element}
      className={`row${isLinked ? ' row-linked' : ''}`}
      data-ts={ts}
      {...(isQuiet && { 'aria-live': 'off' })}
    >
      {isNear ? render() : <Far heightPx={heightPx} text={text} />}
    </div>
  );
}

const Far = memo(function Far({ heightPx, text }: { heightPx: number; text: string }) {
  const element = useRef<HTMLDivElement>(null);
  // React writes `hidden` without a value.
  useEffect(() => element.current?.setAttribute('hidden', 'until-found'), []);
  return (
    <div className="row-far" style={{ height: heightPx }}>
      <div ref={element} hidden>
        {text}
      </div>
    </div>
  );
});

import { type RefObject, startTransition, useEffect, useMemo } from 'react';

/** Tells each row of a scrolling list whether it is near the visible part. */
export interface NearRows {
  /** Reports changes for this row, until the returned function is called. */
  observe(row: Element, onChange: (change: { isNear: boolean; heightPx: number }) => void): () => void;
}

/** How far from the visible part a row is rendered: about two screens. */
const MARGIN_PX = 1500;
/** Rows that are rendered in one task. */
const ROWS_PER_TASK = 2;

/** Rows come near in small portions, those in sight first, so that no task is long. */
export function useNear(list: RefObject<HTMLElement | null>): NearRows {
  const near = useMemo(() => createNear(list), [list]);
  useEffect(() => near.disconnect, [near]);
  return near;
}

function createNear(list: RefObject<HTMLElement | null>): NearRows & { disconnect: () => void } {
  const listeners = new Map<Element, (change: { isNear: boolean; heightPx: number }) => void>();
  const coming = new Set<Element>();
  let observer: IntersectionObserver | undefined;
  let frame = 0;

  const renderSome = () => {
    frame = 0;
    const next = nearest(coming, list.current).slice(0, ROWS_PER_TASK);
    startTransition(() => {
      for (const row of next) {
        coming.delete(row);
        listeners.get(row)?.({ isNear: true, heightPx: 0 });
      }
    });
    if (coming.size > 0) frame = requestAnimationFrame(renderSome);
  };

  const onChange = (entries: IntersectionObserverEntry[]) => {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      if (isIntersecting) coming.add(target);
      // It was on its way, and is far again.
      else if (!coming.delete(target))
        startTransition(() =>
          listeners.get(target)?.({ isNear: false, heightPx: boundingClientRect.height }),
        );
    }
    if (coming.size > 0 && frame === 0) frame = requestAnimationFrame(renderSome);
  };

  return {
    observe(row, listener) {
      observer ??= new IntersectionObserver(onChange, {
        root: list.current,
        rootMargin: `${MARGIN_PX}px 0px`,
      });
      listeners.set(row, listener);
      observer.observe(row);
      return () => {
        observer?.unobserve(row);
        listeners.delete(row);
        coming.delete(row);
      };
    },
    disconnect() {
      cancelAnimationFrame(frame);
      observer?.disconnect();
      observer = undefined;
    },
  };
}

/** Sorted by the distance from the middle of the visible part. */
function nearest(rows: ReadonlySet<Element>, list: HTMLElement | null): Element[] {
  const { top = 0, height = 0 } = list?.getBoundingClientRect() ?? {};
  const middle = top + height / 2;
  const distanceOf = (row: Element) => {
    const box = row.getBoundingClientRect();
    return Math.abs((box.top + box.bottom) / 2 - middle);
  };
  return [...rows]
    .map((row) => ({ row, distance: distanceOf(row) }))
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ row }) => row);
}

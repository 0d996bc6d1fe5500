import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

const NEAR_END_PX = 60;

interface StickToEnd {
  list: RefObject<HTMLDivElement | null>;
  atEnd: boolean;
  toEnd: () => void;
}

/** Keeps a growing list scrolled to its end, unless the reader has scrolled up. */
export function useStickToEnd(length: number): StickToEnd {
  const list = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const stuck = useRef(true);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    let lastTop = element.scrollTop;
    const toEnd = () => {
      // An empty list shows its beginning: the introduction.
      if (stuck.current && length > 0) element.scrollTop = element.scrollHeight;
      lastTop = element.scrollTop;
    };
    const watch = () => {
      const near = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
      // Only scrolling up leaves the end: a list that has just grown is away from its end for a moment, too.
      if (near || element.scrollTop < lastTop) stuck.current = near;
      lastTop = element.scrollTop;
      setAtEnd(stuck.current);
    };
    toEnd();
    // Growing messages or a shrinking window must not hide the latest line.
    const follow = new ResizeObserver(toEnd);
    for (const child of [element, ...element.children]) follow.observe(child);
    element.addEventListener('scroll', watch, { passive: true });
    return () => {
      element.removeEventListener('scroll', watch);
      follow.disconnect();
    };
  }, [length]);
  const toEnd = () => list.current?.scrollTo({ top: list.current.scrollHeight });
  return { list, atEnd, toEnd };
}

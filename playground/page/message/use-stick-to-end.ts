import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

const NEAR_END_PX = 60;
/** What stays visible above a message that the list scrolls to: a part of the one before, or the "New" line. */
const ABOVE_TARGET_PX = 72;

interface StickToEnd {
  list: RefObject<HTMLDivElement | null>;
  /** What the list scrolls. */
  content: RefObject<HTMLDivElement | null>;
  atEnd: boolean;
  toEnd: () => void;
}

/**
 * Keeps a growing list scrolled to its end, unless the reader has scrolled up. A new `target` is scrolled to once it is
 * rendered, and stays in its place while the rows around it get their heights, until the reader scrolls.
 */
export function useStickToEnd(
  length: number,
  target: { ts: string } | undefined,
  isTargetRendered: boolean,
): StickToEnd {
  const list = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const stuck = useRef(true);
  /** A message's `ts`, or the start. */
  const pinned = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (target && isTargetRendered) pinned.current = target.ts;
  }, [target, isTargetRendered]);
  const knownLength = useRef(length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new target is to be scrolled to at once.
  useLayoutEffect(() => {
    const element = list.current;
    if (!element || !content.current) return;
    let lastTop = element.scrollTop;
    // What comes in while the reader stays at the end must not be hidden.
    if (knownLength.current !== length && stuck.current) pinned.current = undefined;
    knownLength.current = length;
    const isNearEnd = () => element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
    const toPlace = () => {
      if (pinned.current !== undefined) {
        const row = element.querySelector(`[data-ts="${pinned.current}"]`);
        const above = row ? row.getBoundingClientRect().top - element.getBoundingClientRect().top : 0;
        element.scrollTop = row ? element.scrollTop + above - ABOVE_TARGET_PX : 0;
        stuck.current = isNearEnd();
        setAtEnd(stuck.current);
      }
      // An empty list shows its beginning: the introduction.
      else if (stuck.current && length > 0) element.scrollTop = element.scrollHeight;
      lastTop = element.scrollTop;
    };
    const watch = () => {
      const near = isNearEnd();
      // Only scrolling up leaves the end: a list that has just grown is away from its end for a moment, too.
      if (near || element.scrollTop < lastTop) stuck.current = near;
      lastTop = element.scrollTop;
      setAtEnd(stuck.current);
    };
    toPlace();
    // Growing messages or a shrinking window must not hide the latest line.
    const follow = new ResizeObserver(toPlace);
    for (const box of [element, content.current]) follow.observe(box);
    element.addEventListener('scroll', watch, { passive: true });
    return () => {
      element.removeEventListener('scroll', watch);
      follow.disconnect();
    };
  }, [length, target, isTargetRendered]);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const release = (event: Event) => {
      // Rows that come in above must not move the reader who wanted the start.
      const isToStart = event instanceof KeyboardEvent && event.key === 'Home' && event.target === element;
      pinned.current = isToStart ? START : undefined;
    };
    const inputs = ['wheel', 'touchmove', 'pointerdown', 'keydown'];
    for (const input of inputs) element.addEventListener(input, release, { passive: true });
    return () => {
      for (const input of inputs) element.removeEventListener(input, release);
    };
  }, []);
  const toEnd = () => {
    pinned.current = undefined;
    // At once: rows that grow before the scroll event would leave the list short of its end.
    stuck.current = true;
    setAtEnd(true);
    list.current?.scrollTo({ top: list.current.scrollHeight });
  };
  return { list, content, atEnd, toEnd };
}

const START = 'start';

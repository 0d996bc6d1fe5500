/** Resolves in a turn of the event loop of its own. */
export type YieldToEventLoop = () => Promise<void>;

/**
 * One piece of work per turn of the event loop, first come first served: between two of them the loop takes
 * in and acknowledges what has arrived, so that a burst of commands does not keep Slack waiting.
 */
export function createYieldToEventLoop(): YieldToEventLoop {
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}

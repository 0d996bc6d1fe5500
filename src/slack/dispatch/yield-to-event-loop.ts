/** Resolves in a separate turn of the event loop. */
export type YieldToEventLoop = () => Promise<void>;

/**
 * Starts one piece of work per turn of the event loop, in order of arrival. In between the loop acknowledges new
 * deliveries, so that Slack need not wait during a burst of commands.
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

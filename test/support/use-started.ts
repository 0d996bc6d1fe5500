import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

/**
 * What `start` returns, for the tests of this `describe`: one for all, or one for each, ended by its `close` or `stop`.
 * It can be used once they run.
 */
export function useStarted<Started extends { close(): unknown } | { stop(): unknown }>(
  start: () => Promise<Started>,
  { perTest = false } = {},
): Started {
  let started: Started;
  const [before, after] = perTest ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    started = await start();
  });
  after(() => ('close' in started ? started.close() : started.stop()));
  // Nothing but its properties.
  return new Proxy({} as Started, {
    get: (_, key) => Reflect.get(started, key),
    set: (_, key, value) => Reflect.set(started, key, value),
  });
}

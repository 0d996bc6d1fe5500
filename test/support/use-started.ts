import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest';

type Startable = { close(): unknown } | { stop(): unknown };

const end = (started: Startable) => ('close' in started ? started.close() : started.stop());

/**
 * What `start` returns, for the tests of this `describe`: one for all, or one for each, ended by its `close` or `stop`.
 * It can be used once they run.
 */
export function useStarted<Started extends Startable>(
  start: () => Promise<Started>,
  { perTest = false } = {},
): Started {
  let started: Started;
  const [before, after] = perTest ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    started = await start();
  });
  after(() => end(started));
  // Nothing but its properties.
  return new Proxy({} as Started, {
    get: (_, key) => Reflect.get(started, key),
    set: (_, key, value) => Reflect.set(started, key, value),
  });
}

/** It ends after the test; from beforeEach too. */
export function untilTestEnds<Started extends Startable>(started: Started): Started {
  onTestFinished(async () => void (await end(started)));
  return started;
}

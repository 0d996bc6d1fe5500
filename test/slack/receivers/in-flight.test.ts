import { expect, test } from 'vitest';
import { createInFlight } from '../../../src/slack/receivers/in-flight.ts';

test('waits for work in flight, and says whether all of it finished', async () => {
  const inFlight = createInFlight();
  const gate = Promise.withResolvers<void>();
  inFlight.track(gate.promise);
  expect(await inFlight.drained(1)).toBe(false);
  expect(inFlight.count()).toBe(1);
  gate.reject(new Error('its own affair'));
  await expect(gate.promise).rejects.toThrow();
  expect(await inFlight.drained(60_000)).toBe(true);
});

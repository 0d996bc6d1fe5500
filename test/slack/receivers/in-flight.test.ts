import { expect, test } from 'vitest';
import { createInFlight } from '../../../src/slack/receivers/in-flight.ts';

test('what is in flight is waited for, what is not finished is told', async () => {
  const inFlight = createInFlight();
  const gate = Promise.withResolvers<void>();
  inFlight.track(gate.promise);
  expect(await inFlight.drained(1)).toBe(false);
  expect(inFlight.count()).toBe(1);
  gate.reject(new Error('its own affair'));
  await expect(gate.promise).rejects.toThrow();
  expect(await inFlight.drained(60_000)).toBe(true);
});

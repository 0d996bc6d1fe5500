import { beforeEach, expect, test } from 'vitest';
import { createCallTurns } from '../../src/app/assistant-limits.ts';

const never = new AbortController().signal;
const busy = {
  code: 'too-busy',
  message: 'Landfall is busy: too many calls of assistants are waiting.',
  hint: 'Try again in 5 seconds, with fewer calls at once.',
};

let takeTurn: ReturnType<typeof createCallTurns>;
beforeEach(() => {
  takeTurn = createCallTurns({ maxAtOnce: 2, maxWaiting: 4, maxWaitingOfPerson: 3 });
});

/** Calls that all arrive before any of them can go on. */
const burst = (personId: string, count: number, signal = never) =>
  Array.from({ length: count }, () => takeTurn(personId, signal));

test('calls of assistants of one person leave room for those of others: beyond the limit for all, one of each may wait', async () => {
  const calls = [...burst('U1', 5), takeTurn('U2', never)];
  await expect(takeTurn('U2', never)).rejects.toMatchObject(busy);
  calls.push(takeTurn('U3', never));
  await expect(takeTurn('U3', never)).rejects.toMatchObject(busy);
  await Promise.all(calls.map(async (call) => (await call)()));
  expect(await Promise.all(burst('U2', 2))).toHaveLength(2);
});

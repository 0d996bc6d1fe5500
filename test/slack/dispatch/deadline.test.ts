import { describe, expect, test } from 'vitest';
import { DeadlineError, withinDeadline } from '../../../src/slack/dispatch/deadline.ts';

describe('the deadline', () => {
  test('ends work that overhears its signal, and tells the signal why', async () => {
    let seen: AbortSignal | undefined;
    const work = withinDeadline(1, (signal) => {
      seen = signal;
      return new Promise(() => {});
    });
    await expect(work).rejects.toBeInstanceOf(DeadlineError);
    expect(seen?.aborted).toBe(true);
  });

  test('leaves work alone that is in time', async () => {
    let seen: AbortSignal | undefined;
    expect(
      await withinDeadline(60_000, async (signal) => {
        seen = signal;
        return 7;
      }),
    ).toBe(7);
    expect(seen?.aborted).toBe(false);
  });
});

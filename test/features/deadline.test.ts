import { describe, expect, test, vi } from 'vitest';
import { DeadlineError, withinDeadline } from '../../src/features/ctx.ts';

describe('the deadline', () => {
  test('ends work that ignores its signal, and tells the signal why', async () => {
    let seen: AbortSignal | undefined;
    const work = withinDeadline(1, (signal) => {
      seen = signal;
      return new Promise(() => {});
    });
    await expect(work).rejects.toBeInstanceOf(DeadlineError);
    expect(seen?.aborted).toBe(true);
  });

  test('is paused during withDeadlinePaused, and restarts after it', async () => {
    vi.useFakeTimers();
    const waiting = Promise.withResolvers<void>();
    let outcome: unknown = 'under way';
    const work = withinDeadline(1_000, async (_, withDeadlinePaused) => {
      await withDeadlinePaused(waiting.promise);
      await new Promise(() => {});
    });
    const settled = work.catch((error: unknown) => {
      outcome = error;
    });
    await vi.advanceTimersByTimeAsync(60_000);
    waiting.resolve();
    await vi.advanceTimersByTimeAsync(999);
    expect(outcome).toBe('under way');
    await vi.advanceTimersByTimeAsync(1);
    await settled;
    expect(outcome).toBeInstanceOf(DeadlineError);
    vi.useRealTimers();
  });

  test('does nothing if the work finishes in time', async () => {
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

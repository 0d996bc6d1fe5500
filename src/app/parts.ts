import { messageOf } from '../errors.ts';
import { withinDeadline } from '../features/deadline.ts';
import type { Logger } from '../log.ts';

/** A part of the process that has to be closed. */
export interface Part {
  name: string;
  close(): Promise<unknown>;
}

/** Each part has at least this time to close, or an equal share if less than that is left. */
const minClosingMs = 300;

/** Closes one part after the other, within `deadlineMs` in all. Logs and skips a part that hangs or fails. */
export async function closeParts(
  parts: readonly Part[],
  { deadlineMs, logger }: { deadlineMs: number; logger: Logger },
): Promise<void> {
  const endsAt = performance.now() + deadlineMs;
  for (const [index, { name, close }] of parts.entries()) {
    const leftMs = Math.max(0, endsAt - performance.now());
    const partsLeft = parts.length - index - 1;
    try {
      const closeWithinMs = Math.max(leftMs - partsLeft * minClosingMs, leftMs / (partsLeft + 1));
      await withinDeadline(closeWithinMs, async () => close());
    } catch (error) {
      logger.warn({ part: name, reason: messageOf(error) }, 'a part was not closed properly');
    }
  }
}

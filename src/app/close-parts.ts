import { messageOf } from '../errors.ts';
import { withinDeadline } from '../features/deadline.ts';
import type { Logger } from '../log.ts';

export interface Part {
  name: string;
  close(): Promise<unknown>;
}

/** Each part has at least this time to close, even if the parts before it hang. */
const reservedMs = 300;

/** Closes one part after the other, within `deadlineMs` in all. Logs and skips a part that hangs or fails. */
export async function closeParts(
  parts: readonly Part[],
  { deadlineMs, logger }: { deadlineMs: number; logger: Logger },
): Promise<void> {
  const endsAt = performance.now() + deadlineMs;
  for (const [index, { name, close }] of parts.entries()) {
    const leftMs = Math.max(0, endsAt - performance.now());
    const after = parts.length - index - 1;
    try {
      await withinDeadline(Math.max(leftMs - after * reservedMs, leftMs / (after + 1)), async () => close());
    } catch (error) {
      logger.warn({ part: name, reason: messageOf(error) }, 'a part was not closed properly');
    }
  }
}

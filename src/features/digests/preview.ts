import type { Message } from '../../messages/message.ts';
import type { Baseline, Digest } from './digest.ts';
import { digestFrame } from './outgoing.ts';
import { runDigest } from './run-digest.ts';
import { createDigestLines, type DigestLinesDeps } from './run-lines.ts';
import { previewView } from './views/digest.ts';

export type PreviewDigest = ReturnType<typeof createPreview>;

/** Shorter than the 15 s for the whole preview: a line that is too slow then fails alone, and the others are shown. */
const deadlineMs = 12_000;

/** Returns a function that shows a digest as it would be posted now, with what `userId` may see. It posts nothing. */
export function createPreview(deps: DigestLinesDeps) {
  const { runLine, explain } = createDigestLines(deps, {
    deadlineMs,
    priority: 'interactive',
    mayHaveLeft: true,
  });
  return async (
    shown: Digest,
    { baseline, userId, now }: { baseline: Baseline | null; userId: string; now: Date },
  ) => {
    // A preview is shown even if nothing is new.
    const digest = { ...shown, onlyNews: false };
    const { message } = await runDigest(
      { digest, baseline, missed: null, scheduledFor: now, nextRunAt: digest.nextRunAt, now },
      {
        runLine: (line) => runLine(line, { digest: { ...digest, ownerId: userId, chosenBy: userId }, now }),
        explain,
      },
    );
    if (!message) throw new Error('a preview was not sent');
    const { frame, reader } = await digestFrame(message, digest.channelId, deps);
    return {
      view: (parts: Parameters<typeof previewView>[3]): Message => previewView(message, frame, reader, parts),
    };
  };
}

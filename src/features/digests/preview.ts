import type { Message } from '../../messages/message.ts';
import type { Baseline, Digest } from './digest.ts';
import { digestFrame } from './outgoing.ts';
import { runDigest } from './run-digest.ts';
import { createDigestLines, type DigestLinesDeps } from './run-lines.ts';
import { previewView } from './views/digest.ts';

/** Shows a digest to one person as it would be posted now. Nothing is saved or posted. */
export type PreviewDigest = (
  digest: Digest,
  context: { baseline: Baseline | null; userId: string; now: Date },
) => Promise<{ view(): Message }>;

/** Shorter than the time that the form has. */
const deadlineMs = 12_000;

export function createPreview(deps: DigestLinesDeps): PreviewDigest {
  const { runLine, explain } = createDigestLines(deps, {
    deadlineMs,
    priority: 'interactive',
    mayHaveLeft: true,
  });
  return async (saved, { baseline, userId, now }) => {
    const digest = { ...saved, onlyNews: false };
    const { message } = await runDigest(
      { digest, baseline, missed: null, scheduledFor: now, nextRunAt: digest.nextRunAt, now },
      {
        // The lines run as the person who looks at the preview, who may see less than the owner.
        runLine: (line) => runLine(line, { digest: { ...digest, ownerId: userId, chosenBy: userId }, now }),
        explain,
      },
    );
    if (!message) throw new Error('a preview was not sent');
    const { frame, reader } = await digestFrame(message, digest.channelId, deps);
    return { view: () => previewView(message, frame, reader) };
  };
}

import type { Message } from '../../messages/message.ts';
import type { Baseline, Digest } from './digest.ts';
import { digestFrame } from './render-digest.ts';
import { runDigest } from './run-digest.ts';
import { createDigestLines, type DigestLinesDeps } from './run-lines.ts';
import { previewView } from './views/digest.ts';

interface Preview {
  digest: Digest;
  /** What its readers were last sent, if anything. */
  baseline: Baseline | null;
}

/** A digest as it would be posted now, for one person: nothing is saved or posted, and the baseline stays. */
export type PreviewDigest = (
  preview: Preview,
  asked: { userId: string; now: Date },
) => Promise<{ view(): Message }>;

/** A little less than the form that asks for it has in all. */
const deadlineMs = 12_000;

export function createPreview(deps: DigestLinesDeps): PreviewDigest {
  const how = { deadlineMs, priority: 'interactive', mayHaveLeft: true } as const;
  const { runLine, explain } = createDigestLines(deps, how);
  return async ({ digest, baseline }, { userId, now }) => {
    const { message } = await runDigest(
      {
        // Sent in any case, so that there is something to see.
        digest: { ...digest, onlyNews: false },
        baseline,
        missed: null,
        scheduledFor: now,
        nextRunAt: digest.status === 'active' ? digest.nextRunAt : null,
        now,
      },
      {
        // As whoever looks at it, who may see less than the owner.
        runLine: (line, context) =>
          runLine(line, { ...context, digest: { ...context.digest, ownerId: userId, chosenBy: userId } }),
        explain,
      },
    );
    if (!message) throw new Error('a preview has something to show');
    const { frame, reader } = await digestFrame(message, digest.channelId, deps);
    return { view: () => previewView(message, frame, reader) };
  };
}

import type { Message } from '../../messages/message.ts';
import type { Baseline, Digest } from './digest.ts';
import { digestFrame } from './outgoing.ts';
import { runDigest } from './run-digest.ts';
import { createDigestLines, type DigestLinesDeps } from './run-lines.ts';
import { previewView } from './views/digest.ts';

interface PreviewContext {
  baseline: Baseline | null;
  /** The person who looks at the preview, who may see less than the owner. */
  userId: string;
  now: Date;
}

export type PreviewDigest = ReturnType<typeof createPreview>;

/** Shorter than the time that the form has. */
const deadlineMs = 12_000;

/** Gives a function that shows a digest to one person as it would be posted now. It saves and posts nothing. */
export function createPreview(deps: DigestLinesDeps) {
  const { runLine, explain } = createDigestLines(deps, {
    deadlineMs,
    priority: 'interactive',
    mayHaveLeft: true,
  });
  return async (saved: Digest, { baseline, userId, now }: PreviewContext) => {
    const digest = { ...saved, onlyNews: false };
    const { message } = await runDigest(
      { digest, baseline, missed: null, scheduledFor: now, nextRunAt: digest.nextRunAt, now },
      {
        runLine: (line) => runLine(line, { digest: { ...digest, ownerId: userId, chosenBy: userId }, now }),
        explain,
      },
    );
    if (!message) throw new Error('a preview was not sent');
    const { frame, reader } = await digestFrame(message, digest.channelId, deps);
    return { view: (): Message => previewView(message, frame, reader) };
  };
}

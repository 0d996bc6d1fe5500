import type { CallCause } from '../../analytics/answers.ts';
import type { LineFacts } from '../../answers/comparison.ts';
import { UserError } from '../../errors.ts';
import { referenceToShow } from '../../log.ts';
import { withoutYourTime } from '../../messages/formatting/times.ts';
import { withoutShare } from '../../messages/frame/answer-actions.ts';
import { failureReason } from '../../messages/frame/failure.ts';
import { verdictLines } from '../../messages/frame/verdict-lines.ts';
import { charactersIn } from '../../messages/limits.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { DeadlineError, withinDeadline } from '../deadline.ts';
import type { FeatureSet, WatchThreads } from '../feature.ts';
import { isPersonal } from '../line.ts';
import { commandCause, directoryFor, type WorkCtx } from '../run-context.ts';
import type { WorkspaceServices } from '../services.ts';
import { checkDigestLine, dependsOnAsker } from './check-lines.ts';
import { type Digest, isPersonalDigest } from './digest.ts';

export interface LineAnswer {
  /** Null if the next digest has nothing to compare with. */
  facts: LineFacts | null;
  /** The answer itself says what has changed: `watch changes`. */
  hasNews: boolean;
  /** The verdict in one line of mrkdwn, with a warning if the answer is old. Empty if it is too long for a digest. */
  brief: readonly string[];
  /** The whole answer, as a reply in the digest's thread; null if `brief` says it all. */
  detail: Message | null;
  /** It is never shown where people of other organisations read. */
  isInternal: boolean;
}

/** Runs one canonical line as the digest's owner. Throws whatever the command throws. */
export type RunLine = (
  line: string,
  context: { digest: Digest; now: Date; lastSentAt?: Date | undefined },
) => Promise<LineAnswer>;

/** Logs why a line failed. Returns what readers see of it, and the reference under which it is in the log. */
export type ExplainFailure = (
  error: unknown,
  context: { digest: Digest; line: string; now: Date },
) => { reason: string; ref: string };

export interface DigestLinesDeps
  extends Pick<WorkspaceServices, 'slack' | 'source' | 'now' | 'toServiceTrouble' | 'logger'>,
    Pick<FeatureSet, 'parseLine' | 'vessels'> {
  watchThreads: WatchThreads;
  workCtx(): WorkCtx;
}

interface DigestLinesOptions {
  /** For each line. */
  deadlineMs: number;
  priority: 'background' | 'interactive';
  /** The person who reads the answers may have left the channel. */
  mayHaveLeft?: boolean;
}

/** For the verdicts of all lines together, beside the table of what is new. */
const maxCharacters = 3_500;

/** Runs the lines of digests as their owners, in the time zones of the digests. */
export function createDigestLines(
  deps: DigestLinesDeps,
  { deadlineMs, priority, mayHaveLeft = false }: DigestLinesOptions,
): { runLine: RunLine; explain: ExplainFailure } {
  const { slack, parseLine, source, logger } = deps;

  return {
    async runLine(line, { digest, now, lastSentAt }) {
      const [directory, asksOnly, owner, chooser, reader] = await Promise.all([
        deps.vessels(),
        slack.asksOnly(digest.ownerId),
        slack.personOf(digest.ownerId),
        slack.personOf(digest.chosenBy),
        readerOf(digest, { now, source, slack }),
      ]);
      const isAdmin = owner.isAdmin && chooser.isAdmin;
      const actor = { userId: digest.ownerId, isAdmin, zone: digest.zone, asksOnly };
      const vessels = directoryFor(actor, directory);
      // Older versions saved lines that are refused today.
      const prepared = checkDigestLine(parseLine(line, { vessels }));
      if (isPersonal(prepared) && !isPersonalDigest(digest)) throw dependsOnAsker();
      const answered = await withinDeadline(deadlineMs, (signal) =>
        prepared.run({
          ...deps.workCtx(),
          vessels,
          now: deps.now,
          source,
          audience: reader.audience,
          // Nobody gets an admin's answers by handing their digest to an admin, or by editing an admin's digest.
          actor,
          place: { channelId: digest.channelId, destination: digest.destination, mayHaveLeft },
          fresh: false,
          priority,
          ...(lastSentAt && { lastSentAt }),
          cause: causeOf(digest, priority),
          signal,
        }),
      );
      // The first message of the thread says that data is invented.
      const message = withoutShare(answered.view({ ...reader, source: 'service' }));
      const { lines, isWhole } = verdictLines(message);
      // Bold marks the verdict of the digest alone.
      const verdict = lines.map((text) => withoutYourTime(text.replaceAll('*', '')));
      const isShort = charactersIn(verdict) <= maxCharacters / digest.lines.length;
      return {
        facts: answered.facts,
        hasNews: answered.hasNews,
        brief: isShort ? verdict : [],
        detail: isShort && isWhole ? null : message,
        isInternal: prepared.privacy === 'internal',
      };
    },
    explain(thrown, { digest, line, now }) {
      const ref = referenceToShow();
      const error = thrown instanceof DeadlineError ? deps.toServiceTrouble(thrown) : thrown;
      const level = error instanceof UserError ? 'info' : 'error';
      logger[level]({ digest: digest.id, line, ref, err: error }, 'a line of a digest failed');
      const reader: Reader = { now, zone: digest.zone, source, audience: 'channel' };
      return { reason: failureReason(error, { ref, reader, line }), ref };
    },
  };
}

/** A preview is the command of whoever looks at it. */
function causeOf(digest: Digest, priority: DigestLinesOptions['priority']): CallCause {
  if (priority === 'interactive') return commandCause('digest', digest);
  return { kind: 'digest', id: digest.id, channelId: isPersonalDigest(digest) ? null : digest.channelId };
}

/** The reader of the messages in the digest's channel. */
export async function readerOf(
  { channelId, destination, zone }: Pick<Digest, 'channelId' | 'destination' | 'zone'>,
  { now, source, slack }: { now: Date } & Pick<DigestLinesDeps, 'source' | 'slack'>,
): Promise<Reader> {
  return { now, zone, source, audience: await slack.audienceOf({ channelId, destination }) };
}

import { UserError } from '../../errors.ts';
import { compact } from '../../messages/frame/compact.ts';
import { failureReason } from '../../messages/frame/failure.ts';
import type { Reader } from '../../messages/message.ts';
import { isPersonal } from '../command.ts';
import { DeadlineError, withinDeadline } from '../deadline.ts';
import type { FeatureSet, WorkspaceServices } from '../feature.ts';
import type { Digest } from './digest.ts';
import type { ExplainFailure, RunLine } from './run-line.ts';

export interface DigestLinesDeps
  extends Pick<WorkspaceServices, 'slack' | 'source' | 'now' | 'newRef' | 'toServiceTrouble' | 'logger'>,
    Pick<FeatureSet, 'parseLine' | 'vessels'> {}

interface DigestLinesOptions {
  /** For one line, in all. */
  deadlineMs: number;
  /** `background`: behind what people wait for. */
  priority: 'background' | 'interactive';
  /** Whom a digest is shown to need not be in its channel. */
  mayHaveLeft?: boolean;
}

/** All lines of a digest share its message. */
const linesInAll = 48;
const charactersInAll = 6_000;

/** Runs the lines of digests as their owners, in their zones. */
export function createDigestLines(
  deps: DigestLinesDeps,
  { deadlineMs, priority, mayHaveLeft = false }: DigestLinesOptions,
): { runLine: RunLine; explain: ExplainFailure } {
  const { slack, parseLine, source, newRef, logger } = deps;

  return {
    async runLine(line, { digest, now }) {
      const [vessels, owner, chooser, reader] = await Promise.all([
        deps.vessels(),
        slack.personOf(digest.ownerId),
        slack.personOf(digest.chosenBy),
        readerOf(digest, { now, source, slack }),
      ]);
      const prepared = parseLine(line, { vessels });
      if (!prepared.repeatable) throw changesSomething(prepared.line);
      // Of a digest that was saved before such lines were refused.
      if (isPersonal(prepared) && digest.destination === 'channel') throw dependsOnAsker();
      const answered = await withinDeadline(deadlineMs, (signal) =>
        prepared.run({
          vessels,
          now: deps.now,
          source,
          // Nobody gets an admin's answers by giving their own lines, or digest, to an admin.
          actor: { userId: digest.ownerId, isAdmin: owner.isAdmin && chooser.isAdmin, zone: digest.zone },
          place: { channelId: digest.channelId, destination: digest.destination, mayHaveLeft },
          fresh: false,
          priority,
          signal,
        }),
      );
      const message = answered.view(reader);
      const count = digest.lines.length;
      const { lines: brief, isWhole } = compact(message, {
        lines: Math.max(3, Math.min(9, Math.floor(linesInAll / count))),
        characters: Math.floor(charactersInAll / count),
      });
      return { facts: answered.facts, brief, detail: isWhole ? null : message };
    },
    explain(thrown, { digest, line, now }) {
      const ref = newRef();
      const error = thrown instanceof DeadlineError ? deps.toServiceTrouble(thrown) : thrown;
      const isTyped = error instanceof UserError;
      logger[isTyped ? 'info' : 'error'](
        { digest: digest.id, line, ref, err: error },
        'a line of a digest failed',
      );
      const reader: Reader = { now, zone: digest.zone, source, audience: 'channel' };
      return { reason: failureReason(error, { ref, reader, line }), ref };
    },
  };
}

/** Those who read what is posted there. */
export async function readerOf(
  { channelId, destination, zone }: Pick<Digest, 'channelId' | 'destination' | 'zone'>,
  { now, source, slack }: { now: Date } & Pick<DigestLinesDeps, 'source' | 'slack'>,
): Promise<Reader> {
  const audience = destination === 'channel' ? await slack.audienceOf(channelId) : 'private';
  return { now, zone, source, audience };
}

const changesSomething = (line: string) =>
  new UserError({
    code: 'not-allowed',
    message: `“${line}” changes something, so it can't be in a digest.`,
    example: 'digest add weekdays 08:00: nextport 9461477',
  });

const dependsOnAsker = () =>
  new UserError({
    code: 'not-allowed',
    message: "The answer depends on who asks, so it isn't shown in a channel",
    example: 'digest add weekdays 08:00 to me: watch list all',
  });

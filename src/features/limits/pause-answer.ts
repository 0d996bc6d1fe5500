import type { Answer } from '../../answers/answer.ts';
import { duration } from '../../answers/formatting/times.ts';
import { counted } from '../../answers/formatting/words.ts';
import { dismiss } from '../../answers/slack/notices.ts';
import type { Text } from '../../answers/text.ts';
import { hasBegun, isSamePause, type WorkPause } from '../../workspaces/work-pause.ts';
import { pausedInWords, resumeButton } from '../owned/index.ts';

interface Work {
  /** The active ones, in the whole workspace. */
  watches: number;
  digests: number;
}

interface PauseQuestion extends Work {
  now: Date;
  /** Left out: now. */
  from: Date | undefined;
  /** Null: until an admin resumes the work. */
  until: Date | null;
  /** The digest runs in between. */
  skippedRuns: number;
  /** Pauses. */
  line: string;
  /** The pause that there is already, or that is planned. */
  current: WorkPause | undefined;
}

const inWords = ({ watches, digests }: Work): string =>
  `${counted(watches, 'watch', 'watches')} and ${counted(digests, 'digest')}`;

const end = (until: Date | null): Text =>
  until ? ['until ', { instant: until }] : 'until an admin resumes it';

/** `from … until …`, or the end alone. */
const times = (from: Date | undefined, until: Date | null): Text =>
  from ? ['from ', { instant: from }, until ? [' until ', { instant: until }] : ' on'] : end(until);

/** `It lasts 3 d, and 5 runs of digests are skipped.` */
function lengthInWords({ since, until }: Pick<WorkPause, 'since' | 'until'>, skippedRuns: number): string[] {
  if (!until) return [];
  const runs =
    skippedRuns > 0
      ? `, and ${counted(skippedRuns, 'run of a digest is', 'runs of digests are')} skipped`
      : '';
  return [`It lasts ${duration((until.getTime() - since.getTime()) / 60_000)}${runs}.`];
}

export function pauseQuestion({
  now,
  from,
  until,
  skippedRuns,
  line,
  current,
  ...work
}: PauseQuestion): Answer {
  const cancel = { label: 'Cancel', press: dismiss, value: dismiss };
  if (current) {
    const goesOn = hasBegun(current, now);
    const since = goesOn ? current.since : (from ?? now);
    const isSame = isSamePause(current, { since, until });
    return {
      isOwn: true,
      verdict: {
        strong: pausedInWords(current, now),
        lines: isSame ? [] : [['Pause everything ', times(goesOn ? undefined : from, until), ' instead?']],
      },
      actions: { runs: [...(isSame ? [] : [{ label: 'Change it', line }]), resumeButton(current, now)] },
    };
  }
  return {
    isOwn: true,
    verdict: {
      strong: 'Pause everything in this workspace?',
      rest: [` ${inWords(work)} will be paused `, times(from, until), '.'],
      lines: [
        'Meanwhile no forecast is checked, no digest is posted and nobody is reminded. People who ask are still answered, which takes API calls.',
        'Afterwards, each watch posts once what has changed. Digests that were due in the meantime are skipped.',
        ...lengthInWords({ since: from ?? now, until }, skippedRuns),
      ],
    },
    actions: { runs: [{ label: 'Pause everything', line }, cancel] },
  };
}

export function pausedAnswer(
  pause: WorkPause,
  { skippedRuns, now }: { skippedRuns: number; now: Date },
): Answer {
  const { since, until } = pause;
  return {
    isOwn: true,
    verdict: {
      ...(hasBegun(pause, now)
        ? {
            strong: ['Everything is paused ', end(until)],
            rest: '. Messages that are already on their way are still sent, and people who ask are still answered.',
          }
        : {
            strong: ['Everything will be paused ', times(since, until)],
            rest: '. Until then everything runs as usual.',
          }),
      lines: lengthInWords(pause, skippedRuns),
    },
    actions: { runs: [resumeButton(pause, now)] },
  };
}

/** `before`: the pause that has ended. */
export function resumedAnswer(before: WorkPause | undefined, work: Work, now: Date): Answer {
  if (!before)
    return { isOwn: true, verdict: { strong: 'Nothing is paused', rest: ` here: ${inWords(work)} run.` } };
  if (!hasBegun(before, now))
    return {
      isOwn: true,
      verdict: {
        strong: ['The pause from ', { instant: before.since }, ' on is cancelled'],
        rest: `: ${inWords(work)} keep running.`,
      },
    };
  return {
    isOwn: true,
    verdict: {
      strong: 'Everything is running again',
      rest: `: ${inWords(work)}.`,
      lines: [
        'Watches are checked now, those with the nearest ETAs first, and each posts once what has changed. Digests run at their next time.',
      ],
    },
  };
}

import type { Answer } from '../../answers/answer.ts';
import { counted } from '../../answers/formatting/words.ts';
import { dismiss } from '../../answers/slack/notices.ts';
import type { Text } from '../../answers/text.ts';
import type { WorkPause } from '../../workspaces/work-pause.ts';
import { pausedInWords, resumeButton } from '../owned/index.ts';

interface Work {
  /** The active ones, in the whole workspace. */
  watches: number;
  digests: number;
}

interface PauseQuestion extends Work {
  /** Null: until an admin resumes the work. */
  until: Date | null;
  /** Pauses. */
  line: string;
  /** The pause that there is already. */
  current: WorkPause | undefined;
}

const inWords = ({ watches, digests }: Work): string =>
  `${counted(watches, 'watch', 'watches')} and ${counted(digests, 'digest')}`;

const end = (until: Date | null): Text =>
  until ? ['until ', { instant: until }] : 'until an admin resumes it';

export function pauseQuestion({ until, line, current, ...work }: PauseQuestion): Answer {
  const cancel = { label: 'Cancel', press: dismiss, value: dismiss };
  if (current) {
    const isSame = current.until?.getTime() === until?.getTime();
    return {
      isOwn: true,
      verdict: {
        strong: pausedInWords(current),
        lines: isSame ? [] : [['Pause everything ', end(until), ' instead?']],
      },
      actions: { runs: [...(isSame ? [] : [{ label: 'Change it', line }]), resumeButton] },
    };
  }
  return {
    isOwn: true,
    verdict: {
      strong: 'Pause everything in this workspace?',
      rest: [` ${inWords(work)} rest `, end(until), '.'],
      lines: [
        'Meanwhile nothing is polled, no digest is posted and nobody is reminded. People who ask are still answered, which takes API calls.',
        'Afterwards, each watch posts once what has changed, and the digests of the meantime are left out.',
      ],
    },
    actions: { runs: [{ label: 'Pause everything', line }, cancel] },
  };
}

export const pausedAnswer = (pause: WorkPause): Answer => ({
  isOwn: true,
  verdict: {
    strong: ['Everything is paused ', end(pause.until)],
    rest: '. Messages that were on their way are still sent, and people who ask are answered.',
  },
  actions: { runs: [resumeButton] },
});

/** `before`: the pause that has ended. */
export function resumedAnswer(before: WorkPause | undefined, work: Work): Answer {
  if (!before)
    return { isOwn: true, verdict: { strong: 'Nothing is paused', rest: ` here: ${inWords(work)} run.` } };
  return {
    isOwn: true,
    verdict: {
      strong: 'Everything goes on again',
      rest: `: ${inWords(work)}.`,
      lines: [
        'Watches are polled now, those with the nearest ETAs first, and each posts once what has changed. Digests run at their next time.',
      ],
    },
  };
}

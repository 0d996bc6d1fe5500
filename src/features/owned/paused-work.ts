import type { Answer, AnswerButton } from '../../answers/answer.ts';
import { forAsker, type Text } from '../../answers/text.ts';
import { ownLines } from '../../errors.ts';
import { hasBegun, type WorkPause } from '../../workspaces/work-pause.ts';
import type { AskCtx } from '../ctx.ts';

/** `All watches and digests have been paused since …, by @ada`, or will be from … on. */
export const pausedInWords = ({ by, since, until }: WorkPause, now: Date): Text => [
  hasBegun({ since }, now)
    ? 'All watches and digests have been paused since '
    : 'All watches and digests will be paused from ',
  { instant: since },
  ...(until ? [hasBegun({ since }, now) ? ', until ' : ' until ', { instant: until }] : []),
  // In a channel, a mention would notify the admin each time.
  forAsker([', by ', { person: by }]),
];

export const resumeButton = (pause: WorkPause, now: Date): AnswerButton => ({
  label: hasBegun(pause, now) ? 'Resume everything' : 'Cancel the pause',
  line: ownLines.resume,
});

/** The pause that goes on, or is planned. A terminal has no workspace. */
export const pausedWork = async ({ place, services, now }: AskCtx): Promise<WorkPause | undefined> =>
  place && (await services.pauses.next(now()));

/** The answer, with a line that says that admins have paused everything, if they have; admins can resume it there. */
export async function withPausedWork(answer: Answer, ctx: AskCtx): Promise<Answer> {
  const now = ctx.now();
  const pause = await pausedWork(ctx);
  if (!pause) return answer;
  const { verdict, actions = {} } = answer;
  const { lines = [] } = verdict;
  const buttons = ctx.actor.isAdmin && ctx.audience === 'private' ? [resumeButton(pause, now)] : [];
  return {
    ...answer,
    verdict: {
      ...verdict,
      lines: [...lines, [hasBegun(pause, now) ? '🟠 ' : '', pausedInWords(pause, now)]],
    },
    actions: { ...actions, runs: [...(actions.runs ?? []), ...buttons] },
  };
}

import type { Answer, AnswerButton } from '../../answers/answer.ts';
import { forAsker, type Text } from '../../answers/text.ts';
import { ownLines } from '../../errors.ts';
import type { WorkPause } from '../../workspaces/work-pause.ts';
import type { AskCtx } from '../ctx.ts';

/** `All watches and digests have been paused since …, by @ada`. */
export const pausedInWords = ({ by, since, until }: WorkPause): Text => [
  'All watches and digests have been paused since ',
  { instant: since },
  // In a channel, a mention would notify the admin each time.
  forAsker([', by ', { person: by }]),
  ...(until ? [', until ', { instant: until }] : []),
];

export const resumeButton: AnswerButton = { label: 'Resume everything', line: ownLines.resume };

/** The answer, with a line that says that admins have paused everything, if they have; admins can resume it there. */
export async function withPausedWork(answer: Answer, ctx: AskCtx): Promise<Answer> {
  // In the terminal there is no workspace.
  const pause = ctx.place && (await ctx.services.pauses.at(ctx.now()));
  if (!pause) return answer;
  const { verdict, actions = {} } = answer;
  const { lines = [] } = verdict;
  const buttons = ctx.actor.isAdmin && ctx.audience === 'private' ? [resumeButton] : [];
  return {
    ...answer,
    verdict: { ...verdict, lines: [...lines, ['🟠 ', pausedInWords(pause)]] },
    actions: { ...actions, runs: [...(actions.runs ?? []), ...buttons] },
  };
}

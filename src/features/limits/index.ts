import type { HomePart } from '../../answers/answer.ts';
import { hasBegun } from '../../workspaces/work-pause.ts';
import type { Feature } from '../feature.ts';
import { pausedInWords, resumeButton } from '../owned/index.ts';
import { limitCommand } from './limit.ts';
import { pauseCommand, resumeCommand } from './pause.ts';

/** What admins decide for the background work of the whole workspace: how many calls it makes, and a pause. */
export const limits: Feature = {
  commands: [limitCommand, pauseCommand, resumeCommand],
  async homeTop({ services, actor, now }): Promise<readonly HomePart[]> {
    const pause = await services.pauses.next(now());
    if (!pause) return [];
    return [
      {
        verdict: {
          strong: [hasBegun(pause, now()) ? '🟠 ' : '', pausedInWords(pause, now())],
          rest: '. People who ask are still answered.',
        },
        ...(actor.isAdmin && { actions: { runs: [resumeButton(pause, now())] } }),
      },
    ];
  },
};

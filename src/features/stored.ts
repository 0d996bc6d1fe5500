import { UserError } from '../errors.ts';
import type { Actor } from '../workspaces/permissions.ts';
import type { Kept, RunContext } from './feature.ts';

/** The store, and who asks where. Throws UserError in the terminal, which has neither. */
export function keptOf({ kept, place, actor }: RunContext): {
  kept: Kept;
  actor: Actor;
  threadTs: string | undefined;
} {
  if (!kept || !place) {
    throw new UserError({
      code: 'not-allowed',
      message: 'Watches, names and fleets are kept by the running bot, and can be used in Slack only.',
      hint: 'Type the same line in Slack, behind a slash.',
      example: 'nextport 9461477',
    });
  }
  const { userId, isAdmin } = actor;
  const { channelId, threadTs, mayHaveLeft = false } = place;
  return { kept, actor: { userId, isAdmin, channelId, mayHaveLeft }, threadTs };
}

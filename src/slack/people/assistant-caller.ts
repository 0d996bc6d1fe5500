import { UserError } from '../../errors.ts';
import type { PreparedLine } from '../../features/command.ts';
import type { Place, RunContext, WorkCtx } from '../../features/run-context.ts';
import { type Installation, membershipOf, type SlackUser } from '../connection/installation.ts';
import type { WorkspaceEdge } from '../dispatch/workspace-edge.ts';
import { admit } from './admit.ts';
import type { Lookups } from './lookups.ts';

/** A `user` without `teamId` is one whom Slack does not name just now: they may have left since. */
export type FindAssistantCaller = (user: SlackUser) => Promise<{
  ctx: WorkCtx;
  actor: RunContext['actor'];
  place: Place;
  /** Throws UserError if the person may not do that. */
  admit(prepared: Pick<PreparedLine, 'onlyAsks'>): void;
}>;

/**
 * Finds the person for whom an assistant asks: they may do and see what they may in Slack, in private. Throws UserError
 * for somebody whom Landfall does not serve.
 */
export function createFindAssistantCaller({
  workspace,
  installation,
  lookups,
}: {
  workspace: Pick<WorkspaceEdge, 'ctx' | 'isPaused' | 'guestRights' | 'recordUse'>;
  installation: Installation;
  lookups: Pick<Lookups, 'personOf' | 'personLatelyOf' | 'directMessageOf'>;
}): FindAssistantCaller {
  /** Where the person's own watches are. */
  async function placeOf({ id }: SlackUser): Promise<Place> {
    try {
      return {
        channelId: await lookups.directMessageOf(id),
        destination: 'direct-message',
        isElsewhere: true,
      };
    } catch {
      // Questions need no answer of Slack.
      return { channelId: id, destination: 'response' };
    }
  }

  return async (user) => {
    if (await workspace.isPaused()) throw notServed('Landfall is paused in this workspace.');
    const { personOf, personLatelyOf } = lookups;
    const person = await (user.teamId === undefined ? personLatelyOf : personOf)(user.id);
    if (person.isGone) throw notServed('That person is no longer in this workspace.');
    const admission = await admit(membershipOf(user, installation), person, workspace.guestRights);
    if (admission.kind === 'declined') throw notServed(admission.notice.text);
    workspace.recordUse();
    return {
      ctx: workspace.ctx,
      actor: {
        ...{ userId: user.id, isAdmin: person.isAdmin, zone: person.zone },
        asksOnly: admission.kind === 'ask-only',
      },
      place: await placeOf(user),
      admit({ onlyAsks }) {
        if (admission.kind === 'ask-only' && !onlyAsks) throw admission.refusal;
      },
    };
  };
}

const notServed = (message: string): UserError => new UserError({ code: 'not-allowed', message });

import { outgoingMessage } from '../../outbox/outgoing-message.ts';
import type { Action, Feature } from '../feature.ts';
import { withDetails } from '../outsiders.ts';
import type { Pausable, PauseRefused } from '../pausable.ts';
import { actorIn, type WorkCtx } from '../run-context.ts';
import type { WorkspaceServices } from '../services.ts';
import {
  type ChannelNotice,
  channelNotice,
  channelNoticeKind,
  channelNoticeView,
  resumeAllId,
  resumedAllNotice,
} from './channel-notice.ts';
import { createPauser } from './pause.ts';

/** See PauseRefused. */
export const pauseRefused = (
  ...[transaction, refusal, about, { services, registry }]: [...Parameters<PauseRefused>, WorkCtx]
): Promise<void> =>
  createPauser({ ...services, pausables: () => registry.pausables }).pauseRefused(
    transaction,
    refusal,
    about,
  );

/** Pauses things whose messages Slack refuses, and notifies their owners. One button resumes all of them. */
export function createPausing(
  services: WorkspaceServices & { pausables: () => readonly Pausable[] },
): Feature & { pauseRefused: PauseRefused } {
  const { store, now, realNow } = services;
  const { pauseRefused, markUnavailable } = createPauser(services);

  const render = async ({ things, ...place }: ChannelNotice, ctx: WorkCtx) => {
    const thingsByKind = await Promise.all(
      ctx.registry.pausables.map(async ({ noun, effectOfPause, getTitles }) => {
        const thingsOfKind = things.filter(({ what }) => what === noun.singular);
        const titles = (await getTitles?.(thingsOfKind, ctx)) ?? thingsOfKind.map(({ title }) => title);
        return { noun, effectOfPause, titles };
      }),
    );
    return channelNoticeView({ ...place, things: thingsByKind });
  };

  const resumeAll: Action = {
    id: resumeAllId,
    replacesMessage: true,
    async run(channelId, context) {
      const actor = actorIn(context);
      // If the channel is still unavailable, the first `resume` that checks it throws, and nothing is resumed.
      const inOrder = context.registry.pausables.toSorted(
        (a, b) => Number(b.resumeChecksChannel) - Number(a.resumeChecksChannel),
      );
      let count = 0;
      for (const pausable of inOrder) {
        const paused = await pausable.findPaused(store, { ownerId: actor.userId, channelId });
        for (const { id } of paused)
          await pausable.resume(id, actor, context).catch(withDetails({ what: 'paused' }));
        count += paused.length;
      }
      return resumedAllNotice(channelId, count);
    },
  };

  return {
    commands: [],
    actions: [resumeAll],
    outgoing: [
      outgoingMessage(channelNoticeKind, {
        payload: channelNotice,
        operation: 'post',
        isNotice: true,
        open: async (message, _, ctx: WorkCtx) => ({ render: () => render(message, ctx) }),
      }),
    ],
    onChannelGone: (channel) => markUnavailable({ ...channel, now: now(), realNow: new Date(realNow()) }),
    pauseRefused,
  };
}

import { outgoingMessage } from '../../outbox/outgoing-message.ts';
import type { Action, Feature, WorkspaceServices } from '../feature.ts';
import type { Pausable } from '../pausable.ts';
import { actorIn } from '../run-context.ts';
import { type ChannelNotice, channelNotice, channelNoticeKind } from './channel-notice.ts';
import { createPauser, type Pauser } from './pause.ts';
import { channelNoticeView, resumeAllId, resumedAllNotice } from './view.ts';

/** Pauses what can't be posted any more, and notifies its owners; one button resumes all of it. */
export function createPausing(
  services: WorkspaceServices & { parts: () => readonly Pausable[] },
): Feature & Pick<Pauser, 'refused'> {
  const { workspaceId, now, realNow, parts } = services;
  const { refused, markUnavailable } = createPauser(services);

  const render = async ({ things, ...where }: ChannelNotice) => {
    const listed = await Promise.all(
      parts().map(async ({ words, meanwhile, titlesNow }) => {
        const mine = things.filter(({ what }) => what === words.one);
        const titles = (await titlesNow?.(mine)) ?? mine.map(({ title }) => title);
        return { words, meanwhile, titles };
      }),
    );
    return channelNoticeView({ ...where, things: listed });
  };

  const resumeAll: Action = {
    id: resumeAllId,
    replacesMessage: true,
    async run(channelId, context) {
      const actor = actorIn(context);
      // Who looks first whether anything can be posted goes first: nothing is resumed that would be paused again at once.
      const inOrder = [...parts()].sort(
        (one, other) => Number(other.checksChannel) - Number(one.checksChannel),
      );
      let count = 0;
      for (const part of inOrder) count += await part.resumeIn(channelId, actor);
      return resumedAllNotice(channelId, count);
    },
  };

  return {
    commands: [],
    actions: [resumeAll],
    outgoing: [
      outgoingMessage(channelNoticeKind, {
        payload: channelNotice,
        does: 'post',
        isNotice: true,
        open: async (message) => ({ render: () => render(message) }),
      }),
    ],
    onChannelGone: (channel) =>
      markUnavailable({ workspaceId, ...channel, now: now(), realNow: new Date(realNow()) }),
    refused,
  };
}

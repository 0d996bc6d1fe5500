import type { Message } from '../../messages/message.ts';
import type { Actor } from '../../workspaces/permissions.ts';
import type { Action } from '../feature.ts';
import { actorIn } from '../run-context.ts';
import { digestActionIds } from './action-ids.ts';
import type { Digest } from './digest.ts';
import type { DigestService } from './service.ts';
import { digestNotice, removeQuestion } from './views/digest-notice.ts';

type Act = (service: DigestService, id: string, actor: Actor) => Promise<Digest>;

const acts: readonly { id: string; act: Act; what: Parameters<typeof digestNotice>[1] }[] = [
  { id: digestActionIds.run, act: (service, id, actor) => service.runNow(id, actor), what: 'running' },
  { id: digestActionIds.pause, act: (service, id, actor) => service.pause(id, actor), what: 'paused' },
  { id: digestActionIds.resume, act: (service, id, actor) => service.resume(id, actor), what: 'resumed' },
  { id: digestActionIds.remove, act: (service, id, actor) => service.remove(id, actor), what: 'removed' },
];

/** What a click on a button of a digest does, wherever the digest is. The value is the digest's id. */
export function digestActions(service: DigestService): Action[] {
  return [
    ...acts.map(({ id, act, what }) => ({
      id,
      // What was posted stays as it was sent.
      replacesMessage: false,
      run: async (digestId: string, context: Parameters<Action['run']>[1]): Promise<Message> =>
        digestNotice(await act(service, digestId, actorIn(context)), what),
    })),
    {
      id: digestActionIds.askToRemove,
      replacesMessage: false,
      repeatable: true,
      onlyAsks: false,
      async run(digestId, context) {
        const digest = await service.own(digestId, actorIn(context));
        await context.openMessage(removeQuestion(digest), 'digest list mine');
        return undefined;
      },
    },
  ];
}

import { digestActionIds } from '../../messages/action-ids.ts';
import { digestNotice } from '../../messages/frame/notices.ts';
import type { Pressed } from '../../slack/buttons/click.ts';
import type { BoundAction } from '../../slack/dispatch/ask.ts';
import type { Actor } from '../../workspaces/permissions.ts';
import { keptOf } from '../stored.ts';
import type { Digest } from './digest.ts';
import type { DigestService } from './service.ts';

type Act = (service: DigestService, id: string, actor: Actor) => Promise<Digest>;

const acts: Record<string, { act: Act; what: Parameters<typeof digestNotice>[1] }> = {
  [digestActionIds.run]: { act: (service, id, actor) => service.runNow(id, actor), what: 'running' },
  [digestActionIds.pause]: { act: (service, id, actor) => service.pause(id, actor), what: 'paused' },
  [digestActionIds.resume]: { act: (service, id, actor) => service.resume(id, actor), what: 'resumed' },
  [digestActionIds.remove]: { act: (service, id, actor) => service.remove(id, actor), what: 'removed' },
};

/** What a click on a button of a digest does, wherever the digest stands; undefined for any other button. */
export function digestAction({
  actionId,
  line: id,
}: Pick<Pressed, 'actionId' | 'line'>): BoundAction | undefined {
  const known = Object.hasOwn(acts, actionId) ? acts[actionId] : undefined;
  if (!known) return undefined;
  return {
    name: `${actionId} ${id}`,
    async run(context) {
      const { kept, actor } = keptOf(context);
      const digest = await known.act(kept.digests, id, actor);
      const notice = digestNotice(digest, known.what);
      return { view: () => notice };
    },
  };
}

import { digestActionIds } from '../../messages/action-ids.ts';
import { digestNotice } from '../../messages/frame/notices.ts';
import type { Pressed } from '../../slack/buttons/click.ts';
import type { Deed } from '../../slack/dispatch/ask.ts';
import { keptOf } from '../stored.ts';
import type { Digest } from './digest.ts';
import type { DigestActor, DigestDesk } from './service.ts';

type Act = (desk: DigestDesk, id: string, actor: DigestActor) => Promise<Digest>;

const acts: Record<string, { act: Act; what: Parameters<typeof digestNotice>[1] }> = {
  [digestActionIds.run]: { act: (desk, id, actor) => desk.runNow(id, actor), what: 'running' },
  [digestActionIds.pause]: { act: (desk, id, actor) => desk.pause(id, actor), what: 'paused' },
  [digestActionIds.resume]: { act: (desk, id, actor) => desk.resume(id, actor), what: 'resumed' },
  [digestActionIds.remove]: { act: (desk, id, actor) => desk.remove(id, actor), what: 'removed' },
};

/** What a click on a button of a digest does, wherever the digest stands; undefined for any other button. */
export function digestDeed({ actionId, line: id }: Pick<Pressed, 'actionId' | 'line'>): Deed | undefined {
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

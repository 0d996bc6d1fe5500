import type { RunContext } from '../../features/feature.ts';
import type { Reader } from '../../messages/message.ts';

/** Who asked, where nobody else reads the answer: in a modal, on the Home tab. */
export function privateReader({ now, actor, source }: RunContext): Reader {
  return { now: now(), zone: actor.zone ?? 'UTC', source, audience: 'private' };
}

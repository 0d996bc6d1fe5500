import type { Due } from '../../predictions/promises.ts';
import type { Imo } from '../../reference/codes.ts';
import type { Prospect } from '../../reference/prediction.ts';
import type { AskCtx } from '../ctx.ts';
import { type Standing, standingLine, standingOf } from '../rules/index.ts';
import { filterHere } from '../scope.ts';
import { readPromises, type StoredPromise } from './store.ts';

/** A promise, and how the forecast meets it. */
interface Met extends Standing {
  due: Due;
  line: string;
}

/**
 * Those of a vessel: of the typed reference first, then the soonest. They say whose cargo is on it, so outsiders and
 * guests who may only ask see none.
 */
export async function promisesHere(
  { imo, ranked }: { imo: Imo; ranked: readonly Prospect[] },
  ctx: AskCtx,
): Promise<Met[]> {
  const { place, audience, actor, services, reference } = ctx;
  if (place === undefined || audience === 'outside' || actor.asksOnly) return [];
  const now = ctx.now();
  const stored = await readPromises(services.store, {
    imos: [imo],
    after: now,
    scope: await filterHere(ctx),
  });
  const isAsked = ({ due }: StoredPromise) => due.reference !== undefined && due.reference === reference;
  return [...stored.filter(isAsked), ...stored.filter((one) => !isAsked(one))].map(({ due }) => {
    const standing = standingOf(due, { ranked }, now);
    return { due, ...standing, line: standingLine(due, standing, { name: due.reference, now }) };
  });
}

import { StoreUnavailable } from '../../errors.ts';
import type { DueWords } from '../../grammar/due.ts';
import { referenceKey } from '../../grammar/vessel-directory.ts';
import { type Due, openSince } from '../../predictions/promises.ts';
import type { Imo } from '../../reference/codes.ts';
import type { Prospect } from '../../reference/prediction.ts';
import { type AskCtx, DeadlineError, withinDeadline } from '../ctx.ts';
import { resolveDue, type Standing, standingLine, standingOf } from '../rules/index.ts';
import { filterHere } from '../scope.ts';
import { type Memories, readMemories, wasCalledAt } from './memory.ts';
import { readPromises, type StoredPromise } from './store.ts';

/** A promise, or a date that was asked about, and how the forecast meets it. */
export interface Met extends Standing {
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
  const { place, audience, actor, reference } = ctx;
  if (place === undefined || audience === 'outside' || actor.asksOnly) return [];
  const now = ctx.now();
  const { stored, called } = await readHere(imo, ctx);
  const asked = reference === undefined ? undefined : referenceKey(reference);
  const isAsked = ({ due }: StoredPromise) =>
    asked !== undefined && referenceKey(due.reference ?? '') === asked;
  return [...stored.filter(isAsked), ...stored.filter((one) => !isAsked(one))].map(({ due }) => {
    const standing = standingOf(due, { ranked, wasProbablyCalled: wasCalledAt({ imo, due }, called) }, now);
    return {
      due,
      ...standing,
      line: standingLine(due, standing, { name: due.reference, headline: ranked[0]?.port, now }),
    };
  });
}

/** A date that was asked about as if it were promised. Throws UserError for one that has passed. */
export function metBy(
  words: DueWords,
  { ranked, name }: { ranked: readonly Prospect[]; name: string },
  ctx: AskCtx,
): Met {
  const now = ctx.now();
  const due = resolveDue(words, { now });
  const standing = standingOf(due, { ranked }, now);
  return { due, ...standing, line: standingLine(due, standing, { name, now }) };
}

const maxWaitMs = 1_000;

/** None while the store does not answer: questions to the service go on without it. */
async function readHere(imo: Imo, ctx: AskCtx): Promise<{ stored: StoredPromise[]; called: Memories }> {
  const { services, now } = ctx;
  try {
    return await withinDeadline(maxWaitMs, async () => {
      const scope = await filterHere(ctx);
      const after = openSince(now());
      const stored = await readPromises(services.store, { imos: [imo], after, scope });
      return { stored, called: await readMemories(stored.length > 0 ? [imo] : [], scope, ctx) };
    });
  } catch (error) {
    if (!(error instanceof DeadlineError || error instanceof StoreUnavailable)) throw error;
    services.logger.warn({ err: error }, "promises can't be read; the answer leaves them out");
    return { stored: [], called: new Map() };
  }
}

import type { VesselDue } from '../../predictions/promises.ts';
import { type Imo, isImo } from '../../reference/codes.ts';
import type { WorkCtx } from '../ctx.ts';
import { selectFollowed } from '../history/index.ts';
import { type Memory, vesselStates, wasProbablyCalled, watchState } from '../rules/index.ts';
import { matchesScope, type ScopeFilter } from '../scope.ts';

/** What the watches of a vessel remember of it. */
export type Memories = ReadonlyMap<Imo, readonly Memory[]>;

/** The memories of the watches in a scope: those that the reader may list. */
export async function readMemories(
  imos: readonly Imo[],
  scope: ScopeFilter,
  { services: { store } }: Pick<WorkCtx, 'services'>,
): Promise<Memories> {
  if (imos.length === 0) return new Map();
  const rows = await selectFollowed(store)
    .innerJoin(...store.join('watches', 'watches.id', 'followings.watch_id'))
    .select(['subjects.key', 'followings.state'])
    .where('subjects.kind', '=', 'vessel')
    .where('subjects.key', 'in', imos.map(String))
    .where(matchesScope(scope))
    .execute();
  const memories = new Map<Imo, Memory[]>();
  for (const { key, state } of rows) {
    const imo = Number(key);
    if (!isImo(imo)) continue;
    const memory = vesselStates(watchState.nullable().safeParse(state).data)[imo]?.memory;
    if (memory) memories.set(imo, [...(memories.get(imo) ?? []), memory]);
  }
  return memories;
}

/** Whether the vessel has probably called there: its port is no longer predicted, at about its ETA. */
export const wasCalledAt = ({ imo, due }: VesselDue, memories: Memories): boolean =>
  (memories.get(imo) ?? []).some((memory) => wasProbablyCalled(due, memory));

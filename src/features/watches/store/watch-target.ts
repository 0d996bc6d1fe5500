import { type Subject, subjectKey } from '../../history/index.ts';
import type { Watch } from './watch.ts';

/** What a watch is about. `subjects` are those to poll: of a condition its port, or its list. */
export interface WatchTarget extends Pick<Watch, 'fleet' | 'condition'> {
  subjects: readonly Subject[];
}

/** Equal for watches of the same. A fleet is the same whatever its vessels. */
export function targetKey({ fleet, condition, subjects }: WatchTarget): string {
  const vessels =
    condition?.imos?.map((imo) => subjectKey({ kind: 'vessel', imo })) ?? subjects.map(subjectKey);
  const watched = fleet === null ? [...new Set(vessels)].sort() : [`fleet ${fleet}`];
  return JSON.stringify([...watched, ...(condition ? [`at ${condition.port}`] : [])]);
}

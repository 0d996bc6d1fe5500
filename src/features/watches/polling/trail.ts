import type { Locode } from '../../../reference/locode.ts';
import { rankProspects, type Snapshot } from '../evaluation/snapshot.ts';

/** While one port was on top, as polled. */
export interface TrailStretch {
  /** The code that stands for its alias group. */
  port: Locode;
  from: Date;
  /** The first poll with another port on top, or the last poll. */
  to: Date;
  polls: number;
  /** Every ETA that differs from the one before, with when it was first seen. */
  etas: { at: Date; eta: Date }[];
}

/** How the prediction for one vessel moved: which port was on top how long, and how its ETA drifted. Oldest first. */
export function trailOf(history: readonly Extract<Snapshot, { kind: 'vessel' }>[]): TrailStretch[] {
  const stretches: TrailStretch[] = [];
  for (const { at, predictions } of history) {
    const [top] = rankProspects(predictions);
    const last = stretches.at(-1);
    if (last) last.to = at;
    if (!top) continue;
    const current = last?.port === top.port ? last : { port: top.port, from: at, to: at, polls: 0, etas: [] };
    if (current !== last) stretches.push(current);
    current.polls += 1;
    if (top.eta && current.etas.at(-1)?.eta.getTime() !== top.eta.getTime()) {
      current.etas.push({ at, eta: top.eta });
    }
  }
  return stretches;
}

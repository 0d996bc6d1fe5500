import { rankProspects } from '../../analytics/rank-prospects.ts';
import type { Imo } from '../../reference/imo.ts';
import { knownVessel } from '../run-context.ts';
import type { HistorySpell, VesselHistoryAnswer } from './history-view.ts';
import type { NextPortsContext, PolledPredictions } from './services.ts';

const days = 30;
const dayMs = 86_400_000;

/** What was predicted for a watched vessel in the past 30 days: a spell for each port that was on top. */
export async function askHistory(
  imo: Imo,
  asked: { line: string; page: number },
  context: NextPortsContext,
): Promise<VesselHistoryAnswer> {
  const polls = await context.history(imo, new Date(context.now().getTime() - days * dayMs));
  const spells = spellsOf(polls);
  return {
    kind: 'vessel-history',
    ...asked,
    vessel: knownVessel(imo, context.vessels),
    days,
    polls: polls.length,
    ...(polls[0] && { since: polls[0].at }),
    ...(polls.at(-1) && { until: polls.at(-1)?.at }),
    spells,
  };
}

/** A new point of the trail: the ETA has moved by so much, or the probability by so many points. */
const etaStepMs = 3_600_000;
const probabilityStep = 0.1;

/** Oldest first. A spell lasts until the next one begins, the last until the last poll; polls without answer end one. */
function spellsOf(polls: readonly PolledPredictions[]): HistorySpell[] {
  const spells: HistorySpell[] = [];
  for (const { at, predictions } of polls) {
    const [top] = rankProspects(predictions);
    const last = spells.at(-1);
    if (last) last.until = at;
    const port = top?.port ?? null;
    if (!last || last.port !== port) spells.push({ port, from: at, until: at, polls: 0, points: [] });
    const spell = spells.at(-1);
    if (!spell) continue;
    spell.polls += 1;
    const before = spell.points.at(-1);
    if (!top) continue;
    const { eta, probability } = top;
    const moved = before && Math.abs((eta?.getTime() ?? 0) - (before.eta?.getTime() ?? 0)) >= etaStepMs;
    const changed = before && Math.abs(probability - before.probability) >= probabilityStep;
    if (!before || moved || changed) spell.points.push({ at, eta, probability });
  }
  return spells;
}

import { millisecondsInDay } from 'date-fns/constants';
import { changesBetween, thresholds } from '../../predictions/changes.ts';
import { rankProspects } from '../../predictions/ranking.ts';
import { stabilityOf } from '../../predictions/stability.ts';
import type { Imo } from '../../reference/imo.ts';
import type { Locode } from '../../reference/locode.ts';
import type { Prospect } from '../../reference/stored-values.ts';
import { readHistory } from '../history/index.ts';
import { filterHere, scopeHere } from '../owned.ts';
import { knownVessel } from '../run-context.ts';
import { readFinishedCalls } from '../stability/index.ts';
import type { AskCtx } from '../variant.ts';
import { etaChart, type PolledPredictions } from './eta-chart.ts';

export const historyDays = 30;

export type VesselHistory = Awaited<ReturnType<typeof askHistory>>;

/** The predictions of the past 30 days, from the polls of a vessel that is watched here. */
export async function askHistory(imo: Imo, ctx: AskCtx) {
  const from = new Date(ctx.now().getTime() - historyDays * millisecondsInDay);
  const { store } = ctx.services;
  const filter = await filterHere(ctx);
  const [polls, calls] = await Promise.all([
    readHistory(store, { subject: { kind: 'vessel', imo }, from, filter }),
    readFinishedCalls(store, { imos: [imo], filter }),
  ]);
  const [lastCall] = calls;
  const ofThisCall = lastCall ? polls.filter(({ at }) => at >= lastCall.endedAt) : polls;
  return {
    vessel: knownVessel(imo, ctx.vessels),
    isOfChannel: scopeHere(ctx).scope === 'channel',
    since: polls[0]?.at,
    until: polls.at(-1)?.at,
    spells: spellsOf(polls),
    chart: etaChart(ofThisCall),
    stability: stabilityOf(calls),
  };
}

/** A time in which one port was the most probable. */
export interface HistorySpell {
  /** Null if nothing was predicted. */
  port: Locode | null;
  from: Date;
  until: Date;
  /** The first poll, and each poll with a change. */
  points: HistoryPoint[];
}

export interface HistoryPoint {
  at: Date;
  eta: Date | null;
  probability: number;
}

/** Oldest first. A spell lasts until the next one begins; the last spell, until the last poll. */
function spellsOf(polls: readonly PolledPredictions[]): HistorySpell[] {
  const spells: HistorySpell[] = [];
  for (const { at, predictions } of polls) {
    const [top] = rankProspects(predictions);
    const port = top?.port ?? null;
    const last = spells.at(-1);
    if (last) last.until = at;
    const spell = last?.port === port ? last : { port, from: at, until: at, points: [] };
    if (spell !== last) spells.push(spell);
    if (!top) continue;
    const lastPoint = spell.points.at(-1);
    const { eta, probability } = top;
    if (!lastPoint || hasChanged(lastPoint, top, at)) spell.points.push({ at, eta, probability });
  }
  return spells;
}

/** Of the same port. An ETA that is left out counts too. */
function hasChanged(last: HistoryPoint, top: Prospect, at: Date): boolean {
  const before = { at: last.at, ranked: [{ ...last, port: top.port }] };
  const changes = changesBetween(before, { at, ranked: [top] }, thresholds.history);
  return changes.length > 0 || (last.eta !== null && top.eta === null);
}

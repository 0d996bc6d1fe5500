import type { Experiences } from './experience.ts';
import type { Vessel } from './fleet.ts';
import { createRandom, type Random } from './random.ts';
import type { Sea } from './sea.ts';
import { dayMs, hourMs } from './services.ts';
import type { Sighting, Timeline } from './timeline.ts';

/** A candidate next port. `etaMs` is in epoch milliseconds of the domain clock, `probability` from 0 to 1. */
export interface WorldPrediction {
  imo: number;
  port: string;
  etaMs: number;
  probability: number;
}

type Predictor = (vessel: Vessel, atMs: number) => readonly WorldPrediction[];

const maxCandidates = 4;
const typicalWaitMs = 5 * hourMs;

/**
 * Predicts from past calls and the position alone. A port's weight is the product of three factors: how often
 * ships went there from here, how well the track fits, and a slowly drifting bias. Its ETA comes from distance and pace.
 */
export function createPredictor(options: {
  seed: number;
  sea: Sea;
  timeline: Timeline;
  experiences: Experiences;
}): Predictor {
  const { seed, sea, timeline, experiences } = options;
  const random = createRandom(seed);
  return (vessel, atMs) => {
    const sighting = timeline.sighting(vessel, atMs);
    const experience = experiences(vessel.service, atMs);
    const { last, portBefore, underWay } = sighting;
    const shares = experience.nextPorts(portBefore, last.port);
    const candidates = [...shares].map(([port, share]) => {
      const directNm = sea.distanceNm(last.port, port);
      const remainingNm = underWay ? sea.distanceFrom(underWay.position, port) : directNm;
      const detourNm = (underWay?.travelledNm ?? 0) + remainingNm - directNm;
      const progress = underWay ? Math.min(underWay.travelledNm / directNm, 1) : 0;
      const bias = driftingBias({ random, vessel, sighting, port, atMs }) * (1 - 0.8 * progress);
      const score =
        (1 + 0.3 * progress) * Math.log(Math.max(share, 0.015)) + bias - detourNm / (30 + 0.015 * directNm);
      const hoursPerMile = experience.hoursPerMile(last.port, port);
      const stayHours = experience.stayHours(last.port);
      const etaMs = arrivalTime({ sighting, remainingNm, directNm, hoursPerMile, stayHours, atMs });
      return { port, score, etaMs };
    });
    return withWeights(candidates)
      .sort((a, b) => b.weight - a.weight)
      .slice(0, maxCandidates)
      .map(({ port, weight, etaMs }) => ({
        imo: vessel.imo,
        port,
        etaMs,
        probability: 0.985 * weight,
      }))
      .filter(({ probability }, rank) => probability >= (rank < 2 ? 0.002 : 0.01))
      .sort((a, b) => shuffleKey(random, a) - shuffleKey(random, b));
  };
}

/** Adds weights that sum up to 1. Scores are relative to the best, since far off every usual route all are tiny. */
function withWeights<Candidate extends { score: number }>(candidates: readonly Candidate[]) {
  const best = Math.max(...candidates.map(({ score }) => score));
  const total = candidates.reduce((sum, { score }) => sum + Math.exp(score - best), 0);
  return candidates.map((candidate) => ({
    ...candidate,
    weight: Math.exp(candidate.score - best) / total,
  }));
}

/** The service promises no order, so this one is stable, but not by probability. */
const shuffleKey = (random: Random, { imo, port }: WorldPrediction) => random(31, imo, portKey(port));

const portKey = (port: string) => [...port].reduce((key, letter) => key * 37 + letter.charCodeAt(0), 0) | 0;

/** Drifts between -0.9 and 0.9 in steps of 9 hours, separately for each candidate of each call. */
function driftingBias(of: {
  random: Random;
  vessel: Vessel;
  sighting: Sighting;
  port: string;
  atMs: number;
}): number {
  const { random, vessel, sighting, port, atMs } = of;
  const steps = atMs / (9 * hourMs);
  const step = Math.floor(steps);
  const draw = (key: number) => random(30, vessel.index, sighting.last.stop, portKey(port), key);
  const interpolated = draw(step) + (draw(step + 1) - draw(step)) * (steps - step);
  return (interpolated - 0.5) * 1.8;
}

/** The ETA of a ship at anchor no longer changes, so a ship that waits long becomes overdue. */
function arrivalTime(of: {
  sighting: Sighting;
  remainingNm: number;
  directNm: number;
  hoursPerMile: number;
  stayHours: number;
  atMs: number;
}): number {
  const { sighting, remainingNm, directNm, hoursPerMile, stayHours, atMs } = of;
  const { last, underWay } = sighting;
  if (!underWay) {
    const departureMs = Math.max(last.arrivalMs + stayHours * hourMs, atMs + hourMs);
    return departureMs + directNm * hoursPerMile * hourMs;
  }
  if (underWay.waitingSinceMs !== undefined && remainingNm < 1)
    return underWay.waitingSinceMs + typicalWaitMs;
  const sailedHours = (atMs - (last.departureMs ?? atMs)) / hourMs;
  const trust = sailedHours / (sailedHours + 60);
  const ownPace = underWay.travelledNm > 0 ? sailedHours / underWay.travelledNm : hoursPerMile;
  const pace = Math.min(trust * ownPace + (1 - trust) * hoursPerMile, dayMs / hourMs / 120);
  return atMs + Math.max(remainingNm * pace * hourMs, 0.25 * hourMs);
}

import { UnreadableResponseError } from '../../src/analytics/errors.ts';
import { createScaleDetector } from '../../src/analytics/probability-scale.ts';
import { normalisePredictions, readPredictions } from '../../src/analytics/read-records.ts';
import { nextPollColumns } from '../../src/features/polling/call-plan.ts';
import type { Snapshot } from '../../src/features/rules/evaluation/state.ts';
import { silentLogger } from '../../src/log.ts';
import { type Imo, isImo } from '../../src/reference/codes.ts';
import { createWorld } from '../../src/sandbox/world/world.ts';
import { type Ask, chooseVessels, openService, start } from '../sandbox-world.ts';
import { subjectRow } from '../watch-fleet.ts';

// What the sandbox answers about a fleet, polled when the bot would poll it.

export type VesselSnapshot = Extract<Snapshot, { kind: 'vessel' }>;

export interface PolledVessel {
  imo: Imo;
  name: string;
  /** Oldest first. */
  snapshots: readonly VesselSnapshot[];
}

export interface FleetOptions {
  seed: number;
  vessels: number;
  days: number;
}

/** Each vessel is polled alone, as in a watch of a fleet, from the same minute on. */
export async function pollFleet({ seed, vessels, days }: FleetOptions): Promise<PolledVessel[]> {
  const world = createWorld({ seed });
  const takeSnapshot = createReader(openService(world, seed));
  const polled: PolledVessel[] = [];
  for (const { imo, name } of chooseVessels(world, vessels)) {
    if (!isImo(imo)) throw new Error(`${imo} isn't a valid IMO number`);
    polled.push({ imo, name, snapshots: await pollVessel(imo, days, takeSnapshot) });
  }
  return polled;
}

type TakeSnapshot = (imo: Imo, at: Date) => Promise<VesselSnapshot>;

/** By the bot's own schedule, without a budget of calls, as by default. */
async function pollVessel(imo: Imo, days: number, takeSnapshot: TakeSnapshot): Promise<VesselSnapshot[]> {
  const end = new Date(start.getTime() + days * 86_400_000);
  const row = { ...subjectRow({ workspaceId: 'T1', kind: 'vessel', key: String(imo), at: start }) };
  const snapshots: VesselSnapshot[] = [];
  for (let now = start; now < end; ) {
    const snapshot = await takeSnapshot(imo, now);
    snapshots.push(snapshot);
    const schedule = { watches: [], isFollowed: true, now, fixedMinutes: undefined };
    const next = nextPollColumns({ row, snapshot, retryMs: 0, stretch: 1 }, schedule);
    if (!(next.due_at instanceof Date) || next.due_at <= now) throw new Error('no next poll');
    now = next.due_at;
  }
  return snapshots;
}

/** The client's own parser reads what the sandbox says. */
function createReader(ask: Ask): TakeSnapshot {
  const { of: scaleOf } = createScaleDetector({ setting: 'auto', memory: undefined });
  const unreadable = (reason: string) =>
    new UnreadableResponseError({ status: 200, contentType: 'application/json', excerpt: '', reason });
  return async (imo, at) => {
    const json = await ask(`/nextport/vessel/${imo}/predictions`, at);
    const raw = readPredictions({ json, size: 0, unreadable });
    const { predictions, scale } = normalisePredictions(raw, { imo }, { scaleOf, logger: silentLogger });
    return { kind: 'vessel', imo, at, scale, predictions };
  };
}

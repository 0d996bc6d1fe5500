import { setTimeout as wait } from 'node:timers/promises';
import { startChild } from './child.ts';
import { startFlags } from './subject.ts';
import { range } from './watch-fleet.ts';
import { vesselAt, type WorkspaceFleet } from './workspaces-fleet.ts';
import type { BotFigures, BotOptions, BotReady, BotTask, PlannedPolls } from './workspaces-process.ts';
import type { World } from './workspaces-world.ts';

const lookMs = 500;
const tomorrowMs = 24 * 3_600_000;

export type Bot = Awaited<ReturnType<typeof startBot>>;

/** One process of the bot with all workspaces of the store. */
export async function startBot(options: BotOptions) {
  const { ready, pid, ask, stop } = await startChild<BotReady>('workspaces-process.ts', {
    args: [JSON.stringify(options)],
    flags: startFlags,
  });
  const run = (task: BotTask) => ask<BotFigures>(task);
  return {
    url: ready.url,
    pid,
    run,
    plan: (...polls: PlannedPolls[]) => run({ task: 'plan', polls }),
    /** No vessel of the fleets is due before the next plan. */
    postpone: (fleets: readonly WorkspaceFleet[]) => {
      const at = new Date(Date.now() + tomorrowMs);
      return run({ task: 'plan', polls: fleets.map((fleet) => ({ ...fleet, at })) });
    },
    /** Resolves when nothing is due or under way, or after `limitMs`. */
    async untilQuiet(limitMs: number): Promise<BotFigures> {
      const endsAt = performance.now() + limitMs;
      for (;;) {
        await wait(lookMs);
        const figures = await run({ task: 'look' });
        if (figures.subjects + figures.messages === 0 || performance.now() > endsAt) return figures;
      }
    },
    stop,
  };
}

/** Resolves when the wall clock shows `at`. */
export const until = (at: Date): Promise<void> => wait(Math.max(0, at.getTime() - Date.now()));

/** The alerts that are missing, and those that were posted again. */
export function countAlerts(world: World, imos: readonly number[]): { missing: number; repeated: number } {
  const counts = imos.map((imo) => world.alertsOf(imo).length);
  return {
    missing: counts.filter((count) => count === 0).length,
    repeated: counts.reduce((sum, count) => sum + Math.max(0, count - 1), 0),
  };
}

/** One vessel in ten of each workspace: in each stage, others. */
export const changedIn = (stage: number, { first, vessels }: WorkspaceFleet): number[] =>
  range(vessels)
    .filter((index) => index % 10 === stage)
    .map((index) => vesselAt(first + index));

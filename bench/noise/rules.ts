import type { Rules } from '../../src/features/rules/list.ts';
import { chooseRules, watchRules } from '../../src/features/rules/registry.ts';

/** The rules of a watch of a fleet for which no rules were typed. */
export const fleetRules: Rules = watchRules.defaultsFor({ isOneVessel: false });

/** The defaults before alerts were measured: every next port, three countdowns, every fall under 50%. */
export const oldRules: Rules = chooseRules(
  {
    diverted: true,
    nextLeg: true,
    undecided: true,
    etaMoved: { hours: 12, isScaled: false },
    below: 0.5,
    arrivingHours: [72, 48, 24],
    overdueHours: 6,
    lost: true,
    stale: true,
  },
  { only: true },
);

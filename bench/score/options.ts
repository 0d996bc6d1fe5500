import { isDeepStrictEqual, parseArgs } from 'node:util';
import { maxDays, readSeeds, readWhole } from '../options.ts';
import { fleetSize } from '../sandbox-world.ts';

export interface ScoreOptions {
  seeds: readonly number[];
  days: number;
  vessels: number;
  json: boolean;
  /** The figures of such a run are in docs/sandbox.md. */
  isDefault: boolean;
}

const defaults = { seeds: '1-5', days: '56', vessels: String(fleetSize) };

/** Throws an error that says what to type instead. */
export function readOptions(args: readonly string[]): ScoreOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string' },
      /** The same, for one seed. */
      seed: { type: 'string' },
      days: { type: 'string', default: defaults.days },
      vessels: { type: 'string', default: defaults.vessels },
      json: { type: 'boolean', default: false },
    },
  });
  const { seed, seeds, json } = values;
  if (seed !== undefined && seeds !== undefined)
    throw new Error('--seed and --seeds mean the same: write one of them, such as --seeds 1-5.');
  const typed = { seeds: seeds ?? seed ?? defaults.seeds, days: values.days, vessels: values.vessels };
  return {
    seeds: readSeeds(typed.seeds),
    days: readWhole('days', typed.days, maxDays),
    vessels: readWhole('vessels', typed.vessels, fleetSize),
    json,
    isDefault: isDeepStrictEqual(typed, defaults),
  };
}

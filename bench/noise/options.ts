import { parseArgs } from 'node:util';
import { maxDays, readSeeds, readWhole } from '../options.ts';
import { fleetSize } from '../sandbox-world.ts';

export interface NoiseOptions {
  seeds: readonly number[];
  days: number;
  vessels: number;
  explain: boolean;
  markdown: boolean;
  json: boolean;
}

/** Throws an error that says what to type instead. */
export function readOptions(args: readonly string[]): NoiseOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '1-5' },
      days: { type: 'string', default: '28' },
      vessels: { type: 'string', default: '20' },
      explain: { type: 'boolean', default: false },
      markdown: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  return {
    ...values,
    seeds: readSeeds(values.seeds),
    days: readWhole('days', values.days, maxDays),
    vessels: readWhole('vessels', values.vessels, fleetSize),
  };
}

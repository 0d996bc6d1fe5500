import { parseArgs } from 'node:util';
import { fleetSize } from './fleet-polls.ts';

export interface NoiseOptions {
  seeds: readonly number[];
  days: number;
  vessels: number;
  explain: boolean;
  markdown: boolean;
  json: boolean;
}

const maxSeeds = 100;
const maxDays = 365;

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

function readWhole(name: string, text: string, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= max) return value;
  throw new Error(`--${name} ${text}: write a whole number from 1 to ${max}, such as --${name} 7.`);
}

/** `1-5`, `3` or `1,4,7-9` */
function readSeeds(text: string): number[] {
  const seeds = text.split(',').flatMap((part) => {
    const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part.trim()) ?? [];
    const count = Number(last) - Number(first) + 1;
    return count >= 1 && count <= maxSeeds
      ? Array.from({ length: count }, (_, index) => Number(first) + index)
      : [NaN];
  });
  const unique = [...new Set(seeds)];
  if (unique.every(Number.isInteger) && unique.length <= maxSeeds) return unique;
  throw new Error(
    `--seeds ${text}: write up to ${maxSeeds} whole numbers, such as --seeds 1-5 or --seeds 1,3.`,
  );
}

// Options that `npm run noise` and `npm run score` share. Each reader throws an error that says what to type instead.

const maxSeeds = 100;
export const maxDays = 365;

/** A whole number from 1 to `max`. */
export function readWhole(name: string, text: string, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= max) return value;
  throw new Error(`--${name} ${text}: write a whole number from 1 to ${max}, such as --${name} 7.`);
}

/** `1-5`, `3` or `1,4,7-9` */
export function readSeeds(text: string): number[] {
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

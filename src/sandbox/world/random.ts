/** A number in [0, 1) that depends on the seed and the keys alone, not on earlier draws. */
export type Random = (...keys: readonly number[]) => number;

/** Hashes the keys (integers) with the 32-bit mixing steps of murmur3. */
export function createRandom(seed: number): Random {
  return (...keys) => {
    let hash = scramble(seed ^ 0x9e3779b9);
    for (const key of keys) hash = scramble(Math.imul(hash, 31) ^ scramble(key + 0x7f4a7c15));
    return hash / 4_294_967_296;
  };
}

function scramble(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

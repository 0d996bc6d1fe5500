import { editDistance } from './edit-distance.ts';
import { fold } from './fold.ts';
import type { Locode } from './locode.ts';
import { nearest } from './nearest.ts';
import { buildPortIndex, type Port } from './port-index.ts';

export type { Port } from './port-index.ts';

type FoundPorts =
  /** `also`: smaller ports with the same name. */
  | { kind: 'one'; port: Port; also: readonly Port[] }
  /** Ports of similar size: the person has to choose. */
  | { kind: 'several'; ports: readonly Port[] }
  /** No port has that name; the nearest names, best first. */
  | { kind: 'none'; nearest: readonly Port[] };

/** Undefined for an unknown code. */
export function portOf(locode: Locode): Port | undefined {
  return reference().byCode.get(locode);
}

/** The main code of a port that has several (CNSHA for CNSGH and CNSHG); else the code itself. */
export function canonicalPort(locode: Locode): Locode {
  return reference().canonical.get(locode) ?? locode;
}

/** True for two codes of one port. Tanger Med and Tangier are two ports. */
export function samePort(one: Locode, other: Locode): boolean {
  return canonicalPort(one) === canonicalPort(other);
}

/** `Rotterdam (NLRTM)`, or just the code of an unknown port. */
export function portLabel(locode: Locode): string {
  const port = portOf(locode);
  return port ? `${port.name} (${locode})` : locode;
}

/** Every known code, aliases included, sorted by code. */
export function allPorts(): readonly Port[] {
  return reference().ports;
}

/**
 * Ports by name, not by code. Case, accents and spaces don't matter; a country or region may follow (`Rotterdam, US`,
 * `Portland, Maine`). Alias codes count as one port, under its canonical code.
 */
export function findPorts(text: string): FoundPorts {
  const { countries } = reference();
  const folded = fold(text);
  const found = named(folded);
  if (found.length > 0) return choose(found);
  for (const { name, country } of countrySplits(folded)) {
    const code = countries.get(country);
    const there = named(name).filter((port) => port.country === code || fold(port.region ?? '') === country);
    if (there.length > 0) return choose(there);
  }
  return {
    kind: 'none',
    // Lazy: most words that aren't a port are never shown with suggestions.
    get nearest() {
      return nearestPorts(folded);
    },
  };
}

/**
 * True where at most a quarter of the letters differ from a name of that port, or where the text begins such a name.
 * Stricter than `nearest`: it is for words that may not mean a port at all.
 */
export function isCloseTo(locode: Locode, text: string): boolean {
  const typed = fold(text).replaceAll(' ', '');
  const limit = Math.floor(typed.length / 4);
  return reference().names.some(
    ({ key, value }) =>
      value.locode === locode &&
      limit > 0 &&
      (editDistance(typed, key, limit) <= limit || (typed.length > 4 && key.startsWith(typed))),
  );
}

/** True for a port's name with the right word breaks: `La Paz` and `Dover`, but neither `lapaz` nor `do ver`. */
export function isPortName(text: string): boolean {
  return reference().spellings.has(fold(text));
}

/** A constant that is built on first use, so that a start need not wait for it. */
const reference = once(buildPortIndex);

function once<T extends object>(build: () => T): () => T {
  let built: T | undefined;
  return () => {
    built ??= build();
    return built;
  };
}

/** `folded`: as `fold` gives it. */
function named(folded: string): readonly Port[] {
  const { byName } = reference();
  const bare = folded.replace(/^(?:the )?port of /, '');
  return (
    byName.get(folded.replaceAll(' ', '')) ??
    byName.get(bare.replaceAll(' ', '')) ??
    byName.get(bare.replace(/ port$/, '').replaceAll(' ', '')) ??
    []
  );
}

function choose(ports: readonly Port[]): FoundPorts {
  const [first, ...others] = [...ports].sort((one, other) => rankOf(one) - rankOf(other));
  const [second] = others;
  if (!first) return { kind: 'none', nearest: [] };
  const isClear = !second || rankOf(second) - rankOf(first) > similarRank;
  return isClear
    ? { kind: 'one', port: first, also: others }
    : { kind: 'several', ports: [first, ...others] };
}

/** Ports with ranks this close, or both without one, are of similar size. */
const similarRank = 60;

const rankOf = (port: Port): number => reference().rank.get(port.locode) ?? 10_000;

/** Up to three letters are matched as the beginning of a name only. */
function nearestPorts(folded: string): readonly Port[] {
  const typed = folded.replace(/^port of /, '').replaceAll(' ', '');
  const { names } = reference();
  const candidates = typed.length > 3 ? names : names.filter(({ key }) => key.startsWith(typed));
  return nearest(typed, candidates, 3);
}

/** The last one to four words may be a country or a region: `portland us`. */
function countrySplits(folded: string): { name: string; country: string }[] {
  const words = folded.split(' ');
  return [1, 2, 3, 4]
    .filter((count) => count < words.length)
    .map((count) => ({ name: words.slice(0, -count).join(' '), country: words.slice(-count).join(' ') }));
}

import { editDistance } from './edit-distance.ts';
import { fold } from './fold.ts';
import type { Locode } from './locode.ts';
import { nearest } from './nearest.ts';
import { buildPortIndex, type Port } from './port-index.ts';

export type { Port } from './port-index.ts';

type FoundPorts =
  /** `also`: smaller ports of the same name. */
  | { kind: 'one'; port: Port; also: readonly Port[] }
  /** Near-equals: nobody can say which is meant. */
  | { kind: 'several'; ports: readonly Port[] }
  /** No port has that name; the best of similar names first. */
  | { kind: 'none'; nearest: readonly Port[] };

/** Undefined for a code that is unknown here. */
export function portOf(locode: Locode): Port | undefined {
  return reference().byCode.get(locode);
}

/** The one code that stands for a group of codes of one port (CNSHA for CNSGH and CNSHG); else the code itself. */
export function canonicalPort(locode: Locode): Locode {
  return reference().canonical.get(locode) ?? locode;
}

/** True for two codes of one port. Tanger Med and Tangier are two. */
export function samePort(one: Locode, other: Locode): boolean {
  return canonicalPort(one) === canonicalPort(other);
}

/** `Rotterdam (NLRTM)`, or the bare code where it is unknown. */
export function portLabel(locode: Locode): string {
  const port = portOf(locode);
  return port ? `${port.name} (${locode})` : locode;
}

/** Every known code, aliases among them, sorted by code. */
export function allPorts(): readonly Port[] {
  return reference().ports;
}

/**
 * Ports by name, in any spelling of case, accents and spaces, with or without a country or region after it
 * (`Rotterdam, US`, `Portland, Maine`). Not by code. Alias codes count as one port, under its canonical code.
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
    // Looked for only when it is read: most words that are no port are never shown as one.
    get nearest() {
      return nearestPorts(folded);
    },
  };
}

/**
 * True where at most a quarter of the letters keep a text from being a name of that port, or where it begins one:
 * words that nobody said were a port at all have to come closer than `nearest` does.
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

/** True where a port is spelled so, word by word: `La Paz` and `Dover`, but neither `lapaz` nor `do ver`. */
export function isPortName(text: string): boolean {
  return reference().spellings.has(fold(text));
}

/** Built at the first question: a start need not wait for it. A constant in all but the time it is made. */
const reference = once(buildPortIndex);

function once<T extends object>(build: () => T): () => T {
  let built: T | undefined;
  return () => {
    built ??= build();
    return built;
  };
}

/** Ports of a folded name. */
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
  const isClear = !second || rankOf(second) - rankOf(first) > nearEqual;
  return isClear
    ? { kind: 'one', port: first, also: others }
    : { kind: 'several', ports: [first, ...others] };
}

/** Ports this close in rank, or both without one, are near-equals: the person is asked. */
const nearEqual = 60;

const rankOf = (port: Port): number => reference().rank.get(port.locode) ?? 10_000;

/** Three letters are too few to be misspelt: they are only the beginning of a name. */
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

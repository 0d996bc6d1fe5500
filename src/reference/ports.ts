import { editDistance } from './edit-distance.ts';
import { fold, foldTight } from './fold.ts';
import type { Locode } from './locode.ts';
import { nearest } from './nearest.ts';
import { buildPortIndex, type Port } from './port-index.ts';

export type { Port } from './port-index.ts';

type FoundPorts =
  /** `also`: smaller ports with the same name. */
  | { kind: 'one'; port: Port; also: readonly Port[] }
  /** Ports of similar size: the person has to choose. */
  | { kind: 'several'; ports: readonly Port[] }
  | { kind: 'none' };

export const portOf = (locode: Locode): Port | undefined => portIndex().byCode.get(locode);

/** The main code of a port that has several: CNSHA for CNSGH and CNSHG. Other codes are returned unchanged. */
export const canonicalPort = (locode: Locode): Locode => portIndex().canonical.get(locode) ?? locode;

/** True for two codes of one port. Tanger Med and Tangier are two ports. */
export const samePort = (one: Locode, other: Locode): boolean => canonicalPort(one) === canonicalPort(other);

/** For the column of a table: `Rotterdam NLRTM`, or just the code of an unknown port. */
export const portListed = (locode: Locode): string =>
  [portOf(locode)?.name, locode].filter(Boolean).join(' ');

/** `Rotterdam (NLRTM)`, or just the code of an unknown port. */
export function portLabel(locode: Locode): string {
  const port = portOf(locode);
  return port ? `${port.name} (${locode})` : locode;
}

/** `Rotterdam`; with its country where the bare name means another port (`Rotterdam, US`); a code if it is unknown. */
export function portName(locode: Locode): string {
  const name = portOf(locode)?.name;
  if (name === undefined) return locode;
  const found = findPorts(name);
  return found.kind === 'one' && found.port.locode === canonicalPort(locode) ? name : portInCountry(locode);
}

/** `Rotterdam, NL`, `Portland, Maine, US`; the code of an unknown port. */
export function portInCountry(locode: Locode): string {
  const port = portOf(locode);
  return port ? [port.name, port.region, port.country].filter(Boolean).join(', ') : locode;
}

/** Every known code, aliases included, sorted by code. */
export const allPorts = (): readonly Port[] => portIndex().ports;

/**
 * Finds ports by name, not by code. Case, accents and spaces don't matter; a country or region may follow (`Rotterdam,
 * US`, `Portland, Maine`), or another name of the port. A port with several codes is found under its main code.
 */
export function findPorts(text: string): FoundPorts {
  const folded = fold(text);
  const ports = portsNamed(folded);
  if (ports.length > 0) return choose(ports);
  const words = folded.split(' ');
  const inPlace = [1, 2, 3, 4]
    .filter((count) => count < words.length)
    .map((count) => portsIn(words.slice(-count).join(' '), words.slice(0, -count).join(' ')))
    .find(({ length }) => length > 0);
  return choose(inPlace ?? portsNamedTwice(words));
}

/** Up to three ports with similar names, best first. Up to three letters match only as the beginning of a name. */
export function nearestPorts(text: string): readonly Port[] {
  const typed = fold(text)
    .replace(/^port of /, '')
    .replaceAll(' ', '');
  const { names } = portIndex();
  const candidates = typed.length > 3 ? names : names.filter(({ key }) => key.startsWith(typed));
  return nearest(typed, candidates, 3);
}

/**
 * True if at most a quarter of the letters differ from a name of that port, or if the text begins such a name.
 * It is stricter than nearestPorts because the text may not mean a port at all.
 */
export function isCloseTo(locode: Locode, text: string): boolean {
  const typed = foldTight(text);
  const limit = Math.floor(typed.length / 4);
  return portIndex().names.some(
    ({ key, value }) =>
      value.locode === locode &&
      limit > 0 &&
      (editDistance(typed, key, limit) <= limit || (typed.length > 4 && key.startsWith(typed))),
  );
}

/** True for a port's name with its spaces: `La Paz` and `Dover`, but neither `lapaz` nor `do ver`. */
export const isPortName = (text: string): boolean => portIndex().spellings.has(fold(text));

/** Built on first use, to keep the start fast. */
const portIndex = once(buildPortIndex);

function once<T extends object>(build: () => T): () => T {
  let built: T | undefined;
  return () => {
    built ??= build();
    return built;
  };
}

/** The name has passed `fold`. */
function portsNamed(name: string): readonly Port[] {
  const bare = name.replace(/^(?:the )?port of /, '');
  const keys = [name, bare, bare.replace(/ port$/, '')].map((key) => key.replaceAll(' ', ''));
  return keys.map((key) => portIndex().byName.get(key)).find((ports) => ports) ?? [];
}

/** `Rotterdam Maasvlakte`: two names of one port, one after the other. */
function portsNamedTwice(words: readonly string[]): readonly Port[] {
  const both = [1, 2, 3, 4]
    .filter((count) => count < words.length)
    .map((count) => [words.slice(0, count).join(' '), words.slice(count).join(' ')] as const)
    // `DO VER, Dover` is a code and a name.
    .filter(([first, second]) => foldTight(first) !== foldTight(second))
    .map(([first, second]) => portsNamed(first).filter((port) => portsNamed(second).includes(port)));
  return both.find(({ length }) => length > 0) ?? [];
}

/** Ports of that name in a country or a region. Both arguments have passed `fold`. */
function portsIn(place: string, name: string): readonly Port[] {
  const code = portIndex().countries.get(place);
  return portsNamed(name).filter((port) => port.country === code || fold(port.region ?? '') === place);
}

function choose(ports: readonly Port[]): FoundPorts {
  const { rankOf } = portIndex();
  const sorted = ports.toSorted((one, other) => rankOf(one) - rankOf(other));
  const [port, second] = sorted;
  if (!port) return { kind: 'none' };
  const isClear = !second || rankOf(second) - rankOf(port) > maxRankGap;
  return isClear ? { kind: 'one', port, also: sorted.slice(1) } : { kind: 'several', ports: sorted };
}

/** Two ports are of similar size if their ranks differ by at most this, or if neither is a major port. */
const maxRankGap = 60;

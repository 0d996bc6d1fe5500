import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import lookUpZone from '@photostructure/tz-lookup';
import { getCountry } from 'countries-and-timezones';
import { isZone } from '../src/reference/zones.ts';
import { addedPorts, corrections, type PortFact } from './ports-corrections.ts';

/**
 * Writes src/reference/ports.data.ts: the ports of npm `sea-ports` (MIT), corrected and with time zones, so that the
 * bot itself needs none of the three packages. Run: node scripts/ports-data.ts
 */
const target = new URL('../src/reference/ports.data.ts', import.meta.url);

interface SeaPort {
  name: string;
  city?: string;
  province?: string;
  /** Longitude, latitude. */
  coordinates?: [number, number];
  timezone?: string;
  unlocs: string[];
}

export function portsFile(): string {
  const lines = portLines().join('\n');
  return `// Made by scripts/ports-data.ts from npm sea-ports and scripts/ports-corrections.ts. Don't edit.
// Of sea-ports:
${licence()}

/** One line per port: code, country, name, region, latitude, longitude, zone, other names (|), codes of the same port (|). */
export const portLines = \`
${lines}
\`;
`;
}

/** For the test that compares the file with its sources. */
export const currentPortsFile = (): string => readFileSync(target, 'utf8');

/** MIT requires that the licence goes with the data. */
function licence(): string {
  const file = createRequire(import.meta.url).resolve('sea-ports/LICENSE');
  return readFileSync(file, 'utf8')
    .trim()
    .split(/\r?\n/)
    .map((line) => `// ${line}`.trimEnd())
    .join('\n');
}

function portLines(): string[] {
  const seaPorts = readSeaPorts();
  const codes = [...new Set([...Object.keys(seaPorts), ...Object.keys(addedPorts)])].sort();
  const facts = codes.map((code) => describe(code, seaPorts[code]));
  return facts.map((fact) => {
    // A region is needed only for several ports of one name in a country.
    const shared = facts.some(
      ({ code, country, name, same }) =>
        code !== fact.code && country === fact.country && name === fact.name && !same.includes(fact.code),
    );
    const place = fact.place ? [fact.place[0].toFixed(2), fact.place[1].toFixed(2)] : ['', ''];
    const names = fact.names.filter((name) => name !== fact.name);
    return [
      fact.code,
      fact.country,
      fact.name,
      shared ? fact.region : '',
      ...place,
      zoneOf(fact) ?? '',
      [...new Set(names)].join('|'),
      fact.same.join('|'),
    ].join('\t');
  });
}

interface DescribedPort {
  code: string;
  country: string;
  name: string;
  region: string;
  /** Latitude, longitude. */
  place: readonly [number, number] | undefined;
  zone: string | undefined;
  /** The source's zone, used only to choose between equivalent names. */
  saidZone: string | undefined;
  names: readonly string[];
  same: readonly string[];
}

function describe(code: string, source: SeaPort | undefined): DescribedPort {
  const fact: PortFact = { ...addedPorts[code], ...corrections[code] };
  const read = source ? readName(source) : { name: code, names: [] };
  const [longitude, latitude] = source?.coordinates ?? [];
  const place =
    fact.place ??
    (latitude === undefined || longitude === undefined ? undefined : ([latitude, longitude] as const));
  return {
    code,
    country: fact.country ?? code.slice(0, 2),
    name: fact.name ?? read.name,
    region: source?.province ?? '',
    place,
    zone: fact.zone,
    saidZone: source?.timezone,
    names: [...(fact.name ? [read.name] : []), ...read.names, ...(fact.names ?? [])].filter(
      (name) => name !== code,
    ),
    same: fact.same ?? (source?.unlocs ?? []).filter((other) => other !== code),
  };
}

/** `Gent (Ghent)`, `Chennai (ex Madras)`, `Jakarta, Java`, `Yantian Port`, `Leixoes` of the city `Leixões`. */
function readName({ name, city }: SeaPort): { name: string; names: string[] } {
  const names: string[] = [];
  let plain = name.replace(/\s*\((?:ex )?([^)]*)\)/, (_, other: string) => {
    names.push(...other.split('/'));
    return '';
  });
  plain = plain
    .replace(/[,/].*$/, '')
    .replace(/(?<=\S)\s+(?:Port|Apt)\s*$/, '')
    .trim();
  if (city && city !== plain && unaccented(city) === unaccented(plain)) {
    names.push(plain);
    plain = city;
  }
  return { name: plain, names };
}

const unaccented = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * One of the country's zones if they all share one offset, else the zone at the coordinates, unless that is in another
 * country. (Coordinates alone put Tanger Med in Madrid.)
 */
function zoneOf({ country, place, zone, saidZone }: DescribedPort): string | undefined {
  if (zone) return zone;
  // The package types codes as a union of literals, but returns null for others.
  const zones: readonly string[] = getCountry(country as Parameters<typeof getCountry>[0])?.timezones ?? [];
  const here = place ? lookUpZone(place[0], place[1]) : undefined;
  const offsets = new Set(zones.map(offsetsOf));
  const found = offsets.size === 1 ? (zones.find((name) => name === here) ?? zones[0]) : here;
  if (!found || !zones.includes(found)) return undefined;
  // Prefers the source's own name: both packages replace Amsterdam by Brussels.
  return saidZone && isZone(saidZone) && offsetsOf(saidZone) === offsetsOf(found) ? saidZone : found;
}

function offsetsOf(zone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    timeZoneName: 'longOffset',
    hour: 'numeric',
  });
  return [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)].map((time) => format.format(time)).join();
}

function readSeaPorts(): Record<string, SeaPort> {
  // sea-ports is plain JSON without types; its shape is the one above (read in its README and data).
  const { JSON: ports } = createRequire(import.meta.url)('sea-ports') as { JSON: Record<string, SeaPort> };
  return ports;
}

if (import.meta.main) writeFileSync(target, portsFile());

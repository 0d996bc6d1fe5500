import { fold } from './fold.ts';
import type { Locode } from './locode.ts';
import { majorPorts } from './major-ports.ts';
import type { Named } from './nearest.ts';
import { portLines } from './ports.data.ts';

export interface Port {
  locode: Locode;
  name: string;
  /** ISO 3166 alpha-2. */
  country: string;
  countryName: string;
  /** Given only where another port of the country has the same name: `Oregon`. */
  region?: string;
  /** Degrees; both or none. */
  latitude?: number;
  longitude?: number;
  /** IANA name. */
  zone?: string;
}

interface PortIndex {
  ports: readonly Port[];
  byCode: ReadonlyMap<string, Port>;
  /** Codes that are led by another one of the same port. */
  canonical: ReadonlyMap<string, Locode>;
  /** By names folded without spaces. */
  byName: ReadonlyMap<string, readonly Port[]>;
  /** The largest ports first. */
  names: readonly Named<Port>[];
  /** Names folded with their spaces. */
  spellings: ReadonlySet<string>;
  /** 0 for the largest; left out for those that are not ranked. */
  rank: ReadonlyMap<string, number>;
  /** Folded names and codes of countries to codes. */
  countries: ReadonlyMap<string, string>;
}

/** Reads the file of ports; takes some milliseconds and a megabyte. */
export function buildPortIndex(): PortIndex {
  const rank = new Map(majorPorts.map((code, index) => [code, index]));
  const rankOf = ({ locode }: Port): number => rank.get(locode) ?? majorPorts.length;
  const countryNames = new Intl.DisplayNames('en', { type: 'region' });
  const rows = portLines
    .trim()
    .split('\n')
    .map((line) => readLine(line, countryNames));
  const byCode = new Map(rows.map(({ port }) => [port.locode, port]));
  const leaders = rows.map((row) => [row.port.locode, leaderOf(row, rank)] as const);
  const canonical = new Map(leaders.filter(([code, leader]) => code !== leader));
  const named = rows.flatMap(({ port, otherNames }) => {
    const shown = byCode.get(canonical.get(port.locode) ?? port.locode) ?? port;
    return [port.name, ...otherNames].map((name) => ({ name: fold(name), port: shown }));
  });
  const { byName, names } = indexNames(named);
  return {
    ports: rows.map(({ port }) => port),
    byCode,
    canonical,
    byName,
    names: names.toSorted((one, other) => rankOf(one.value) - rankOf(other.value)),
    spellings: new Set(named.map(({ name }) => name)),
    rank,
    countries: countriesOf(rows),
  };
}

interface NamedPort {
  /** Folded. */
  name: string;
  port: Port;
}

/** `Port Klang` is found as `Klang` too, but `Dover` is Dover and not Port Dover. */
function indexNames(named: readonly NamedPort[]): Pick<PortIndex, 'byName' | 'names'> {
  const byName = new Map<string, Port[]>();
  const names: Named<Port>[] = [];
  const add = (key: string, port: Port): void => {
    const there = byName.get(key) ?? [];
    if (there.includes(port)) return;
    byName.set(key, [...there, port]);
    names.push({ key, value: port });
  };
  for (const { name, port } of named) add(name.replaceAll(' ', ''), port);
  const full = new Set(byName.keys());
  for (const { name, port } of named) {
    const short = name.replace(/^port (?:of )?| port$/g, '').replaceAll(' ', '');
    if (short.length >= 4 && !full.has(short)) add(short, port);
  }
  return { byName, names };
}

interface Row {
  port: Port;
  otherNames: readonly string[];
  same: readonly Locode[];
}

function readLine(line: string, countryNames: Intl.DisplayNames): Row {
  const [code = '', country = '', name = '', region, latitude, longitude, zone, others, same] =
    line.split('\t');
  return {
    port: {
      // Every code of the data is held against isLocode by a test.
      locode: code as Locode,
      name,
      country,
      countryName: countryNames.of(country) ?? country,
      ...(region && { region }),
      ...(latitude && longitude && { latitude: Number(latitude), longitude: Number(longitude) }),
      ...(zone && { zone }),
    },
    otherNames: others ? others.split('|') : [],
    // As above.
    same: (same ? same.split('|') : []) as Locode[],
  };
}

/** Of the codes of one port the one that is ranked, else the first. */
function leaderOf({ port, same }: Row, rank: ReadonlyMap<string, number>): Locode {
  const codes = [port.locode, ...same].sort();
  return codes.find((code) => rank.has(code)) ?? codes[0] ?? port.locode;
}

function countriesOf(rows: readonly Row[]): Map<string, string> {
  const countries = new Map([
    ['usa', 'US'],
    ['uk', 'GB'],
    ['england', 'GB'],
    ['holland', 'NL'],
    ['uae', 'AE'],
    ['korea', 'KR'],
  ]);
  for (const { port } of rows) {
    countries.set(port.country.toLowerCase(), port.country);
    countries.set(fold(port.countryName), port.country);
  }
  return countries;
}

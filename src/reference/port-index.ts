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
  /** Only if the country has several ports of that name: `Oregon`. */
  region?: string;
  /** Degrees; both or none. */
  latitude?: number;
  longitude?: number;
  /** IANA name. */
  zone?: string;
}

/** Takes some milliseconds and a megabyte of memory. */
export function buildPortIndex() {
  const rank = new Map<string, number>(majorPorts.map((code, index) => [code, index]));
  const rankOf = ({ locode }: Port): number => rank.get(locode) ?? 10_000;
  const countryNames = new Intl.DisplayNames('en', { type: 'region' });
  const rows = portLines
    .trim()
    .split('\n')
    .map((line) => readLine(line, countryNames));
  const byCode = new Map(rows.map(({ port }) => [port.locode, port]));
  const canonical = new Map(rows.map((row) => [row.port.locode, canonicalOf(row, rank)]));
  const named = rows.flatMap(({ port, otherNames }) => {
    const mainPort = byCode.get(canonical.get(port.locode) ?? port.locode) ?? port;
    return [port.name, ...otherNames].map((name) => ({ name: fold(name), port: mainPort }));
  });
  const { byName, names } = indexNames(named);
  return {
    ports: rows.map(({ port }) => port),
    byCode,
    /** From every code to the main code of the same port. */
    canonical,
    /** The keys are results of `foldTight`. */
    byName,
    /** The largest ports first. */
    names: names.toSorted((one, other) => rankOf(one.value) - rankOf(other.value)),
    /** All names, after `fold`. */
    spellings: new Set(named.map(({ name }) => name)),
    /** 0 for the largest. */
    rankOf,
    /** From folded country names and codes to codes. */
    countries: countriesOf(rows),
  };
}

/** `Port Klang` is found as `Klang` too, but `Dover` is Dover and not Port Dover. Takes folded names. */
function indexNames(named: readonly { name: string; port: Port }[]) {
  const byName = new Map<string, Port[]>();
  const names: Named<Port>[] = [];
  const add = (key: string, port: Port): void => {
    const namesakes = byName.get(key) ?? [];
    if (namesakes.includes(port)) return;
    byName.set(key, [...namesakes, port]);
    names.push({ key, value: port });
  };
  for (const { name, port } of named) add(name.replaceAll(' ', ''), port);
  const fullNames = new Set(byName.keys());
  for (const { name, port } of named) {
    const short = name.replace(/^port (?:of )?| port$/g, '').replaceAll(' ', '');
    if (short.length >= 4 && !fullNames.has(short)) add(short, port);
  }
  return { byName, names };
}

interface Row {
  port: Port;
  otherNames: readonly string[];
  aliases: readonly Locode[];
}

function readLine(line: string, countryNames: Intl.DisplayNames): Row {
  const [code = '', country = '', name = '', region, latitude, longitude, zone, otherNames, aliases] =
    line.split('\t');
  return {
    port: {
      // A test checks every code of the data with isLocode.
      locode: code as Locode,
      name,
      country,
      countryName: countryNames.of(country) ?? country,
      ...(region && { region }),
      ...(latitude && longitude && { latitude: Number(latitude), longitude: Number(longitude) }),
      ...(zone && { zone }),
    },
    otherNames: otherNames ? otherNames.split('|') : [],
    // The same test checks these.
    aliases: (aliases ? aliases.split('|') : []) as Locode[],
  };
}

/** The code in the list of major ports, else the first in the alphabet. */
function canonicalOf({ port, aliases }: Row, rank: ReadonlyMap<string, number>): Locode {
  const codes = [port.locode, ...aliases].sort();
  return codes.find((code) => rank.has(code)) ?? codes[0] ?? port.locode;
}

/** Common names that differ from those of `Intl`. */
const countryAliases = { usa: 'US', uk: 'GB', england: 'GB', holland: 'NL', uae: 'AE', korea: 'KR' };

function countriesOf(rows: readonly Row[]): Map<string, string> {
  return new Map([
    ...Object.entries(countryAliases),
    ...rows.map(({ port }) => [port.country.toLowerCase(), port.country] as const),
    ...rows.map(({ port }) => [fold(port.countryName), port.country] as const),
  ]);
}

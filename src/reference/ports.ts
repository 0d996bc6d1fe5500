import { LRUCache } from 'lru-cache';
import { groupName, isPortGroup, type Locode, type PortOrGroup } from './codes.ts';
import { editDistance, fold, foldTight, isMisspelt, meantBy, type Named, nearest } from './nearest.ts';
import { portLines } from './ports.data.ts';

type FoundPorts =
  | { kind: 'one'; port: Port }
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

/** `Rotterdam (NLRTM)`, or just the code of an unknown port; the name of a group. */
export function portLabel(locode: PortOrGroup): string {
  if (isPortGroup(locode)) return groupName(locode);
  const port = portOf(locode);
  return port ? `${port.name} (${locode})` : locode;
}

/**
 * `Rotterdam`; with its country where the bare name means another port (`Rotterdam, US`), or is taken for one (`Newcastle,
 * Australia`); a code if it is unknown; the name of a group.
 */
export const portName = (locode: PortOrGroup): string =>
  isPortGroup(locode) ? groupName(locode) : (shortNames().get(locode) ?? locode);

/** Any word of five letters has the shape of a UN/LOCODE. Of a group, only its workspace knows whether there is one. */
export const isKnownPort = (port: PortOrGroup): boolean => isPortGroup(port) || portOf(port) !== undefined;

/** An answer shows a dozen, and finding out which port a bare name means takes longer than the rest of one. */
const shortNames = once(() => new Map(allPorts().map((port) => [port.locode, shortNameOf(port)])));

function shortNameOf({ name, locode, countryName }: Port): string {
  if (confusedWith(locode) !== undefined) return `${name}, ${countryName}`;
  const found = findPorts(name);
  return found.kind === 'one' && found.port.locode === canonicalPort(locode) ? name : portInCountry(locode);
}

/** The other port that people really mean by that port's name, by our own judgement. Rotterdam, US has no container ships. */
export const confusedWith = (locode: Locode): Locode | undefined =>
  confusedPorts.find(([port]) => port === canonicalPort(locode))?.[1];

const confusedPorts = [
  ['AUNTL', 'GBNCL'],
  ['BRRIG', 'ARRGA'],
  ['BSFPO', 'USFPO'],
  ['COCTG', 'ESCAR'],
  ['INCOK', 'JPKCZ'],
] as unknown as readonly (readonly [Locode, Locode])[]; // a test checks that the data has them

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
export const findPorts = (text: string): FoundPorts => portsFound.memo(fold(text));

const portsFound = new LRUCache<string, FoundPorts>({ max: 5_000, memoMethod: portsOf });

function portsOf(folded: string): FoundPorts {
  const ports = portsNamed(folded);
  if (ports.length > 0) return choose(ports);
  const words = folded.split(' ');
  const inPlace = [1, 2, 3, 4, 5]
    .filter((count) => count < words.length)
    .map((count) => portsIn(words.slice(-count).join(' '), words.slice(0, -count).join(' ')))
    .find(({ length }) => length > 0);
  return choose(inPlace ?? portsNamedTwice(words));
}

/**
 * The port that a misspelt name means; undefined if it may mean several, or none. A name means the larger of its ports. People
 * rarely mistype its first letter.
 */
export function misspeltPort(text: string): Port | undefined {
  const { byInitial, byName, countries } = portIndex();
  // China isn't Chiba, and a vessel at anchor isn't at Anchorage.
  if (countries.has(fold(text)) || ['anchor', 'next port', 'nxt port'].includes(fold(text))) return undefined;
  const portOfName = (key: string): Port | undefined => {
    const found = choose(byName.get(key) ?? []);
    return found.kind === 'one' ? found.port : undefined;
  };
  const typed = foldTight(text);
  // `Yokohama 今週` says more than the name.
  if (/[^\P{L}\p{Script=Latin}]/u.test(typed)) return undefined;
  const near = (byInitial.get(typed[0] ?? '') ?? []).filter(({ key }) => isMisspelt(typed, key));
  return meantBy(
    typed,
    near.map(({ key }) => ({ key, value: portOfName(key) })),
  );
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
  const keys = [name, bare, bare.replace(/ port$/, ''), bare.replace(/^port /, '')].map((key) =>
    key.replaceAll(' ', ''),
  );
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

/** Ports of that name in a country, a region, or both (`oregon us`). Both arguments have passed `fold`. */
function portsIn(place: string, name: string): readonly Port[] {
  const { countries } = portIndex();
  return portsNamed(name).filter(({ country, region = '' }) => {
    const inRegion = fold(region);
    const isRegion = inRegion !== '' && `${place} `.startsWith(`${inRegion} `);
    const rest = isRegion ? place.slice(inRegion.length + 1) : place;
    return rest === '' || countries.get(rest) === country;
  });
}

function choose(ports: readonly Port[]): FoundPorts {
  const { rankOf } = portIndex();
  const sorted = ports.toSorted((one, other) => rankOf(one) - rankOf(other));
  const [port, second] = sorted;
  if (!port) return { kind: 'none' };
  const isClear = !second || rankOf(second) - rankOf(port) > maxRankGap;
  return isClear ? { kind: 'one', port } : { kind: 'several', ports: sorted };
}

/** Two ports are of similar size if their ranks differ by at most this, or if neither is a major port. */
const maxRankGap = 60;

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
function buildPortIndex() {
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
    byInitial: Map.groupBy(names, ({ key }) => key[0] ?? ''),
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
    // Le Havre's Port 2000 isn't every 2,000.
    if (short.length >= 4 && /\p{L}/u.test(short) && !fullNames.has(short)) add(short, port);
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

/**
 * The world's larger container and general ports, roughly by size, chosen by our own judgement. If several ports
 * have the same or a similar name, the one listed here comes first.
 */
export const majorPorts: readonly string[] = `
CNSHA SGSIN CNNGB CNTAO CNYTN CNNSA KRPUS CNTXG HKHKG NLRTM AEJEA BEANR MYPKG CNXAM MYTPP TWKHH USLAX USLGB
DEHAM MAPTM USNYC THLCH LKCMB IDTPP VNSGN INMUN INNSA GRPIR ESVLC ESALG PHMNL CNDLC VNHPH VNTOT SAJED SAKAC
CNSHK CNLYG CNCAN CNFOC CNRZH JPTYO JPYOK JPUKB JPNGO JPOSA KRINC KRKAN TWTXG TWKEL BDCGP PKKHI PKBQM INMAA
USSAV USORF USHOU USOAK USSEA USTIW USCHS USBAL USMIA USPEF USJAX USPHL USMSY USMOB USBOS USEWR CAVAN CAPRR
CAMTR CAHAL MXZLO MXLZC MXVER MXATM PABLB PACTB PAMIT PAONX COCTG COBUN ECGYE PECLL CLSAI CLVAP BRSSZ BRPNG
BRITJ BRNVT BRIOA BRRIG BRRIO BRSUA BRPEC ARBUE UYMVD JMKIN DOCAU BSFPO TTPOS PRSJU CRLIO CRMOB GTPRQ HNPCR
DEBRV DEWVN GBFXT GBSOU GBLGP GBLON GBLIV GBTIL GBIMM GBTEE IEDUB BEZEE NLAMS FRLEH FRFOS FRMRS FRDKK ESBCN ESBIO
ESLPA PTSIE PTLIS PTLEI ITGIT ITGOA ITSPE ITTRS ITLIV ITNAP ITVCE ITSAL MTMAR TRAMB TRIST TRMER TRIZM TRALI
PLGDN PLGDY SEGOT DKAAR DKCPH NOOSL FIHEL FIKTK EETLL LVRIX LTKLJ RULED RUNVS RUVVO UAODS ROCND BGVAR GEPTI
EGPSD EGDAM EGALY EGSOK ILHFA ILASH LBBEY CYLMS LYTIP LBKYE TNRDS DZALG MACAS SNDKR CIABJ CISPY GHTEM TGLFW BJCOO NGLOS
NGAPP NGTIN NGONN CMDLA CMKBI GALBV CGPNR AOLAD NAWVB ZACPT ZADUR ZAPLZ ZAZBA MZMPM MZBEW TZDAR KEMBA DJJIB
SDPZU MUPLU REPDG MGTMM OMSLL OMSOH AEKLF AEAUH AEDXB SADMM QAHMD KWSWK BHKBS IQUQR IRBND JOAQJ YEADE INCOK
INTUT INCCU INVTZ INPAV INHZA INBOM MMRGN KHKOS VNDAD VNVUT THBKK MYPEN GYGEO IDJKT IDSUB IDBLW PHCEB BNMUA AUMEL AUSYD
AUBNE AUFRE AUADL AUNTL NZAKL NZTRG NZLYT NZWLG PGLAE FJSUV NCNOU PFPPT GUGUM USHNL
`
  .trim()
  .split(/\s+/);

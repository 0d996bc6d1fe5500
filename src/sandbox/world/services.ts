import { createRandom } from './random.ts';
import type { Sea } from './sea.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
export const weekMs = 7 * dayMs;

/** A call of the long-term schedule. Its times are milliseconds from the start of a round voyage. */
export interface Stop {
  port: string;
  /** The port to which the ship is sometimes diverted. */
  alternate: string | undefined;
  /** True if the ship sometimes makes the next call before this one. */
  maySwap: boolean;
  arriveMs: number;
  departMs: number;
}

/** A weekly liner service: one ship for each week of a round voyage. */
export interface LinerService {
  index: number;
  name: string;
  stops: readonly Stop[];
  cycleMs: number;
  ships: number;
  /** SCACs of the carriers, to which its ships belong in turn. */
  carriers: readonly string[];
  /** The time when ship 0 begins voyage 0, in epoch milliseconds. */
  epochMs: number;
  scheduleKnots: number;
}

interface Spec {
  name: string;
  carriers: string;
  /** Ports in order. `A/B`: port A, or sometimes B. `A*`: sometimes the next call is made before A. */
  rotation: string;
  stayHours?: number;
}

/** Invented services between real ports; only TEMA has a real rotation. */
const specs: readonly Spec[] = [
  {
    name: 'LION',
    carriers: 'MSCU',
    rotation: 'SGSIN CNXAM CNSHA CNNGB/CNSHA CNYTN SGSIN/MYTPP NLRTM/BEANR* DEHAM/DEBRV BEANR GBFXT/GBLGP',
  },
  {
    name: 'TEMA',
    carriers: 'MSCU',
    rotation: 'SGSIN CNSHA* CNNGB CNYTN/CNSHK SGSIN GHTEM/CIABJ GBSOU/GBFXT* NLRTM/BEANR DEWVN/DEBRV',
  },
  {
    name: 'TWIN STAR',
    carriers: 'MAEU HLCU',
    rotation: 'MYTPP/SGSIN SGSIN CNXAM CNNGB* CNSHA CNYTN MYTPP NLRTM/DEBRV* DEHAM GBFXT/GBLGP MAPTM/ESALG',
  },
  {
    name: 'OCEAN 4',
    carriers: 'EGLV CMDU COSU OOLU',
    rotation: 'SGSIN CNXAM/CNYTN CNTAO CNNGB CNSHA CNYTN SGSIN/MYPKG FRLEH* NLRTM/BEANR DEHAM/DEBRV BEANR',
  },
  {
    name: 'MIDDLE SEA',
    carriers: 'ONEY HDMU YMLU',
    rotation: 'SGSIN CNXAM KRPUS CNSHA* CNNGB CNYTN SGSIN EGPSD GRPIR/MTMAR* ITGOA FRFOS/ESBCN ESVLC/ESBCN',
  },
  {
    name: 'GOLDEN GATE',
    carriers: 'CMDU COSU OOLU',
    rotation: 'CNXAM CNYTN CNNGB* CNSHA USLAX/USLGB* USOAK',
  },
  {
    name: 'SUNRISE',
    carriers: 'ONEY HDMU',
    rotation: 'JPTYO/JPYOK JPUKB KRPUS/CNSHA USLGB/USLAX USSEA* CAVAN',
  },
  {
    name: 'MAGNOLIA',
    carriers: 'MAEU ZIMU',
    rotation: 'CNYTN CNNGB* CNSHA KRPUS PAONX USSAV/USCHS* USCHS USNYC/USORF',
  },
  {
    name: 'NORTH ATLANTIC',
    carriers: 'MAEU HLCU MSCU',
    rotation: 'DEHAM NLRTM/BEANR* BEANR GBSOU/FRLEH USNYC/USORF* USORF USSAV/USCHS USHOU',
  },
  {
    name: 'SUBCONTINENT',
    carriers: 'HLCU CMDU',
    rotation: 'INMUN/PKKHI INNSA LKCMB SAJED GBLGP/GBFXT* NLRTM/BEANR DEHAM/DEBRV* BEANR FRLEH',
  },
  {
    name: 'STRAITS',
    carriers: 'MAEU PCIU WHLC',
    rotation: 'SGSIN/MYTPP CNXAM CNSHK* HKHKG VNHPH THLCH VNVUT IDJKT MYPKG',
  },
  {
    name: 'PEARL',
    carriers: 'ONEY YMLU WHLC',
    rotation: 'JPTYO JPYOK* JPNGO JPUKB TWKHH* HKHKG SGSIN/MYPKG THLCH PHMNL CNXAM',
  },
  {
    name: 'SOUTHERN CROSS',
    carriers: 'MSCU CMDU PCIU',
    rotation: 'HKHKG SGSIN ZADUR/ZACPT BRSSZ* BRPNG UYMVD/ARBUE* ARBUE ZACPT SGSIN CNXAM CNNGB CNSHA',
  },
  {
    name: 'BALTIC LOOP',
    carriers: 'MAEU',
    rotation: 'NLRTM DEHAM/DEBRV* DEBRV DKAAR PLGDN* LTKLJ SEGOT/DKAAR',
    stayHours: 18,
  },
  {
    name: 'GULF OF FINLAND',
    carriers: 'CMDU',
    rotation: 'DEBRV/DEHAM NLRTM* BEANR LVRIX EETLL* FIHEL',
    stayHours: 18,
  },
  {
    name: 'ADRIA',
    carriers: 'ARKU',
    rotation: 'MTMAR GRPIR* ITTRS SIKOP* HRRJK ITGIT',
    stayHours: 18,
  },
];

export const usualStayHours = 26;

const firstMondayMs = Date.UTC(2024, 0, 1);
const targetKnots = 16;

export function createServices({ seed, sea }: { seed: number; sea: Sea }): readonly LinerService[] {
  const random = createRandom(seed);
  return specs.map((spec, index) => toService({ spec, index, sea, shift: random(1, index) }));
}

/** The round voyage begins after its longest leg, on which a late ship can catch up. */
function toService(from: { spec: Spec; index: number; sea: Sea; shift: number }): LinerService {
  const { spec, index, sea, shift } = from;
  const calls = spec.rotation.split(' ').map(parseCall);
  const milesTo = (at: number) => sea.distanceNm(calls.at(at - 1)?.port ?? '', calls[at]?.port ?? '');
  const longest = calls.reduce((best, _, at) => (milesTo(at) > milesTo(best) ? at : best), 0);
  const ordered = [...calls.slice(longest), ...calls.slice(0, longest)];
  const legs = ordered.map(({ port }, at) =>
    sea.distanceNm(port, ordered[(at + 1) % ordered.length]?.port ?? ''),
  );

  const stayMs = (spec.stayHours ?? usualStayHours) * hourMs;
  const miles = legs.reduce((sum, leg) => sum + leg, 0);
  const ships = Math.ceil(((miles / targetKnots) * hourMs + ordered.length * stayMs) / weekMs);
  const cycleMs = ships * weekMs;
  const scheduleKnots = miles / ((cycleMs - ordered.length * stayMs) / hourMs);
  let elapsedMs = 0;
  const stops = ordered.map((call, at) => {
    const arriveMs = elapsedMs;
    elapsedMs += stayMs + ((legs[at] ?? 0) / scheduleKnots) * hourMs;
    return { ...call, arriveMs: wholeHours(arriveMs), departMs: wholeHours(arriveMs + stayMs) };
  });
  return {
    index,
    name: spec.name,
    stops,
    cycleMs,
    ships,
    carriers: spec.carriers.split(' '),
    epochMs: firstMondayMs + wholeHours(shift * weekMs),
    scheduleKnots,
  };
}

function parseCall(text: string): Pick<Stop, 'port' | 'alternate' | 'maySwap'> {
  const [port = '', alternate] = text.replace('*', '').split('/');
  return { port, alternate, maySwap: text.endsWith('*') };
}

const wholeHours = (ms: number) => Math.round(ms / hourMs) * hourMs;

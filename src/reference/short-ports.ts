import { isLocode, type Locode } from './codes.ts';
import { foldTight } from './nearest.ts';
import { isPlainWord } from './plain-words.ts';
import { majorPorts, portOf } from './ports.ts';

/**
 * The port of a short form that people use where two ports stand together: `SIN-HAM`, `sha/rtm`, `Shanghai-LA`. Elsewhere
 * such letters may be any word. The end of a major port's code, if no other major port has it, or another usual form.
 */
export function shortPort(text: string): Locode | undefined {
  const typed = text.toUpperCase();
  if (!/^[A-Z]{2,4}$/.test(typed)) return undefined;
  shortForms ??= new Map([...beginnings(), ...endings(), ...Object.entries(otherForms)]);
  // All are codes of major ports; a test looks them up.
  return shortForms.get(typed) as Locode | undefined;
}

let shortForms: ReadonlyMap<string, string> | undefined;

/** `balt` of Baltimore: four letters that begin the name of one, unless they are a word. */
function beginnings(): [string, string][] {
  const byBeginning = Map.groupBy(majorPorts, (code) => {
    const port = isLocode(code) ? portOf(code) : undefined;
    return foldTight(port?.name ?? '').slice(0, 4);
  });
  return [...byBeginning].flatMap(([beginning, [code, ...others]]): [string, string][] =>
    code !== undefined && others.length === 0 && !isPlainWord(beginning)
      ? [[beginning.toUpperCase(), code]]
      : [],
  );
}

/** The Danish krone isn't Dunkirk, and a clock's IST isn't Istanbul. */
const otherThings: ReadonlySet<string> = new Set(['DKK', 'IST']);

function endings(): [string, string][] {
  const byEnding = Map.groupBy(majorPorts, (code) => code.slice(2));
  return [...byEnding].flatMap(([ending, [code, ...others]]): [string, string][] =>
    code !== undefined && others.length === 0 && !otherThings.has(ending) ? [[ending, code]] : [],
  );
}

/** Codes of airports, and what the trade says. */
export const otherForms: Readonly<Record<string, string>> = {
  ...{ SGP: 'SGSIN', XMN: 'CNXAM', TSN: 'CNTXG', BUS: 'KRPUS', HK: 'HKHKG', YOK: 'JPYOK', HCM: 'VNSGN' },
  ...{ HCMC: 'VNSGN', JKT: 'IDTPP', ROT: 'NLRTM', ANT: 'BEANR', HH: 'DEHAM', LH: 'FRLEH', BCN: 'ESBCN' },
  ...{ LA: 'USLAX', SG: 'SGSIN', LB: 'USLGB', NY: 'USNYC', DBN: 'ZADUR', PTP: 'MYTPP', GIB: 'GIGIB' },
  ...{
    NSA: 'INNSA',
    MUN: 'INMUN',
    LCB: 'THLCH',
    MEL: 'AUMEL',
    SYD: 'AUSYD',
    GDN: 'PLGDN',
    PE: 'ZAPLZ',
    MTL: 'CAMTR',
    FLX: 'GBFXT',
    SBY: 'IDSUB',
    GBG: 'SEGOT',
    HFX: 'CAHAL',
    YVR: 'CAVAN',
    DSM: 'TZDAR',
    MSA: 'KEMBA',
    CHN: 'INMAA',
    BUE: 'ARBUE',
  },
};

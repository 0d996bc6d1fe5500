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
  // All are codes of known ports; a test looks them up.
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
  const ofMajor = Map.groupBy(majorPorts, endingOf);
  const ofFeeder = feederPorts.filter(
    (code) => !ofMajor.has(endingOf(code)) && !isPlainWord(endingOf(code).toLowerCase()),
  );
  const byEnding = [...ofMajor, ...Map.groupBy(ofFeeder, endingOf)];
  return byEnding.flatMap(([ending, [code, ...others]]): [string, string][] =>
    code !== undefined && others.length === 0 && !otherThings.has(ending) ? [[ending, code]] : [],
  );
}

const endingOf = (code: string): string => code.slice(2);

/** Smaller ports whose people shorten them so, unless the end of the code is somebody's name. */
export const feederPorts: readonly string[] = `
GRSKG HRRJK SIKOP ITRAN ITAOI ITCAG ITCVV ESVGO ESTAR IEORK GBGRG GBHUL NOBGO NOKRS SEHEL SEMMA SESTO SENRK FIRAU
FIHKO DERSK DELBC DKFRC PLSZZ RUKGD TRISK TRTEK BGBOJ GEBUS ALDRZ SYLTK LYMRA TNSFA DZORN DZBJA MAAGA LRMLW SLFNA
GNCKY GMBJL MRNKC AOLOB NALUD ZARCB ZASDB MZMNC TZZNZ SOMGQ SOBBO AEFJR AESHJ SAYNB IRBUZ INIXY INENR INVZJ INIXE
LKHBA BDMGL MVMLE MYPGU MYKUA MYKCH MYBTU MYBKI IDPNJ IDSRG IDBPN IDBTM PHDVO PHCGY PHBTG PHSFS VNUIH CNSTG CNZJG
CNNTG CNQZJ CNYIK CNJNZ CNYNT CNHAK CNQZH CNZHA KRUSN KRPTK JPHKT JPMOJ JPSMZ JPYKK JPTMK TWTPE RUVYP RUNJK AUDRW
AUTSV NZNSN NZNPE NZTIU NZPOE WSAPW USPDX USTPA USGPT USILM USANC MXESE CASJB CAQUE SVAQJ NICIO COBAQ COSMR ECPSJ
PEPAI PECHY CLIQQ CLANF CLLQN CLCNL BRVIX BRSSA BRFOR BRMAO BRIBB SRPBM GFDDC VEPBL AWORJ BBBGI LCCAS GPPTP MQFDF
DOHAI FRBOD FRLRH FRMTX FRURO PTSET PTFNC ESSVQ ESALC ESGIJ ESSDR CVMIN
`
  .trim()
  .split(/\s+/);

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
    CEB: 'PHCEB',
    TGA: 'NZTRG',
    YGN: 'MMRGN',
    DSM: 'TZDAR',
    MSA: 'KEMBA',
    CHN: 'INMAA',
    BUE: 'ARBUE',
  },
};

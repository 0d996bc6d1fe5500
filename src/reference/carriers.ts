import { foldTight } from './fold.ts';
import { nearest } from './nearest.ts';
import type { Scac } from './scac.ts';

export interface Carrier {
  scac: Scac;
  name: string;
}

/** Trade names, such as MSC, before full company names. */
const known: readonly (readonly [scac: string, name: string, ...otherNames: string[]])[] = [
  ['MAEU', 'Maersk', 'Maersk Line', 'Mærsk', 'MSK'],
  ['MSCU', 'MSC', 'Mediterranean Shipping Company', 'Mediterranean Shipping'],
  ['CMDU', 'CMA CGM', 'CMA'],
  ['HLCU', 'Hapag-Lloyd', 'Hapag', 'HLAG'],
  ['ONEY', 'ONE', 'Ocean Network Express'],
  ['EGLV', 'Evergreen', 'Evergreen Line', 'EMC'],
  ['COSU', 'COSCO', 'COSCO Shipping', 'COSCO Shipping Lines'],
  ['OOLU', 'OOCL', 'Orient Overseas Container Line'],
  ['YMLU', 'Yang Ming', 'YML'],
  ['HDMU', 'HMM', 'Hyundai', 'Hyundai Merchant Marine'],
  ['ZIMU', 'ZIM'],
  ['PCIU', 'PIL', 'Pacific International Lines'],
  ['WHLC', 'Wan Hai', 'Wan Hai Lines'],
  ['SUDU', 'Hamburg Süd', 'Hamburg Sud', 'Hamburg Sued'],
  ['APLU', 'APL', 'American President Lines'],
  ['ANNU', 'ANL'],
  ['SAFM', 'Safmarine'],
  ['MATS', 'Matson'],
  ['ACLU', 'ACL', 'Atlantic Container Line'],
  ['ARKU', 'Arkas', 'Arkas Line'],
  ['GSLU', 'Gold Star', 'Gold Star Line', 'GSL'],
];

/** A test checks every code with isScac. */
const carriers: readonly (Carrier & { keys: readonly string[] })[] = known.map(([scac, name, ...others]) => ({
  scac: scac as Scac,
  name,
  keys: [scac, name, ...others].map(foldTight),
}));

type FoundCarrier =
  | { kind: 'one'; carrier: Carrier }
  /** Best first. */
  | { kind: 'none'; nearest: readonly Carrier[] };

/** `Maersk` for MAEU; undefined for an unknown code. */
export function carrierName(scac: Scac): string | undefined {
  return carriers.find((carrier) => carrier.scac === scac)?.name;
}

export function allCarriers(): readonly Carrier[] {
  return carriers;
}

/** One carrier by SCAC or name, in any case and spacing. */
export function findCarriers(text: string): FoundCarrier {
  const typed = foldTight(text);
  const carrier = carriers.find(({ keys }) => keys.includes(typed));
  if (carrier) return { kind: 'one', carrier };
  const names = carriers.flatMap((value) => value.keys.map((key) => ({ key, value })));
  return {
    kind: 'none',
    nearest: nearest(typed, names, 3),
  };
}

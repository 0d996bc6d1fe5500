import { foldTight, meantBy, type Named, nearest } from './nearest.ts';

/** A Standard Carrier Alpha Code: two to four upper-case letters. Well-formed, but not necessarily a known carrier. */
export type Scac = string & { readonly __brand: 'Scac' };

export const isScac = (value: string): value is Scac => /^[A-Z]{2,4}$/.test(value);

export interface Carrier {
  scac: Scac;
  name: string;
}

/** The trade name, such as MSC, comes before the full name of the company. */
const rows: readonly (readonly [scac: string, name: string, ...otherNames: string[]])[] = [
  ['MAEU', 'Maersk', 'Maersk Line', 'Mærsk', 'MSK'],
  ['MSCU', 'MSC', 'Mediterranean Shipping Company', 'Mediterranean Shipping'],
  ['CMDU', 'CMA CGM', 'CMA'],
  ['HLCU', 'Hapag-Lloyd', 'Hapag', 'HLAG', 'HPL'],
  ['ONEY', 'ONE', 'Ocean Network Express'],
  ['EGLV', 'Evergreen', 'Evergreen Line', 'EMC'],
  ['COSU', 'COSCO', 'COSCO Shipping', 'COSCO Shipping Lines'],
  ['OOLU', 'OOCL', 'Orient Overseas Container Line'],
  ['YMLU', 'Yang Ming', 'YML', 'YM'],
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

const names: readonly Named<Carrier>[] = rows.flatMap(([code, name, ...otherNames]) => {
  // A test checks every code with isScac.
  const value = { scac: code as Scac, name };
  return [code, name, ...otherNames].map((text) => ({ key: foldTight(text), value }));
});

export const carriers: readonly Carrier[] = [...new Set(names.map(({ value }) => value))];

/** `Maersk` for MAEU; undefined for an unknown code. */
export const carrierName = (scac: Scac): string | undefined =>
  carriers.find((carrier) => carrier.scac === scac)?.name;

/** Finds a carrier by SCAC or name, in any case and spacing. */
export function findCarrier(text: string): Carrier | undefined {
  const typed = foldTight(text);
  return names.find(({ key }) => key === typed)?.value;
}

/** The carrier that a misspelt name means; undefined if it may mean several, or none. */
export const misspeltCarrier = (text: string): Carrier | undefined => meantBy(foldTight(text), names);

/** Up to three carriers with similar names, best first. */
export const nearestCarriers = (text: string): readonly Carrier[] => nearest(foldTight(text), names, 3);

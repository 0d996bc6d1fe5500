/** A carrier's Standard Carrier Alpha Code: two to four letters, upper case. Well-formed, not necessarily known. */
export type Scac = string & { readonly __brand: 'Scac' };

export function isScac(value: string): value is Scac {
  return /^[A-Z]{2,4}$/.test(value);
}

/** A Standard Carrier Alpha Code: two to four upper-case letters. Well-formed, but not necessarily a known carrier. */
export type Scac = string & { readonly __brand: 'Scac' };

export function isScac(value: string): value is Scac {
  return /^[A-Z]{2,4}$/.test(value);
}

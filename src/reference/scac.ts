/** A Standard Carrier Alpha Code: two to four upper-case letters. Well-formed, but not necessarily a known carrier. */
export type Scac = string & { readonly __brand: 'Scac' };

export const isScac = (value: string): value is Scac => /^[A-Z]{2,4}$/.test(value);

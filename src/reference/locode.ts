/** A UN/LOCODE in upper case without the space: `NLRTM`. Well-formed, but not necessarily a known port. */
export type Locode = string & { readonly __brand: 'Locode' };

/** UNECE Recommendation 16: a country of two letters, then three characters, letters or the digits 2 to 9. */
export const isLocode = (value: string): value is Locode => /^[A-Z]{2}[A-Z2-9]{3}$/.test(value);

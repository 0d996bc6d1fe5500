/** A number of seven digits. Its check digit may be wrong, since the service's data has such numbers. */
export type Imo = number & { readonly __brand: 'Imo' };

export const isImo = (value: number): value is Imo =>
  Number.isInteger(value) && value >= 1_000_000 && value <= 9_999_999;

export const hasValidCheckDigit = (imo: Imo): boolean => withCheckDigit(imo) === imo;

/**
 * The number with its first six digits and the check digit that belongs to them. IMO resolution A.1117(30): the digits
 * times 7, 6, 5, 4, 3, 2; the sum's last digit is the seventh.
 */
export function withCheckDigit(imo: Imo): Imo {
  const digits = String(imo).slice(0, 6);
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (7 - index), 0);
  return Number(`${digits}${sum % 10}`) as Imo; // seven digits again
}

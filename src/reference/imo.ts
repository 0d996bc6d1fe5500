/** A number of seven digits. Its check digit may be wrong, since the service's data has such numbers. */
export type Imo = number & { readonly __brand: 'Imo' };

export const isImo = (value: number): value is Imo =>
  Number.isInteger(value) && value >= 1_000_000 && value <= 9_999_999;

/** IMO resolution A.1117(30): six digits times 7, 6, 5, 4, 3, 2; the sum's last digit is the seventh. */
export function hasValidCheckDigit(imo: Imo): boolean {
  const digits = String(imo).split('').map(Number);
  const sum = digits.slice(0, 6).reduce((total, digit, index) => total + digit * (7 - index), 0);
  return sum % 10 === digits[6];
}

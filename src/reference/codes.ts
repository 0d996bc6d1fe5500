/** A number of seven digits. Its check digit may be wrong, since the service's data has such numbers. */
export type Imo = number & { readonly __brand: 'Imo' };

/** One of the provider's lists, or a fleet of the workspace. */
export type NamedGroup = { kind: 'list'; name: string } | { kind: 'fleet'; name: string };

/** Several vessels, in one question or one watch. */
export type VesselGroup = { kind: 'vessels'; imos: readonly [Imo, ...Imo[]] } | NamedGroup;

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

/** The last digit of a container number, for the owner's four letters and the serial number's six digits (ISO 6346). */
export function containerCheckDigit(code: string): number {
  const sum = [...code].reduce((total, character, index) => total + letterValue(character) * 2 ** index, 0);
  return (sum % 11) % 10;
}

/** Digits have their own value; letters go from A = 10 to Z = 38, without the multiples of 11. */
function letterValue(character: string): number {
  const value = Number.parseInt(character, 36);
  return value < 10 ? value : value + Math.floor((value - 1) / 10);
}

/** A UN/LOCODE in upper case without the space: `NLRTM`. Well-formed, but not necessarily a known port. */
export type Locode = string & { readonly __brand: 'Locode' };

/** UNECE Recommendation 16: a country of two letters, then three characters, letters or the digits 2 to 9. */
export const isLocode = (value: string): value is Locode => /^[A-Z]{2}[A-Z2-9]{3}$/.test(value);

/** A group of ports that a workspace has named, as it is typed: `ports:ARA`. Its name is in capitals. */
export type PortGroup = `ports:${string}`;

export type PortOrGroup = Locode | PortGroup;

export const isPortGroup = (port: PortOrGroup): port is PortGroup => port.startsWith('ports:');

/** `ARA` → `ports:ARA`. */
export const groupOf = (name: string): PortGroup => `ports:${name.toUpperCase()}`;

/** `ports:ARA` → `ARA`. */
export const groupName = (group: PortGroup): string => group.slice('ports:'.length);

interface ExampleVessel {
  imo: Imo;
  name: string;
}

/** Real vessels for examples: the API has no names. A test checks the check digits. */
export const exampleVessels: readonly [ExampleVessel, ExampleVessel, ...ExampleVessel[]] = [
  { imo: 9461477 as Imo, name: 'DS CYPRESS' },
  { imo: 9755933 as Imo, name: 'MSC DIANA' },
  { imo: 9811000 as Imo, name: 'EVER GIVEN' },
  { imo: 9839430 as Imo, name: 'MSC GULSUN' },
];

export const exampleList: NamedGroup = { kind: 'list', name: 'FEEDERS' };

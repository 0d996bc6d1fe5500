import { isZone } from '../reference/zones.ts';

/** A zone at the end of a line, by its IANA name in any case or by its city (`Berlin`); undefined where there is none. */
export function takeZone(words: string): { rest: string; zone: string } | undefined {
  const parts = words.trim().split(/\s+/);
  for (const count of [3, 2, 1]) {
    if (count > parts.length) continue;
    const zone = readZone(parts.slice(-count).join(' '));
    if (zone !== undefined) return { rest: parts.slice(0, -count).join(' '), zone };
  }
  return undefined;
}

/** Abbreviations aren't accepted: EST has no summer time, and CST is three zones. */
function readZone(typed: string): string | undefined {
  if (/^(?:utc|gmt)$/i.test(typed)) return 'UTC';
  const key = keyOf(typed);
  const known = names.find((name) => keyOf(name) === key || keyOf(name.split('/').at(-1) ?? '') === key);
  if (known !== undefined) return known;
  return typed.includes('/') && isZone(typed) ? spell(typed) : undefined;
}

const keyOf = (name: string): string => name.toLowerCase().replaceAll(' ', '_');

/** What people and Slack call the zones that ICU lists under older names. */
const newerNames = [
  'Asia/Kolkata',
  'Europe/Kyiv',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Yangon',
  'America/Nuuk',
  'Atlantic/Faroe',
  'America/Argentina/Buenos_Aires',
];
const names: readonly string[] = [...newerNames, ...Intl.supportedValuesOf('timeZone')];

/** As the time zone database spells a name that is known but not listed, such as `asia/calcutta`. */
function spell(typed: string): string {
  return typed.toLowerCase().replace(/(?<=^|[/_-])\p{L}/gu, (letter) => letter.toUpperCase());
}

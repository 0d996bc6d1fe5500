/** Takes a zone off the end of a line: an IANA name in any case, or a city (`Berlin`). Undefined if there is none. */
export function takeZone(words: string): { rest: string; zone: string } | undefined {
  const parts = words.trim().split(/\s+/);
  for (const count of [3, 2, 1]) {
    const zone = readZone(parts.slice(-count).join(' '));
    if (zone !== undefined) return { rest: parts.slice(0, -count).join(' '), zone };
  }
  return undefined;
}

/** Doesn't accept abbreviations: EST has no daylight saving time, and CST means three zones. */
function readZone(typed: string): string | undefined {
  if (/^(?:utc|gmt)$/i.test(typed)) return 'UTC';
  const key = keyOf(typed);
  const listed = zoneNames.find((name) => keyOf(name) === key || keyOf(name.split('/').at(-1) ?? '') === key);
  if (listed !== undefined) return listed;
  return typed.includes('/') && isZone(typed) ? capitalise(typed) : undefined;
}

const keyOf = (name: string): string => name.toLowerCase().replaceAll(' ', '_');

/** The current names of zones that ICU lists under older names. */
const newerNames =
  'Asia/Kolkata Europe/Kyiv Asia/Ho_Chi_Minh Asia/Kathmandu Asia/Yangon America/Nuuk Atlantic/Faroe America/Argentina/Buenos_Aires';
const zoneNames: readonly string[] = [...newerNames.split(' '), ...Intl.supportedValuesOf('timeZone')];

/** Capitalises a valid name that isn't listed, such as `asia/calcutta`. */
const capitalise = (typed: string): string =>
  typed.toLowerCase().replace(/(?<=^|[/_-])\p{L}/gu, (letter) => letter.toUpperCase());

/** True for IANA time zone names, also old ones (`Asia/Calcutta`), but not for offsets such as `+01:00`. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

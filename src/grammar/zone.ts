import { type LineHelp, type LineOption, optionOf, quote, wordsError } from './line.ts';
import { takeZone } from './moment.ts';

/** Minutes from UTC, or an IANA name. */
export type Zone = number | string;

/** Hours from UTC; some letters stand for several zones. */
const abbreviations = new Map(
  Object.entries({
    ...{ wet: [0], bst: [1], cet: [1], cest: [2], eet: [2], eest: [3], msk: [3], gst: [4] },
    ...{ ist: [5.5, 2], sgt: [8], hkt: [8], jst: [9], kst: [9], aest: [10], aedt: [11] },
    ...{ est: [-5], edt: [-4], cst: [-6, 8], cdt: [-5], mst: [-7], mdt: [-6], pst: [-8], pdt: [-7] },
  }),
);

const hoursAndMinutes = '(?:0\\d|1[0-4]):?[0-5]\\d';
const named = [
  '(?:utc|gmt)(?: ?[+-] ?\\d{1,2}(?::?[0-5]\\d)?)?',
  '(?:port )?local(?: (?:port )?time)?',
  `(?:${[...abbreviations.keys()].join('|')})(?: time)?`,
].join('|');

/** `UTC`, `Z`, `UTC+1`, `+05:30`, `local time`, `CET` after a time. The source of a regular expression without groups. */
export const zoneShape = `(?:(?:(?<=\\d) ?(?:z|\\+${hoursAndMinutes})| -${hoursAndMinutes}| (?:${named})| \\((?:${named})\\)|(?<=\\d)(?:${named}))(?![\\p{L}\\d:]))`;

/** `Singapore time`, `Le Havre local time`, `Asia/Singapore` after a time. The source of a regular expression without groups. */
export const clockShape =
  "(?: \\(?(?:(?:[\\p{L}'.-]+ ){1,4}(?:time|clock)|\\p{L}+(?:/[\\p{L}\\d_+-]+){1,2})\\)?)";

/**
 * Takes a zone off the end; `local` is that of the port. Throws UserError for letters that may mean summer or winter, or
 * several zones.
 */
export const takeZoneOfTime: LineOption<Zone | 'local'> = (words, helpFor) =>
  takeClock(words) ?? takeOffset(words, helpFor);

const clockAtEnd = new RegExp(`${clockShape}$`, 'iu');

/** A bare city is none: `due 7 dec 14:00 Singapore` rather names the port. */
function takeClock(words: string): { rest: string; value: string } | undefined {
  const [typed = ''] = clockAtEnd.exec(words) ?? [];
  const [, letters = ''] = / \(?(\S+) time\)?$/i.exec(typed) ?? [];
  if (typed === '' || abbreviations.has(letters.toLowerCase())) return undefined;
  const taken = takeZone(words.replace(/ \(([^()]+)\)$/, ' $1'));
  return taken && { rest: taken.rest, value: taken.zone };
}

const takeOffset: LineOption<number | 'local'> = optionOf(
  new RegExp(`${zoneShape}$`, 'iu'),
  ([text], help) => {
    const typed = text.replace(/[()]/g, '').trim().toLowerCase();
    if (typed.includes('local')) return 'local';
    const hours = abbreviations.get(typed.replace(/ time$/, ''));
    if (hours)
      throw ask(
        typed.toUpperCase(),
        hours.map((each) => formatZone(each * 60)),
        help,
      );
    if (typed.startsWith('-')) throw ask(typed, [`UTC${typed}`, `to ${typed.slice(1)}`], help);
    const [, sign, hour = '0', minute = '0'] = /([+-]) ?(\d{1,2}?):?(\d\d)?$/.exec(typed) ?? [];
    const minutes = Number(hour) * 60 + Number(minute);
    if (minutes <= 14 * 60) return sign === '-' ? -minutes : minutes;
    throw wordsError('bad-date', `${quote(typed)} isn't a valid zone: it goes from UTC-14 to UTC+14.`, help);
  },
);

function ask(typed: string, fixes: readonly string[], help: LineHelp) {
  return wordsError(
    'bad-date',
    `${quote(typed)} after a time can mean several things. Which do you mean?`,
    help,
    {
      hint: 'Write UTC or an offset such as UTC+1; without one, the time is local at the port.',
      choices: [
        ...fixes.map((fixed) => ({ label: fixed, line: help.line(fixed) })),
        { label: 'Local time at the port', line: help.line('') },
      ],
    },
  );
}

/** `UTC`, `UTC+5:30`, `Asia/Singapore` */
export function formatZone(zone: Zone): string {
  if (zone === 0) return 'UTC';
  if (typeof zone === 'string') return zone;
  const [hours = '', minutes = ''] = partsOf(zone);
  return `UTC${zone < 0 ? '-' : '+'}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`;
}

/** `+05:30` or an IANA name, as TZDate takes it. */
export const zoneName = (zone: Zone): string =>
  typeof zone === 'string' ? zone : `${zone < 0 ? '-' : '+'}${partsOf(zone).join(':')}`;

const partsOf = (offset: number): string[] =>
  [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) => String(part).padStart(2, '0'));

/** `2026-12-07T14:00:00Z` as people type it: `2026-12-07 14:00 UTC`. */
export const spelledOutIso = (text: string): string =>
  text.replace(
    /\b(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d{1,9})?)?(?:(Z)|([+-]\d\d:?\d\d))?(?!\S)/gi,
    (_, day: string, time: string, z?: string, offset?: string) =>
      `${day} ${time}${z ? ' UTC' : offset ? ` UTC${offset}` : ''}`,
  );

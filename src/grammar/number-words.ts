import { dateShape, monthWord, weekdayShape } from './dates.ts';
import { formatMinutes, timeShape } from './times.ts';

export const numberWords = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** `a`, `two`, `12`; 0 for a word that isn't a whole number. */
export function readCount(typed: string): number {
  if (/^\d{1,4}$/.test(typed)) return Number(typed);
  return /^an?$/i.test(typed) ? 1 : numberWords.indexOf(typed.toLowerCase()) + 1;
}

const units = 'first second third fourth fifth sixth seventh eighth ninth'.split(' ');
const ordinals = [
  ...units,
  ...'tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  ),
  ...['twentieth', ...units.map((unit) => `twenty[ -]${unit}`), 'thirtieth', 'thirty[ -]first'],
].map((source) => new RegExp(`^${source}$`, 'i'));
const ordinal = `(?:(?:twenty|thirty)[ -])?(?:${units.join('|')}|\\p{L}{2,9}th)`;
const dayBefore = new RegExp(`\\b(?:the )?(${ordinal})(?: of|(?! may\\b)) (${monthWord})(?!\\p{L})`, 'giu');
const dayOfWeek = new RegExp(
  `\\b(${weekdayShape}),? the (${ordinal})(?! of|\\p{L}| (?:${monthWord}))`,
  'giu',
);
const dayAfter = new RegExp(
  `\\b(${monthWord}) (?:the )?(${ordinal})(?!\\p{L}| (?:half|week|fortnight))`,
  'giu',
);
const hour = new RegExp(
  `\\b(${numberWords.join('|')})(?= ?(?:[ap]\\.?m\\b|o'?clock\\b|in the (?:morning|afternoon|evening)\\b))`,
  'gi',
);

const daysOf = new RegExp(
  `\\b(?:the )?(${ordinal}) (and|to|until|till|through) (?:the )?(${ordinal})(?: of|(?! may\\b)) (${monthWord})(?!\\p{L})`,
  'giu',
);
const numberOf = new RegExp(`\\b(number|digest) (${numberWords.join('|')})\\b`, 'gi');
const hourBefore = new RegExp(`\\b(${timeShape}) on (${dateShape})(?![\\d/])`, 'gi');

/** Dates and times as they are spoken: `december the seventh at two pm` → `7 december at 2 pm`, `noon on 9 dec` → `9 dec noon`. */
export const withSpokenDates = (text: string): string =>
  text
    .replace(numberOf, (_, noun: string, count: string) => `${noun} ${readCount(count)}`)
    .replace(daysOf, (typed, first: string, mark: string, last: string, of: string) => {
      const [from, to] = [first, last].map(dateOf);
      return from && to ? `${from} ${mark} ${to} ${of}` : typed;
    })
    .replace(dayBefore, (typed, day: string, of: string) => dayOf(day, of) ?? typed)
    .replace(dayOfWeek, (typed, weekday: string, day: string) => withDate(weekday, day) ?? typed)
    .replace(dayAfter, (typed, of: string, day: string) => dayOf(day, of) ?? typed)
    .replace(hour, (word) => String(readCount(word)))
    .replace(hourBefore, '$2 $1');

function dayOf(day: string, month: string): string | undefined {
  const number = dateOf(day);
  return number > 0 ? `${number} ${month}` : undefined;
}

function withDate(weekday: string, day: string): string | undefined {
  const number = dateOf(day);
  const ending =
    number === 11 || number === 12 || number === 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return number > 0 ? `${weekday} the ${number}${ending}` : undefined;
}

/** 0 for a word that isn't an ordinal. */
const dateOf = (day: string): number => ordinals.findIndex((each) => each.test(day)) + 1;

const spokenTime = new RegExp(
  `\\b(?:a )?(half past|quarter past|quarter to|half(?= [a-z])) (\\d{1,2}|${numberWords.join('|')})\\b`,
  'gi',
);

/** `quarter to seven` → `06:45` */
export const withTimesInFigures = (text: string): string =>
  text.replace(spokenTime, (_, part: string, typed: string) => {
    const hour = readCount(typed);
    const minutes = { half: 30, 'quarter past': 15, 'quarter to': -15 }[
      part.toLowerCase().replace(/^half .*/, 'half')
    ];
    return formatMinutes((hour * 60 + (minutes ?? 0) + 1440) % 1440);
  });

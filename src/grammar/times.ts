/**
 * A time of day as people write it: `06:00`, `6.30`, `0600`, `18h`, `0800 LT`, `6am`, `noon`. The source of a regular
 * expression, without groups.
 */
export const timeShape =
  '(?:(?:0?[1-9]|1[0-2])(?:[:.][0-5]\\d)? ?[ap]\\.?m\\b\\.?|(?:(?:[01]?\\d|2[0-3])[:.h][0-5]\\d|(?:[01]\\d|2[0-3])[0-5]\\d|24[:.]?00|(?:[01]?\\d|2[0-3]) ?(?=h))(?: ?(?:h(?:rs?|ours)?|lt)\\b)?|noon|midnight)';

const wholeTime = new RegExp(`^${timeShape}$`, 'i');

/** In minutes after midnight; `midnight` is the end of the day. Undefined for anything else. */
export function readTime(text: string): number | undefined {
  const typed = text.trim().toLowerCase();
  if (!wholeTime.test(typed)) return undefined;
  if (typed === 'noon') return 12 * 60;
  if (typed === 'midnight') return 24 * 60;
  const [, hours = '', minutes = '0'] = /^(\d{1,2}?)[:.h]?(\d{2})?(?!\d)/.exec(typed) ?? [];
  const isAfternoon = /p\.?m\.?$/.test(typed);
  const hour = /[ap]\.?m\.?$/.test(typed) ? (Number(hours) % 12) + (isAfternoon ? 12 : 0) : Number(hours);
  return hour * 60 + Number(minutes);
}

/** `08:05`; `24:00` for the end of a day. */
export const formatMinutes = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** Minutes after the midnight that begins the day. A night ends on the next morning, as tonight does. */
export const dayParts = {
  morning: { from: 6 * 60, to: 12 * 60 },
  afternoon: { from: 12 * 60, to: 18 * 60 },
  evening: { from: 18 * 60, to: 24 * 60 },
  night: { from: 18 * 60, to: 30 * 60 },
} as const;
export type DayPart = keyof typeof dayParts;

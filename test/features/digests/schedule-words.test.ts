import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../../src/errors.ts';
import { formatSchedule, parseSchedule } from '../../../src/features/digests/schedule.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { refusedBy } from '../../support/refusal.ts';

const help = {
  line: (fixed: string) => `digest add ${fixed}: usage`,
  example: 'digest add weekdays 08:00: usage',
};
const read = (text: string) => formatSchedule(parseSchedule(text, help));
const refusal = (text: string) => refusedBy(() => parseSchedule(text, help));

describe('the words of a schedule', () => {
  it.each([
    ['weekdays 08:00 Europe/Berlin', 'weekdays 08:00 Europe/Berlin'],
    ['mon,thu 07:30', 'mon,thu 07:30'],
    ['Mondays and Thursdays at 7:30', 'mon,thu 07:30'],
    ['every tuesday 8 am', 'tue 08:00'],
    ['Mon - Fri 0800', 'weekdays 08:00'],
    ['fri-mon 6:15pm', 'mon,fri,sat,sun 18:15'],
    ['sat, sun 9.30', 'sat,sun 09:30'],
    ['daily 18:00, 06:00, 6am', 'daily 06:00, 18:00'],
    ['every day at noon and midnight', 'daily 00:00, 12:00'],
    ['mon,tue,wed,thu,fri,sat,sun 12:00', 'daily 12:00'],
    ['08:00', 'daily 08:00'],
    ['08:00 weekdays', 'weekdays 08:00'],
    ['on the 1st, 15th 09:00', 'on the 1st, 15th 09:00'],
    ['monthly on the 15th and the 1st at 12 pm', 'on the 1st, 15th 12:00'],
    ['on the last day of the month 17:00', 'on the last day 17:00'],
    ['on the 31st 17:00', 'on the last day 17:00'],
    ['last day 12am', 'on the last day 00:00'],
    ['on the 2nd, 3rd, 11th, 12th, 13th, 21st, 22nd, 23rd, 30th 09:00 utc', undefined],
    ['weekdays 08:00 berlin', 'weekdays 08:00 Europe/Berlin'],
    ['weekdays 08:00 new york', 'weekdays 08:00 America/New_York'],
    ['weekdays 08:00 asia/kolkata', 'weekdays 08:00 Asia/Kolkata'],
    ['weekdays 08:00 Asia/Calcutta', 'weekdays 08:00 Asia/Calcutta'],
    ['weekdays 08:00 australia/lord_howe', 'weekdays 08:00 Australia/Lord_Howe'],
    ['weekdays 08:00 america/port_of_spain', 'weekdays 08:00 America/Port_of_Spain'],
    ['weekdays 08:00 america/argentina/buenos_aires', 'weekdays 08:00 America/Argentina/Buenos_Aires'],
    ['weekdays 08:00 gmt', 'weekdays 08:00 UTC'],
  ])('%s', (typed, canonical) => {
    expect(read(typed)).toBe(canonical ?? typed.replace('utc', 'UTC'));
  });

  it.each([
    ['', '“When should it be sent?”', 'weekdays 08:00'],
    ['weekdays', '“weekdays” is missing a time of day.', 'weekdays 08:00'],
    ['mon Europe/Berlin', '“mon Europe/Berlin” is missing a time of day.', 'mon 08:00 Europe/Berlin'],
    ['weekdays 8', "“8” isn't a valid day, date or time of day.", 'weekdays 08:00'],
    ['weekdays 25:00', "“25:00” isn't a valid day, date or time of day.", undefined],
    ['weekdays 24:00', "“24:00” isn't a valid day, date or time of day.", undefined],
    ['weekdays 13pm', "“13pm” isn't a valid day, date or time of day.", undefined],
    ['on the 32nd 08:00', "“32nd” isn't a valid day, date or time of day.", undefined],
    ['weekdays 08:00 Europe/Berln', "“europe/berln” isn't a valid time zone.", undefined],
    ['weekdays 08:00 EST', "“est” isn't a valid time zone.", undefined],
    ['weekdays 08:00 UTC+2', "“utc+2” isn't a valid time zone.", undefined],
    ['mon, 1st 08:00', 'A digest runs on days of the week or on dates of the month, not both.', undefined],
  ])('refuses %s', (typed, message, choice) => {
    const error = refusal(typed);
    expect(error.code).toBe('bad-schedule');
    expect(error.message).toBe(message.replace(/^“(When.*)”$/, '$1'));
    expect(error.choices.map(({ label }) => label)).toEqual(choice === undefined ? [] : [choice]);
    for (const { label } of error.choices) expect(read(label)).toBe(label);
  });

  it('takes a digest for every hour, and refuses more', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => `${hour}:00`).join(', ');
    expect(read(`daily ${hours}`)).toMatch(/^daily 00:00, 01:00, .*, 23:00$/);
    expect(read(`daily ${hours}, 23:00`)).toMatch(/^daily 00:00, 01:00, .*, 23:00$/);
    const error = refusal(`mon ${hours}, 23:30`);
    expect(error.code).toBe('bad-schedule');
    expect(error.message).toBe('A digest is sent at most 24 times a day, and that is 25 times.');
    expect(error.hint).toBe('To be notified as soon as something changes, watch the vessels instead.');
  });

  it('gives the same schedule and the same words after formatting and parsing', () => {
    const some = (min: number, max: number) =>
      fc
        .uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 7 })
        .map((values) => values.toSorted((one, other) => one - other));
    const schedules = fc.record({
      days: fc.oneof(
        some(1, 7).map((weekdays) => ({ kind: 'week' as const, weekdays })),
        some(1, 31).map((dates) => ({ kind: 'month' as const, dates })),
      ),
      minutes: some(0, 1439),
    });
    const zones = fc.constantFrom(undefined, 'UTC', 'Asia/Kolkata', ...Intl.supportedValuesOf('timeZone'));
    fc.assert(
      fc.property(schedules, zones, (schedule, zone) => {
        const value = { schedule, ...(zone !== undefined && { zone }) };
        const words = formatSchedule(value);
        expect(parseSchedule(words, help)).toEqual(value);
        expect(parseSchedule(words.toUpperCase(), help)).toEqual(value);
      }),
    );
  });

  it('parses any input to a schedule or throws UserError', () => {
    const pieces = fc.constantFrom(
      'mon',
      '-',
      ',',
      '08:00',
      '31st',
      'last day',
      'of the month',
      'am',
      '8',
      '/',
    );
    const typed = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 60 }),
      fc.array(pieces).map((list) => list.join(' ')),
    );
    fc.assert(
      fc.property(typed, (text) => {
        try {
          const value = parseSchedule(text, help);
          expect(parseSchedule(formatSchedule(value), help)).toEqual(value);
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
        }
      }),
    );
  });
});

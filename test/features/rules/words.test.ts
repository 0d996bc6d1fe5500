import { describe, expect, test } from 'vitest';
import { rulesInBrief } from '../../../src/features/rules/in-words.ts';
import { watchRules } from '../../../src/features/rules/registry.ts';
import { formatSnooze, takeSnooze } from '../../../src/features/watches/words/snooze.ts';
import { scanOptions } from '../../../src/grammar/line.ts';
import { formatMoment, parseMoment, resolveMoment } from '../../../src/grammar/moment.ts';
import { refusal } from '../../support/grammar-samples.ts';

const help = { line: (fixed: string) => `watch 9461477 ${fixed}`, example: 'watch 9461477' };
const read = (words: string) =>
  scanOptions(words, watchRules.options, { command: 'watch', example: 'watch 9461477' }).values;

test('a card shows what is off by default, and what differs from the defaults', () => {
  const context = { now: new Date('2026-11-21T00:00:00Z'), isPort: false };
  const brief = (words: string) => {
    const rules = watchRules.resolve(read(words), { now: context.now, zone: 'UTC' });
    return rulesInBrief(rules, context).join(' · ');
  };
  expect(brief('eta 6h')).toBe('ETA 6 h · under 50%');
  expect(brief('next leg')).toBe('ETA 12 h · under 50% · next leg');
  expect(brief('only lost stale')).toBe('only lost; stale');
});

describe('rules in words', () => {
  test.each([
    ['eta 6h', 'eta 6h'],
    ['ETA by 1 day', 'eta 24h'],
    ['eta moves by 2.5 hours', 'eta 2.5h'],
    ['eta 2 days', 'eta 48h'],
    ['eta 2d', 'eta 48h'],
    ['eta 36 hours', 'eta 36h'],
    ['eta 36hrs', 'eta 36h'],
    ['ETA by two days', 'eta 48h'],
    ['eta changes by more than a day', 'eta 24h'],
    ['overdue by 1 week', 'overdue 168h'],
    ['below 40%', 'below 40%'],
    ['under 40 percent', 'below 40%'],
    ['arriving 24h, 72h,24h', 'arriving 72h,24h'],
    ['arriving within 48 and 12 hours before eta', 'arriving 48h,12h'],
    ['overdue 6h', 'overdue 6h'],
    ['until the next port changes', 'until next port'],
    ['quiet 22-6', 'quiet 22:00-06:00'],
    ['quiet hours from 2230 to 06:15 Berlin', 'quiet 22:30-06:15 Europe/Berlin'],
    ['due NLRTM 27 Nov 18:00', 'due NLRTM 27 nov 18:00'],
    ['due in Port Klang by Nov 27th, 0800', 'due MYPKG 27 nov 08:00'],
    [
      'due Rotterdam 2026-12-01, due Hamburg tomorrow at 9:30',
      'due NLRTM 2026-12-01 due DEHAM tomorrow 09:30',
    ],
    ['only eta 6h', 'only eta 6h'],
    ['only next port, no longer listed and lost', 'only diverted lost'],
    ['eta 6h, below 40%, arriving 24h, only', 'only eta 6h below 40% arriving 24h'],
    ['only lost eta 6h stale', 'only lost stale eta 6h'],
    ['only until next port lost, lost', 'only lost until next port'],
    ['only no longer predicted', 'only diverted'],
    ['next leg', 'next leg'],
    ['eta 6h and the next leg', 'next leg eta 6h'],
  ])('%j is %j', (typed, canonical) => {
    expect(watchRules.format(read(typed))).toBe(canonical);
  });

  test.each([
    'eta 0h',
    'eta 241h',
    'eta soon',
    'below 0%',
    'below 100%',
    'below 12.5%',
    'arriving 0h',
    'arriving 300h',
    'arriving 1 2 3 4 5 6',
    'overdue 99 days',
    'quiet 22:00-22:00',
    'quiet 25:00-06:00',
    'due NLRTM',
    'due 27 Nov 18:00',
    'due NLRTM 31 Feb 10:00',
    'due Nowhere-on-Sea 27 Nov',
    'eta 6h eta 7h',
  ])('%j is refused', (typed) => {
    expect(refusal(() => read(typed))).toMatchSnapshot();
  });
});

describe('a day and a time', () => {
  const now = new Date('2026-11-21T09:05:00Z');
  const at = (text: string, zone = 'Europe/Amsterdam') =>
    resolveMoment(parseMoment(text, help), { now, zone }).toISOString();

  test.each([
    ['27 Nov 18:00', '2026-11-27T17:00:00.000Z'],
    ['21 Nov 11:00', '2026-11-21T10:00:00.000Z'],
    // Past already: the next such day is a year later.
    ['21 Nov 10:00', '2027-11-21T09:00:00.000Z'],
    ['1 jan', '2027-01-01T22:59:00.000Z'],
    ['29 Feb 12:00', '2028-02-29T11:00:00.000Z'],
    ['2026-07-01 12:00', '2026-07-01T10:00:00.000Z'],
    ['tomorrow 8:00', '2026-11-22T07:00:00.000Z'],
    ['today', '2026-11-21T22:59:00.000Z'],
  ])('%j means %s', (typed, time) => {
    expect(at(typed)).toBe(time);
  });

  test('follows the wall clock through changes of the clocks', () => {
    expect(at('2027-03-28 02:30')).toBe('2027-03-28T01:30:00.000Z');
    expect(at('27 Nov 18:00', 'Asia/Kolkata')).toBe('2026-11-27T12:30:00.000Z');
    expect(at('27 Nov 18:00', 'Pacific/Auckland')).toBe('2026-11-27T05:00:00.000Z');
  });

  test.each([
    '27 Nov 18:00',
    '2026-11-27 18:00',
    'tomorrow 8:00',
    'Feb 29th',
    'Nov 27, 0930',
  ])('%j parses again from its canonical words', (typed) => {
    const moment = parseMoment(typed, help);
    expect(parseMoment(formatMoment(moment), help)).toEqual(moment);
  });

  test.each(['soon', '32 Nov', '27 Foo 18:00', '27 Nov 25:00', ''])("%j isn't a valid date", (typed) => {
    expect(refusal(() => parseMoment(typed, help))).toMatchSnapshot();
  });
});

describe('how long a watch is snoozed', () => {
  const taken = (words: string) => takeSnooze(words, () => help);

  test.each([
    ['9461477 1h', '9461477', '1h'],
    ['9461477 for 2 days', '9461477', '2d'],
    ['9461477 for an hour', '9461477', '1h'],
    ['90 min', '', '90m'],
    ['9461477 until 24h before the ETA', '9461477', 'until 24h before eta'],
    ['9461477 until next port', '9461477', 'until next port'],
    ['list:X until 27 Nov 08:00', 'list:X', 'until 27 nov 08:00'],
    ['port Rotterdam tomorrow', 'port Rotterdam', 'until tomorrow'],
  ])('%j', (words, rest, canonical) => {
    const found = taken(words);
    expect(found?.rest).toBe(rest);
    expect(found && formatSnooze(found.value)).toBe(canonical);
  });

  test('refuses a duration that is missing, too short or too long', () => {
    expect(taken('9461477')).toBeUndefined();
    expect(refusal(() => taken('9461477 1 min'))).toMatchSnapshot();
    expect(refusal(() => taken('9461477 40 days'))).toMatchSnapshot();
    expect(refusal(() => taken('9461477 until 400h before eta'))).toMatchSnapshot();
  });
});

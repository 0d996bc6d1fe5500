import { describe, expect, it } from 'vitest';
import { formatDateToken } from '../../page/message/date-token.ts';
import { dayAndTime, dayLabel } from '../../page/model/time.ts';

const now = Date.parse('2026-11-21T09:05:00Z');
const eta = Date.parse('2026-11-23T14:05:00Z') / 1000;
const token = (pattern: string, zone = 'Europe/Berlin', seconds = eta) =>
  formatDateToken({ seconds, pattern, zone, now });

describe('date tokens', () => {
  it.each([
    ['{date_num}', '2026-11-23'],
    ['{date}', '23 November 2026'],
    ['{date_short} at {time}', '23 Nov 2026 at 15:05'],
    ['{date_long}', 'Monday, 23 November 2026'],
    ['{time_secs}', '15:05:00'],
    ['{ago}', 'in 2 days'],
    ['{unknown} stays', '{unknown} stays'],
  ])('%s is %s', (pattern, text) => expect(token(pattern)).toBe(text));

  it("use the reader's zone, also for the day", () => {
    expect(token('{date_short} {time}', 'America/New_York')).toBe('23 Nov 2026 09:05');
    expect(token('{date_short} {time}', 'Pacific/Auckland')).toBe('24 Nov 2026 03:05');
  });

  it('name the days around today if pretty, by calendar days', () => {
    const at = (iso: string) => Date.parse(iso) / 1000;
    const pretty = (iso: string) => token('{date_short_pretty}', 'Europe/Berlin', at(iso));
    expect(pretty('2026-11-21T22:59:00Z')).toBe('today');
    expect(pretty('2026-11-21T23:01:00Z')).toBe('tomorrow');
    expect(pretty('2026-11-19T23:00:00Z')).toBe('yesterday');
    expect(pretty('2026-11-23T14:05:00Z')).toBe('23 Nov 2026');
  });
});

describe('day dividers', () => {
  it.each([
    ['2026-11-21T01:00:00Z', 'Today'],
    ['2026-11-20T12:00:00Z', 'Yesterday'],
    ['2026-11-18T12:00:00Z', 'Wednesday 18 November'],
    ['2025-11-18T12:00:00Z', 'Tuesday, 18 November 2025'],
  ])('%s is %s', (iso, label) => expect(dayLabel(Date.parse(iso), 'UTC', now)).toBe(label));
});

describe('times in a thread', () => {
  it.each([
    ['2026-11-21T01:00:00Z', '01:00'],
    ['2026-11-20T12:00:00Z', 'Yesterday at 12:00'],
    ['2026-11-18T12:00:00Z', '18 Nov at 12:00'],
  ])('%s is %s', (iso, label) => expect(dayAndTime(Date.parse(iso), 'UTC', now)).toBe(label));
});

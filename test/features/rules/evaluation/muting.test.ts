import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isQuiet, isSnoozed, wakeTime } from '../../../../src/features/rules/evaluation/muting.ts';

const berlin = { from: '22:00', to: '06:00', zone: 'Europe/Berlin' };
const at = (text: string) => new Date(text);

it('keeps the wall clock over a change of clocks', () => {
  // Sunday 29 March 2026: 02:00 becomes 03:00, so 06:00 is 04:00 UTC and no longer 05:00.
  expect(isQuiet(berlin, at('2026-03-28T04:59:00Z'))).toBe(true);
  expect(isQuiet(berlin, at('2026-03-29T03:59:00Z'))).toBe(true);
  expect(isQuiet(berlin, at('2026-03-29T04:00:00Z'))).toBe(false);
  const noon = { ...berlin, from: '12:00', to: '13:30' };
  expect(isQuiet(noon, at('2026-07-01T10:00:00Z'))).toBe(true);
  expect(isQuiet(noon, at('2026-07-01T11:29:00Z'))).toBe(true);
  expect(isQuiet(noon, at('2026-07-01T11:30:00Z'))).toBe(false);
  expect(isQuiet({ ...berlin, to: '22:00' }, at('2026-07-01T20:30:00Z'))).toBe(false);
  expect(isQuiet(null, at('2026-07-01T20:30:00Z'))).toBe(false);
});

it('a snooze that has ended wakes nothing in quiet hours that have not begun', () => {
  const now = at('2026-07-01T11:30:00Z');
  expect(wakeTime({ quiet: berlin, snooze: { kind: 'until', at: now }, eta: null }, now)).toBeNull();
});

it('a snooze until an ETA ends if there is no ETA', () => {
  const now = at('2026-07-01T00:00:00Z');
  expect(isSnoozed({ kind: 'until-eta', hours: 24 }, { eta: null, now })).toBe(false);
  expect(isSnoozed({ kind: 'until-eta', hours: 24 }, { eta: at('2026-07-02T00:00:01Z'), now })).toBe(true);
  expect(isSnoozed({ kind: 'until-eta', hours: 24 }, { eta: at('2026-07-02T00:00:00Z'), now })).toBe(false);
});

it.each([
  ['short', '2026-03-28T21:00:00Z', '2026-03-29T04:00:00.000Z'],
  ['long', '2026-10-24T20:00:30Z', '2026-10-25T05:00:00.000Z'],
])('wakes at the end of a %s night, to the second', (_, from, end) => {
  expect(wakeTime({ quiet: berlin, snooze: null, eta: null }, at(from))?.toISOString()).toBe(end);
});

it('a sleeping watch is polled when it wakes, not while it is still asleep', () => {
  const times = fc.date({
    min: at('2026-01-01T00:00:00Z'),
    max: at('2027-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(times, fc.constantFrom('Asia/Kolkata', 'America/New_York', 'UTC'), (now, zone) => {
      const quiet = { ...berlin, zone };
      const wakes = wakeTime({ quiet, snooze: null, eta: null }, now);
      expect(wakes !== null).toBe(isQuiet(quiet, now));
      if (!wakes) return;
      expect(isQuiet(quiet, wakes)).toBe(false);
      expect(isQuiet(quiet, new Date(wakes.getTime() - 1))).toBe(true);
    }),
  );
});

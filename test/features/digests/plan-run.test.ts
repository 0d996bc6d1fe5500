import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planRun } from '../../../src/features/digests/run-due.ts';
import { nextRun } from '../../../src/features/digests/schedule.ts';
import { everyDay } from '../../support/digest-fixture.ts';

const utc = (iso: string) => new Date(iso);
const morning = {
  schedule: { days: everyDay, minutes: [8 * 60] },
  zone: 'UTC',
  nextRunAt: utc('2026-11-23T08:00Z'),
};
const scheduled = { missed: null, isManual: false };

describe('the planned run', () => {
  it('is caught up for two hours, not longer', () => {
    expect(planRun(morning, { ...scheduled, now: utc('2026-11-23T10:00Z') }).scheduledFor).toEqual(
      morning.nextRunAt,
    );
    const late = utc('2026-11-23T10:00:00.001Z');
    expect(planRun(morning, { ...scheduled, now: late })).toEqual({
      scheduledFor: null,
      missed: { count: 1, first: morning.nextRunAt, last: morning.nextRunAt },
      nextRunAt: utc('2026-11-24T08:00Z'),
    });
  });
  it('is the latest run after days without a process; the earlier runs are added to the missed ones', () => {
    const before = { count: 2, first: utc('2026-11-20T08:00Z'), last: utc('2026-11-21T08:00Z') };
    expect(planRun(morning, { ...scheduled, missed: before, now: utc('2026-11-26T08:30Z') })).toEqual({
      scheduledFor: utc('2026-11-26T08:00Z'),
      missed: { count: 5, first: before.first, last: utc('2026-11-25T08:00Z') },
      nextRunAt: utc('2026-11-27T08:00Z'),
    });
  });
  it('is none if the store was restored after it: it was probably sent', () => {
    const restoredAt = utc('2026-11-23T08:30Z');
    const plan = planRun(morning, { ...scheduled, restoredAt, now: utc('2026-11-23T08:35Z') });
    expect(plan).toEqual({
      scheduledFor: null,
      missed: { count: 1, first: morning.nextRunAt, last: morning.nextRunAt, isRestored: true },
      nextRunAt: utc('2026-11-24T08:00Z'),
    });
    const next = { ...morning, nextRunAt: plan.nextRunAt };
    expect(
      planRun(next, { ...scheduled, missed: plan.missed, restoredAt, now: utc('2026-11-24T08:00Z') }),
    ).toMatchObject({ scheduledFor: plan.nextRunAt, missed: plan.missed });
  });
  it('is a single run if several were due within two hours', () => {
    const often = { ...morning, schedule: { days: everyDay, minutes: [480, 510, 540, 570, 1080] } };
    expect(planRun(often, { ...scheduled, now: utc('2026-11-23T09:45Z') })).toEqual({
      scheduledFor: utc('2026-11-23T09:30Z'),
      missed: { count: 3, first: utc('2026-11-23T08:00Z'), last: utc('2026-11-23T09:00Z') },
      nextRunAt: utc('2026-11-23T18:00Z'),
    });
  });
});

it('every run is either done or missed, exactly once, after any time without a process', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 1439 }), { minLength: 1, maxLength: 24 }),
      fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'),
      fc.array(fc.integer({ min: 1, max: 60 * 24 * 40 }), { minLength: 1, maxLength: 6 }),
      (minutes, zone, pauses) => {
        const schedule = { days: everyDay, minutes: minutes.toSorted((one, other) => one - other) };
        const start = utc('2027-03-20T00:00Z');
        let [now, nextRunAt, done] = [start, nextRun(schedule, zone, start), 0];
        let missed: ReturnType<typeof planRun>['missed'] = null;
        for (const pause of pauses) {
          now = new Date(now.getTime() + pause * 60_000);
          while (nextRunAt <= now) {
            const plan = planRun({ schedule, zone, nextRunAt }, { missed, now, isManual: false });
            expect(plan.nextRunAt.getTime()).toBeGreaterThan(nextRunAt.getTime());
            if (plan.scheduledFor) done += 1;
            ({ missed, nextRunAt } = plan);
          }
        }
        let all = 0;
        for (let run = nextRun(schedule, zone, start); run <= now; run = nextRun(schedule, zone, run))
          all += 1;
        expect(done + (missed?.count ?? 0)).toBe(all);
      },
    ),
    { numRuns: 15 },
  );
});

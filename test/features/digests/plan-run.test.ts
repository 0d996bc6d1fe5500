import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planRun } from '../../../src/features/digests/run-due.ts';
import { nextRun } from '../../../src/features/digests/schedule.ts';
import { everyDay } from '../../support/digest-fixture.ts';

const utc = (iso: string) => new Date(iso);
it('several runs that were due within two hours are a single run', () => {
  const often = { days: everyDay, minutes: [480, 510, 540, 570, 1080] };
  const due = { schedule: often, zone: 'UTC', nextRunAt: utc('2026-11-23T08:00Z') };
  expect(planRun(due, { missed: null, isManual: false, now: utc('2026-11-23T09:45Z') })).toEqual({
    scheduledFor: utc('2026-11-23T09:30Z'),
    missed: { count: 3, first: utc('2026-11-23T08:00Z'), last: utc('2026-11-23T09:00Z') },
    nextRunAt: utc('2026-11-23T18:00Z'),
  });
});

it('none is done that was due before a restore: it was probably sent', () => {
  const morning = { schedule: { days: everyDay, minutes: [480] }, zone: 'UTC' };
  const due = utc('2026-11-23T08:00Z');
  const scheduled = { restoredAt: utc('2026-11-23T08:30Z'), isManual: false };
  const plan = planRun(
    { ...morning, nextRunAt: due },
    { ...scheduled, missed: null, now: utc('2026-11-23T08:35Z') },
  );
  const missed = { count: 1, first: due, last: due, isRestored: true };
  const nextRunAt = utc('2026-11-24T08:00Z');
  expect(plan).toEqual({ scheduledFor: null, missed, nextRunAt });
  const next = planRun({ ...morning, nextRunAt }, { ...scheduled, missed, now: nextRunAt });
  expect(next).toMatchObject({ scheduledFor: nextRunAt, missed });
});

it('every run is either done or missed, exactly once, after any time without a process', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 1439 }), { minLength: 1, maxLength: 24 }),
      fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'),
      fc.array(fc.integer({ min: 1, max: 60 * 24 * 25 }), { minLength: 1, maxLength: 3 }),
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

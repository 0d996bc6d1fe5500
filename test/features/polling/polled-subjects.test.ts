import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { pollIntervalMinutes, stretchFor, stretchInterval } from '../../../src/features/polling/call-plan.ts';
import { polledSubjects } from '../../../src/features/polling/estimate.ts';
import type { WorkspaceServices } from '../../../src/features/services.ts';
import { createVesselDirectory } from '../../../src/grammar/vessel-directory.ts';
import type { Subject } from '../../../src/predictions/next-port.ts';
import { exampleVessels, type Locode } from '../../../src/reference/codes.ts';
import { limitOf } from '../../support/call-limit.ts';
import { engines, workspaceId } from '../../support/store-engines.ts';
import { useWatches } from '../../support/use-watches.ts';
import { cypress, hour, vessel } from '../../support/watch-story.ts';

const port: Subject = { kind: 'port', port: 'NLRTM' as Locode };

describe.each(engines)('what is polled, $engine', ({ open }) => {
  const { store, fixture, db } = useWatches(open);
  const read = (options: { fixedMinutes?: number; dailyCalls?: number } = {}, id = workspaceId) =>
    polledSubjects({
      // Those that it uses.
      services: {
        store: storeOf(store.database.db, id),
        settings: { pollMinutes: options.fixedMinutes },
        limit: limitOf(options.dailyCalls),
      } as WorkspaceServices,
      vessels: createVesselDirectory(exampleVessels),
      now: () => hour(0),
    });
  const etaIn = (hours: number | null) =>
    db()
      .updateTable('subjects')
      .set({ nearest_eta: hours === null ? null : hour(hours), interval_minutes: 60 })
      .execute();

  it('names each subject once, with the channels of its watches, but nobody', async () => {
    const first = await fixture.watch([vessel()], { channelId: 'C1' });
    const second = await fixture.watch([vessel(), port], { channelId: 'C2' });
    await fixture.watch([vessel()], { channelId: 'D1', destination: 'direct-message' });
    const { subjects } = await read();
    const shown = subjects.map(({ key, name, watchedIn }) => ({
      key,
      name,
      in: watchedIn.map(String).sort(),
    }));
    expect(shown.sort((a, b) => (a.key < b.key ? -1 : 1))).toEqual([
      { key: 'port NLRTM', name: 'port Rotterdam (NLRTM)', in: ['C2'] },
      { key: `vessel ${cypress}`, name: 'DS CYPRESS', in: ['C1', 'C2', 'null'] },
    ]);
    const ofPort = subjects.find(({ key }) => key === 'port NLRTM');
    expect(ofPort?.watchIds).toEqual([second.id]);
    expect(subjects.find((one) => one !== ofPort)?.watchIds).toEqual(
      expect.arrayContaining([first.id, second.id]),
    );
    expect(await read({}, 'T2')).toMatchObject({ subjects: [], plannedCalls: 0 });
  });

  it('is polled as often as its ETA needs; as the settings say; once a day while its watches are paused', async () => {
    await fixture.watch([vessel()]);
    const perDay = async (options = {}) =>
      (await read(options)).subjects.map(({ callsPerDay }) => callsPerDay);
    await etaIn(null);
    // Every six hours.
    expect(await perDay()).toEqual([4]);
    await etaIn(24);
    const [near = 0] = await perDay();
    await etaIn(24 * 20);
    const [far = 0] = await perDay();
    expect(near).toBeGreaterThan(far);
    // After an ETA that has passed comes the next leg.
    await etaIn(-30);
    expect(await perDay()).toEqual([near]);
    expect(await perDay({ fixedMinutes: 10 })).toEqual([144]);
    // At a port, another vessel follows the one that calls: every 15 minutes.
    await fixture.watch([port]);
    await etaIn(2);
    expect((await perDay()).sort((a, b) => a - b)).toEqual([near, 96]);
    await db().deleteFrom('subjects').where('kind', '=', 'port').execute();
    await db().updateTable('watches').set({ status: 'paused' }).execute();
    expect(await perDay()).toEqual([1]);
  });

  it('has a budget, unless the interval is fixed', async () => {
    await fixture.watch([vessel()]);
    await etaIn(null);
    expect(await read({ dailyCalls: 500 })).toMatchObject({ plannedCalls: 24, dailyCalls: 500 });
    expect((await read({ dailyCalls: 500, fixedMinutes: 10 })).dailyCalls).toBeUndefined();
  });
});

/** Calls a day that these intervals take. */
const callsADay = (intervals: readonly number[]) =>
  intervals.reduce((sum, minutes) => sum + 1440 / minutes, 0);

it('polls more often near an ETA, before and after', () => {
  const minutes = [null, 500, 240, 132, 24, 0, -24].map((hours) =>
    pollIntervalMinutes(hours === null ? null : hour(hours), hour(0)),
  );
  expect(minutes).toEqual([360, 360, 360, 188, 15, 15, 15]);
});

it('stretches intervals to the budget, and polls at least once a day', () => {
  expect(stretchFor(100, undefined)).toBe(1);
  expect(stretchFor(100, 200)).toBe(1);
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 15, max: 360 }), { minLength: 1, maxLength: 50 }),
      fc.integer({ min: 0, max: 5000 }),
      (intervals, budget) => {
        const factor = stretchFor(callsADay(intervals), budget);
        const stretched = intervals.map((minutes) => stretchInterval(minutes, factor));
        expect(callsADay(stretched)).toBeLessThanOrEqual(
          Math.max(budget, intervals.length) + intervals.length,
        );
        stretched.forEach((minutes, index) => {
          expect(minutes).toBeGreaterThanOrEqual(intervals[index] ?? 0);
          expect(minutes).toBeLessThanOrEqual(1440);
        });
      },
    ),
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../../../../src/errors.ts';
import {
  isAboveNorm,
  likelyByLead,
  normOf,
  type PortHistory,
  type PortPoll,
  readNorm,
} from '../../../../src/features/port-calls/days.ts';
import { port, prediction } from '../../../support/view-fixtures.ts';

const now = new Date('2026-11-21T09:05:00Z');
const dayMs = 86_400_000;
const asked = {
  codes: [port('NLRTM')],
  zone: 'Europe/Amsterdam',
  now,
  scale: 'fraction',
  leads: 10,
} as const;
const ago = (days: number, minutes = 0) => new Date(now.getTime() - days * dayMs - minutes * 60_000);

/** In each poll, one vessel is due a day later, with this probability. */
const pollAt = (at: Date, probability = 0.5): PortPoll => ({
  at,
  scale: 'fraction',
  predictions: [prediction('NLRTM', probability, new Date(at.getTime() + dayMs).toISOString())],
});

/** As the store, but in memory. */
function historyOf(polls: readonly PortPoll[]): PortHistory & { read: Date[] } {
  const read: Date[] = [];
  return {
    read,
    async findPolls(_, { times, withinMs }) {
      return polls
        .map(({ at }) => at)
        .filter((at) => times.some((time) => Math.abs(time.getTime() - at.getTime()) <= withinMs));
    },
    async *readPolls(_, times) {
      for (const time of times) {
        read.push(time);
        yield* polls.filter(({ at }) => at.getTime() === time.getTime());
      }
    },
  };
}

const days = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('the norm', () => {
  test('is known from fourteen past days on', async () => {
    const some = days(14).map((day) => pollAt(ago(day), day / 20));
    expect(await readNorm(asked, historyOf(some.slice(1)))).toEqual({
      kind: 'too-few',
      days: 13,
      isWatched: true,
    });
    const norm = await readNorm(asked, historyOf(some));
    expect(norm).toMatchObject({ kind: 'known', days: 14 });
    const [today, tomorrow] = norm.kind === 'known' ? norm.byLead : [];
    expect(today).toEqual({ median: 0, high: 0 });
    // 14 probabilities from 0.05 to 0.7; 13 of them are at most 0.65.
    expect(tomorrow?.median).toBeCloseTo(0.375);
    expect(tomorrow?.high).toBeCloseTo(0.65);
  });

  test('takes one poll for each past day: the one nearest to this time of the day', async () => {
    const early = days(14).map((day) => pollAt(ago(day, 100), 0.9));
    const near = days(14).map((day) => pollAt(ago(day, -15), 0.1));
    const late = days(14).map((day) => pollAt(ago(day, -170), 0.9));
    const today = pollAt(ago(0, 5), 0.9);
    const history = historyOf([...early, ...near, ...late, today]);
    const norm = await readNorm(asked, history);
    expect(norm).toMatchObject({ kind: 'known', byLead: { 1: { median: 0.1, high: 0.1 } } });
    expect(history.read).toHaveLength(14);
  });

  test('leaves out days whose polls were more than three hours earlier or later', async () => {
    const polls = days(20).map((day) => pollAt(ago(day, day <= 14 ? 175 : 185)));
    expect(await readNorm(asked, historyOf(polls))).toMatchObject({ kind: 'known', days: 14 });
  });

  test('near midnight takes no poll of the day before', async () => {
    // 00:30 in Amsterdam; the polls were at 23:00 the evening before.
    const atNight = { ...asked, now: new Date('2026-11-20T23:30:00Z') };
    const polls = days(20).map((day) => pollAt(new Date(Date.parse('2026-11-20T22:00:00Z') - day * dayMs)));
    expect(await readNorm(atNight, historyOf(polls))).toMatchObject({ kind: 'too-few', days: 0 });
  });

  test('leaves out answers of the other scale, which may have been misread', async () => {
    const polls = days(20).map((day) => ({ ...pollAt(ago(day)), scale: 'percent' as const }));
    expect(await readNorm(asked, historyOf(polls))).toMatchObject({ kind: 'too-few', days: 0 });
  });

  test('uses the code of the port that was watched', async () => {
    const history = historyOf(days(14).map((day) => pollAt(ago(day))));
    const codes = [port('CNSGH'), port('CNSHA')];
    const ofMain: PortHistory = {
      ...history,
      findPolls: async (code, near) => (code === 'CNSHA' ? await history.findPolls(code, near) : []),
    };
    expect(await readNorm({ ...asked, codes }, ofMain)).toMatchObject({ kind: 'known', days: 14 });
  });

  test('says whether the port is watched at all', async () => {
    expect(await readNorm(asked, historyOf([]))).toEqual({ kind: 'too-few', days: 0, isWatched: false });
    const old = historyOf(days(5).map((day) => pollAt(ago(day + 10))));
    expect(await readNorm(asked, old)).toEqual({ kind: 'too-few', days: 5, isWatched: false });
    const new_ = historyOf([pollAt(ago(0, 30))]);
    expect(await readNorm(asked, new_)).toEqual({ kind: 'too-few', days: 0, isWatched: true });
  });

  test('a store that does not answer costs the norm, not the answer', async () => {
    const findPolls = async () => {
      throw new StoreUnavailable('the database does not answer');
    };
    expect(await readNorm(asked, { ...historyOf([]), findPolls })).toEqual({ kind: 'unavailable' });
    const broken = async () => {
      throw new TypeError('a bug');
    };
    await expect(readNorm(asked, { ...historyOf([]), findPolls: broken })).rejects.toThrow('a bug');
  });
});

test('leads are days of the port, and vessels past their ETA or without one have none', () => {
  const at = new Date('2026-10-24T20:00:00Z');
  const predictions = [
    prediction('NLRTM', 0.9, '2026-10-24T19:59:00Z'),
    prediction('NLRTM', 0.8),
    prediction('NLRTM', 0.1, '2026-10-24T21:30:00Z'),
    // The 25th lasts 25 hours.
    prediction('NLRTM', 0.2, '2026-10-24T22:30:00Z'),
    prediction('NLRTM', 0.4, '2026-10-25T22:30:00Z'),
    prediction('NLRTM', 0.3, '2026-10-25T23:30:00Z'),
    prediction('NLRTM', 0.7, '2027-10-25T23:30:00Z'),
  ];
  const sums = likelyByLead({ at, predictions }, { zone: 'Europe/Amsterdam', leads: 4 });
  expect(sums.map((sum) => Math.round(sum * 10))).toEqual([1, 6, 3, 0]);
});

test('nine of ten past days have no more than the high end, and half no more than the median', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 90, noNaN: true }), { minLength: 14, maxLength: 60 }),
      (past) => {
        const [norm] = normOf(
          past.map((calls) => [calls]),
          1,
        );
        const { median = Number.NaN, high = Number.NaN } = norm ?? {};
        const share = (of: (calls: number) => boolean) => past.filter(of).length / past.length;
        expect(share((calls) => calls <= high)).toBeGreaterThanOrEqual(0.9);
        expect(share((calls) => calls < high)).toBeLessThan(0.9);
        expect(share((calls) => calls <= median)).toBeGreaterThanOrEqual(0.5);
        expect(share((calls) => calls >= median)).toBeGreaterThanOrEqual(0.5);
      },
    ),
  );
});

test.each([
  { likely: 3.1, high: 3, isAbove: true },
  // Both are shown as 3.0.
  { likely: 3.04, high: 2.96, isAbove: false },
  { likely: 3, high: 3, isAbove: false },
  { likely: 0.9, high: 0, isAbove: false },
  { likely: 1, high: 0.9, isAbove: true },
])('$likely likely calls, of which nine in ten days had up to $high: $isAbove', ({
  likely,
  high,
  isAbove,
}) => {
  expect(isAboveNorm(likely, { median: 0, high })).toBe(isAbove);
  expect(isAboveNorm(likely, undefined)).toBe(false);
});

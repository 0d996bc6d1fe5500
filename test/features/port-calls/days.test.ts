import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Prediction } from '../../../src/analytics/answers.ts';
import { StoreUnavailable } from '../../../src/errors.ts';
import {
  chancesOfCounts,
  countByDay,
  isAboveNorm,
  likelyByLead,
  likelyCallsOf,
  normOf,
  type PortHistory,
  type PortPoll,
  readNorm,
  sameTimeBefore,
} from '../../../src/features/port-calls/days.ts';
import type { Imo } from '../../../src/reference/codes.ts';
import { aPrediction, aTime } from '../../support/answer-arbitraries.ts';
import { port, prediction } from '../../support/view-fixtures.ts';

const now = new Date('2026-11-21T09:05:00Z');
const amsterdam = { zone: 'Europe/Amsterdam', now, period: undefined };

const calls = (...etas: readonly (string | undefined)[]): Prediction[] =>
  etas.map((eta, index) => prediction('NLRTM', 0.5, eta, { imo: (9000000 + index) as Imo }));

const shown = (predictions: readonly Prediction[], options: Parameters<typeof countByDay>[1] = amsterdam) =>
  countByDay(predictions, options).counted.days.map(({ day, vessels }) => `${day.slice(5)}: ${vessels}`);

describe('the days', () => {
  test('are ten of the port, from today on, unless a period is asked for', () => {
    const predictions = calls('2026-11-21T22:59:00Z', '2026-11-21T23:01:00Z', '2026-11-30T22:00:00Z');
    expect(shown(predictions)).toEqual([
      '11-21: 1',
      '11-22: 1',
      ...['23', '24', '25', '26', '27', '28', '29'].map((day) => `11-${day}: 0`),
      '11-30: 1',
    ]);
  });

  test('of a period are whole days, though it ends at noon', () => {
    const period = { begin: new Date('2026-11-22T11:00:00Z'), end: new Date('2026-11-24T11:00:00Z') };
    const predictions = calls('2026-11-22T01:00:00Z', '2026-11-24T20:00:00Z', '2026-11-25T01:00:00Z');
    expect(shown(predictions, { ...amsterdam, period })).toEqual(['11-22: 1', '11-23: 0', '11-24: 1']);
  });

  test('do not include the day at whose midnight the period ends', () => {
    const period = { begin: new Date('2026-11-21T23:00:00Z'), end: new Date('2026-11-22T23:00:00Z') };
    expect(shown([], { ...amsterdam, period })).toEqual(['11-22: 0']);
  });

  test('of a long period end with the last predicted call, but there are twenty at least', () => {
    const period = { begin: now, end: new Date('2027-11-21T09:05:00Z') };
    const long = { ...amsterdam, period };
    expect(shown(calls('2026-11-22T12:00:00Z'), long)).toHaveLength(20);
    expect(shown(calls('2027-01-10T12:00:00Z'), long).at(-1)).toBe('01-10: 1');
  });

  test('have 23 or 25 hours when the clocks change', () => {
    const autumn = { ...amsterdam, now: new Date('2026-10-24T10:00:00Z') };
    // 25 October 2026 begins at 22:00 UTC and ends at 23:00 UTC.
    const long = calls(
      '2026-10-24T21:59:00Z',
      '2026-10-24T22:00:00Z',
      '2026-10-25T22:59:00Z',
      '2026-10-25T23:00:00Z',
    );
    expect(shown(long, autumn).slice(0, 3)).toEqual(['10-24: 1', '10-25: 2', '10-26: 1']);
    const spring = { ...amsterdam, now: new Date('2027-03-27T10:00:00Z') };
    // 28 March 2027 begins at 23:00 UTC and ends at 22:00 UTC.
    const short = calls(
      '2027-03-27T22:59:00Z',
      '2027-03-27T23:00:00Z',
      '2027-03-28T21:59:00Z',
      '2027-03-28T22:00:00Z',
    );
    expect(shown(short, spring).slice(0, 3)).toEqual(['03-27: 1', '03-28: 2', '03-29: 1']);
  });
});

test('vessels past their ETA, without one, or after the last day stand apart', () => {
  const predictions = calls(
    '2026-11-21T09:04:00Z',
    undefined,
    '2026-12-01T12:00:00Z',
    '2026-11-22T12:00:00Z',
  );
  const { counted, listed } = countByDay(predictions, amsterdam);
  expect(counted).toMatchObject({
    overdue: { vessels: 1, likely: 0.5 },
    undated: { vessels: 1 },
    later: { vessels: 1 },
    total: { vessels: 1, likely: 0.5 },
  });
  expect(listed.map(({ when }) => when)).toEqual(['within', 'unknown', 'after', 'within']);
});

test('if the period begins later, calls before it belong to no day', () => {
  const period = { begin: new Date('2026-11-23T23:00:00Z'), end: new Date('2026-11-24T23:00:00Z') };
  const predictions = calls('2026-11-20T12:00:00Z', '2026-11-22T12:00:00Z', '2026-11-24T12:00:00Z');
  const { counted, listed } = countByDay(predictions, { ...amsterdam, period });
  expect(listed.map(({ when }) => when)).toEqual(['before', 'before', 'within']);
  expect(counted).toMatchObject({ total: { vessels: 1 }, overdue: { vessels: 1 }, later: { vessels: 0 } });
});

test('every vessel counts once: on a day, apart, or outside of the period', () => {
  const zone = fc.constantFrom('Europe/Amsterdam', 'Asia/Kolkata', 'Pacific/Kiritimati', 'America/St_Johns');
  const period = fc.option(
    fc
      .tuple(aTime, fc.integer({ min: 1, max: 40 * 24 }))
      .map(([begin, hours]) => ({ begin, end: new Date(begin.getTime() + hours * 3_600_000) })),
    { nil: undefined },
  );
  fc.assert(
    fc.property(fc.array(aPrediction), zone, period, aTime, (predictions, inZone, span, at) => {
      const inFuture = span && span.end > at ? span : undefined;
      const { counted, listed } = countByDay(predictions, { zone: inZone, now: at, period: inFuture });
      const { days, total, overdue, undated, later } = counted;
      const outside = listed.filter(({ when, eta }) => when === 'before' && eta && eta >= at).length;
      const onDays = days.reduce((sum, { vessels }) => sum + vessels, 0);
      expect(onDays).toBe(total.vessels);
      expect(onDays + overdue.vessels + undated.vessels + later.vessels + outside).toBe(predictions.length);
      expect(days.length).toBeGreaterThan(0);
    }),
    { numRuns: 200 },
  );
});

test('the same time of an earlier day is that of the clock there, not 24 hours ago', () => {
  const monday = new Date('2026-10-26T09:00:00Z');
  expect(sameTimeBefore(monday, 'Europe/Amsterdam', 1).toISOString()).toBe('2026-10-25T09:00:00.000Z');
  expect(sameTimeBefore(monday, 'Europe/Amsterdam', 2).toISOString()).toBe('2026-10-24T08:00:00.000Z');
});

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
])('$likely likely calls, where nine in ten days had up to $high: $isAbove', ({ likely, high, isAbove }) => {
  expect(isAboveNorm(likely, { median: 0, high })).toBe(isAbove);
  expect(isAboveNorm(likely, undefined)).toBe(false);
});

const probability = fc.double({ min: 0, max: 1, noNaN: true });
const some = fc.array(probability, { maxLength: 9 });

/** Goes through every combination of vessels that call and vessels that don't. */
function bruteForce(probabilities: readonly number[]): number[] {
  const chances = Array.from({ length: probabilities.length + 1 }, () => 0);
  for (let calls = 0; calls < 2 ** probabilities.length; calls += 1) {
    const calling = probabilities.map((_, index) => Math.floor(calls / 2 ** index) % 2 === 1);
    const chance = probabilities.reduce((product, p, index) => product * (calling[index] ? p : 1 - p), 1);
    const count = calling.filter(Boolean).length;
    chances[count] = (chances[count] ?? 0) + chance;
  }
  return chances;
}

test('the chances of each number of calls are those of all combinations', () => {
  fc.assert(
    fc.property(some, (probabilities) => {
      const expected = bruteForce(probabilities);
      const chances = chancesOfCounts(probabilities);
      expect(chances).toHaveLength(expected.length);
      for (const [count, chance] of chances.entries()) expect(chance).toBeCloseTo(expected[count] ?? 0, 10);
    }),
    { numRuns: 200 },
  );
});

test('the range holds in at least eight of ten cases, with at most one of ten on either side', () => {
  fc.assert(
    fc.property(some, (probabilities) => {
      const { low, high, likely, vessels } = likelyCallsOf(probabilities);
      const chances = bruteForce(probabilities);
      const sum = (from: number, to: number) =>
        chances.slice(from, to).reduce((total, each) => total + each, 0);
      expect(sum(0, low)).toBeLessThanOrEqual(0.1 + 1e-9);
      expect(sum(high + 1, chances.length)).toBeLessThanOrEqual(0.1 + 1e-9);
      expect(sum(low, high + 1)).toBeGreaterThanOrEqual(0.8 - 1e-9);
      // A smaller range would leave out more.
      expect(sum(0, low + 1)).toBeGreaterThanOrEqual(0.1 - 1e-9);
      expect(sum(high, chances.length)).toBeGreaterThan(0.1 - 1e-9);
      expect(likely).toBeCloseTo(probabilities.reduce((total, p) => total + p, 0));
      expect(vessels).toBe(probabilities.length);
    }),
    { numRuns: 200 },
  );
});

test('certain calls have no range, and no vessels no calls', () => {
  expect(likelyCallsOf([1, 1, 0])).toEqual({ likely: 2, low: 2, high: 2, vessels: 3 });
  expect(likelyCallsOf([])).toEqual({ likely: 0, low: 0, high: 0, vessels: 0 });
  expect(likelyCallsOf([1.0001])).toEqual({ likely: 1, low: 1, high: 1, vessels: 1 });
});

test('five hundred vessels of a large port', () => {
  const { low, high, likely } = likelyCallsOf(Array.from({ length: 500 }, () => 0.5));
  // The normal distribution: 250 ± 1.2816 × 11.18.
  expect([low, likely, high]).toEqual([236, 250, 264]);
});

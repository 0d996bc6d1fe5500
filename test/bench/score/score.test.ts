import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Answer, leads, type PredictedCall, predictedCall } from '../../../bench/score/answers.ts';
import { outOfBounds } from '../../../bench/score/bounds.ts';
import { changes, type TrueCall } from '../../../bench/score/calls.ts';
import { boundText } from '../../../bench/score/report.ts';
import { onTopHours, scoreOf } from '../../../bench/score/score.ts';
import { compareRecords } from '../../../bench/score/views.ts';

const hourMs = 3_600_000;
const arrivalMs = Date.parse('2026-12-01T12:00:00Z');

/** `0.6 NLRTM +2`: the port with its probability, and an ETA two hours after the arrival. Likeliest first. */
const answer = (hoursBefore: number, text = ''): Answer => ({
  atMs: arrivalMs - hoursBefore * hourMs,
  candidates: [...text.matchAll(/(\S+) ([A-Z]{5}) ([+-]\d+)/g)].map(([, probability, port = '', hours]) => ({
    port,
    probability: Number(probability),
    etaMs: arrivalMs + Number(hours) * hourMs,
  })),
});

/** A call at Rotterdam; the answers by hours before it are both its leads and its polls. */
function call(answers: Record<number, string>, change: TrueCall['change'] = 'on schedule'): PredictedCall {
  const all = Object.entries(answers).map(([hours, text]) => ({ hours: Number(hours), text }));
  return {
    imo: 9461477,
    port: 'NLRTM',
    arrivalMs,
    nextSinceMs: arrivalMs - 200 * hourMs,
    change,
    atLead: new Map(
      leads.flatMap((lead) =>
        all.flatMap(({ hours, text }) => (hours === lead ? [[lead, answer(hours, text)]] : [])),
      ),
    ),
    polls: all.toSorted((a, b) => b.hours - a.hours).map(({ hours, text }) => answer(hours, text)),
  };
}

const right = '0.6 NLRTM -4, 0.3 DEHAM +9';
const wrong = '0.7 DEHAM +9, 0.2 NLRTM +6';
const unlisted = '0.8 DEHAM +9';

describe('at a lead', () => {
  const [, , , dayAhead] = scoreOf([
    call({ 24: right }),
    call({ 24: wrong }, 'diverted'),
    call({ 24: unlisted }),
    call({ 24: '' }),
    call({ 6: right }),
  ]).leads;

  test('counts the calls that were next already, and what was right, not listed or not predicted', () => {
    expect(dayAhead).toMatchObject({
      leadHours: 24,
      calls: 4,
      onTop: 1 / 4,
      onSchedule: 3 / 4,
      unlisted: 1,
      withoutPrediction: 1,
    });
  });

  test("the ETA's error counts from the ETA of the port where the ship called, and is positive for a late ship", () => {
    expect(dayAhead?.etaHours).toEqual({ mean: -1, p10: -6, p50: -6, p90: 4 });
    expect(dayAhead?.absoluteEtaHours).toEqual({ mean: 5, p10: 4, p50: 4, p90: 6 });
  });

  test('the Brier score is of the likeliest port', () => {
    expect(dayAhead?.brier).toBeCloseTo((0.4 ** 2 + 0.7 ** 2 + 0.8 ** 2) / 3);
  });
});

test('reliability: each poll is in the range of what it said, and 100% is in the last one', () => {
  const { reliability, calibrationError } = scoreOf([
    call({ 60: '0.5 NLRTM +1', 30: '0.55 DEHAM +1', 10: '0.59 NLRTM +1' }),
    call({ 30: '0.52 DEHAM +1', 20: '', 10: '1 NLRTM +1' }),
  ]);
  expect(reliability).toEqual([
    { from: 0.5, to: 0.6, polls: 4, calls: 2, said: expect.closeTo(0.54), cameTrue: 0.5 },
    { from: 0.9, to: 1, polls: 1, calls: 1, said: 1, cameTrue: 1 },
  ]);
  expect(calibrationError).toBeCloseTo((4 * 0.04) / 5);
});

test('how early a change shows: from when on the port is the likeliest without a break', () => {
  expect(onTopHours(call({ 60: right, 40: wrong, 20: right, 10: right }))).toBe(20);
  expect(onTopHours(call({ 60: right, 10: right }))).toBe(60);
  expect(onTopHours(call({ 60: right, 10: wrong }))).toBe(0);
  const [onSchedule, diverted, swapped] = scoreOf([
    call({ 40: wrong, 20: right }, 'diverted'),
    call({ 40: right, 20: wrong }, 'diverted'),
    call({ 40: right }),
    call({ 40: right, 20: unlisted }),
  ]).changes;
  expect(onSchedule).toMatchObject({ calls: 2, changedMind: 0.5 });
  expect(diverted).toEqual({
    change: 'diverted',
    calls: 2,
    share: 0.5,
    changedMind: 1,
    onTopAtEnd: 0.5,
    onTopHours: { mean: 20, p10: 20, p50: 20, p90: 20 },
  });
  expect(swapped).toMatchObject({ calls: 0, share: 0 });
});

const anyTrueCall = fc
  .record({
    imo: fc.integer({ min: 1, max: 9 }),
    port: fc.constantFrom('NLRTM', 'DEHAM', 'BEANR'),
    arrivalMs: fc.integer({ min: 0, max: 1e12 }),
    legHours: fc.integer({ min: 6, max: 400 }),
    change: fc.constantFrom(...changes),
  })
  .map(({ legHours, ...made }) => ({ ...made, nextSinceMs: made.arrivalMs - legHours * hourMs }));

test('a predictor that knows the truth has no error at all', () => {
  fc.assert(
    fc.property(fc.array(anyTrueCall, { minLength: 1, maxLength: 20 }), (calls) => {
      const score = scoreOf(
        calls.map((made) => {
          const { imo, port, arrivalMs: etaMs } = made;
          return predictedCall(
            {
              vesselPredictions: () => [
                { imo, port: 'USNYC', etaMs, probability: 0 },
                { imo, port, etaMs, probability: 1 },
              ],
            },
            made,
          );
        }),
      );
      const none = { mean: 0, p10: 0, p50: 0, p90: 0 };
      for (const lead of score.leads)
        if (lead.calls > 0)
          expect(lead).toMatchObject({
            onTop: 1,
            brier: 0,
            unlisted: 0,
            etaHours: none,
            absoluteEtaHours: none,
          });
      for (const { calls: count, onTopAtEnd } of score.changes) if (count > 0) expect(onTopAtEnd).toBe(1);
      expect(score.calibrationError).toBe(0);
      expect(score.reliability).toHaveLength(1);
    }),
  );
});

test('a call is asked about at the leads at which it was next, and every three hours in between', () => {
  const asked: number[] = [];
  const vesselPredictions = (_imo: number, atMs: number) => {
    asked.push((arrivalMs - atMs) / hourMs);
    return [];
  };
  const { imo, port, change } = call({});
  const made = { imo, port, change, arrivalMs, nextSinceMs: arrivalMs - 25.5 * hourMs };
  expect([...predictedCall({ vesselPredictions }, made).atLead.keys()]).toEqual([24, 6]);
  expect(asked.toSorted((a, b) => b - a)).toEqual([24, 24, 21, 18, 15, 12, 9, 6, 6, 3]);
});

test('two views differ where one lacks a record, or says something else', () => {
  const record = (port: string, probability: number) => ({
    vessel_imo_number: 9461477,
    un_location_code: port,
    eta_datetime: '2026-12-01T12:00:00.000+00:00',
    probability,
  });
  const byVessel = [record('NLRTM', 0.6), record('DEHAM', 0.3), record('BEANR', 0.1)];
  const byPort = [record('DEHAM', 0.4), record('NLRTM', 0.6), record('GBFXT', 0.1)];
  expect(compareRecords(byVessel, byPort)).toMatchObject({ records: 4, different: 3 });
  expect(compareRecords(byVessel, byVessel.toReversed())).toMatchObject({ records: 3, different: 0 });
});

describe('bounds', () => {
  const views = { records: 900, different: 0, ships: 300, otherTop: 0, shipRecords: 900, withoutEta: 70 };
  const always = (count: number) =>
    scoreOf(Array.from({ length: count }, () => call({ 24: right, 6: right })));

  test('a predictor that is always right and never sure is out of bounds, and so are views that differ', () => {
    expect(
      outOfBounds(always(300), { ...views, different: 2 })
        .map(boundText)
        .join('\n'),
    ).toMatchInlineSnapshot(`
      "Out of bounds: the share of calls whose port was the likeliest 24 h before is 1.000, and should be from 0.86 to 0.97.
      Out of bounds: the 90th percentile of the error of the ETA 24 h before, in hours, is 4.000, and should be from 6 to 24.
      Out of bounds: the distance between what was said and what came true is 0.400, and should be from 0 to 0.1.
      Out of bounds: the share of calls that were not made as scheduled is 0.000, and should be from 0.06 to 0.2.
      Out of bounds: the share of calls on schedule for which the likeliest port changed is 0.000, and should be from 0.03 to 0.2.
      Out of bounds: the number of records that differ between vessel view and port view is 2.000, and should be from 0 to 0."
    `);
  });

  test('no bound applies to figures of few cases', () => {
    expect(outOfBounds(always(20), { ...views, records: 20, different: 2 })).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../src/answers/answer.ts';
import { type BaselineLines, baselineLines } from '../../../src/features/digests/digest.ts';
import { hasNewRow, whatIsNew } from '../../../src/features/digests/what-is-new.ts';
import type { Imo, Locode } from '../../../src/reference/codes.ts';
import type { Prospect } from '../../../src/reference/prediction.ts';

const cypress = 9461477 as Imo;
const diana = 9755933 as Imo;
const now = new Date('2026-11-23T08:00Z');
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);

const etaOf = (eta: number | null) => (eta === null ? null : hours(eta));
/** A vessel's question, which has no row if nothing is predicted; null without an answer. */
const ofVessel = (imo: Imo, call: Prospect | undefined | null): Comparison => ({
  questions: [
    {
      ...{ id: String(imo), isList: false },
      rows: call === null ? null : call ? [{ id: String(imo), imo, call }] : [],
    },
  ],
});
/** Port, hours to the ETA, probability. */
const next = (port: string, eta: number | null = 48, probability = 0.8, imo = cypress): Comparison =>
  ofVessel(imo, { port: port as Locode, probability, eta: etaOf(eta) });
type When = 'before' | 'within' | 'after' | 'unknown';
type Call = readonly [Imo, number, number | null];
const at = (id: string, list: readonly Call[] | null, when: When = 'within') => ({
  ...{ id, isList: true },
  rows:
    list?.map(([imo, probability, eta]) => ({
      ...{ id: String(imo), imo, when },
      call: { port: id as Locode, probability, eta: etaOf(eta) },
    })) ?? null,
});
const calls = (...list: Call[]): Comparison => ({ questions: [at('NLRTM', list)], from: 0.1 });
/** One vessel, in the answer of a line with a period. */
const inPeriod = (when: When, eta: number | null, probability = 0.9): Comparison => ({
  ...{ questions: [at('NLRTM', [[cypress, probability, eta]], when)], period: 'next 3 days', from: 0.1 },
});

/** The news of the last of several digests, each stored and read back. */
function lastNews(...digests: (Comparison | null)[]) {
  let memory: BaselineLines = {};
  let last: ReturnType<typeof whatIsNew>['news'] = [];
  for (const comparison of digests) {
    const result = whatIsNew(memory, [{ line: 'a line', comparison }], now);
    memory = baselineLines.parse(JSON.parse(JSON.stringify(result.baseline)));
    last = result.news;
  }
  return last;
}

describe('next ports', () => {
  it('have no news the first time, or if nothing has changed', () => {
    expect(lastNews(next('NLRTM'))).toEqual([]);
    expect(lastNews(next('NLRTM'), next('NLRTM'))).toEqual([]);
  });
  it('report the new and the old port', () => {
    expect(lastNews(next('NLRTM'), next('BEANR', 24))).toMatchObject([
      {
        kind: 'next-port-changed',
        imo: cypress,
        was: { port: 'NLRTM', eta: hours(48) },
        now: { port: 'BEANR' },
      },
    ]);
  });
  it('treat two codes of one port as the same', () => {
    expect(lastNews(next('CNSHA'), next('CNSHG'))).toEqual([]);
  });
  it.each([
    [48, 53.9, []],
    [48, 54, ['eta-moved']],
    [48, 42, ['eta-moved']],
    [48, null, []],
    [null, 48, []],
  ])('an ETA that moved from %s to %s hours ahead', (was, is, kinds) => {
    expect(lastNews(next('NLRTM', was), next('NLRTM', is)).map(({ kind }) => kind)).toEqual(kinds);
  });
  it('keep the old prediction of a vessel without an answer, and have no news of it', () => {
    const failed = ofVessel(cypress, null);
    expect(lastNews(next('NLRTM'), failed)).toEqual([]);
    expect(lastNews(next('NLRTM'), failed, next('NLRTM'))).toEqual([]);
    expect(lastNews(next('NLRTM'), failed, next('BEANR'))).toMatchObject([{ was: { port: 'NLRTM' } }]);
    expect(lastNews(failed, failed)).toEqual([]);
  });
  it('report a prediction that disappears, and one that comes back', () => {
    const none = ofVessel(cypress, undefined);
    expect(lastNews(next('NLRTM'), none)).toMatchObject([{ kind: 'next-port-changed', now: null }]);
    expect(lastNews(next('NLRTM'), none, none)).toEqual([]);
    expect(lastNews(none, next('NLRTM'))).toMatchObject([{ kind: 'next-port-changed', was: null }]);
  });
});

describe('port calls', () => {
  it('report vessels that are newly expected, no longer expected, or whose ETA moved', () => {
    expect(lastNews(calls([cypress, 0.9, 30]), calls([diana, 0.6, 50]))).toMatchObject([
      { kind: 'new-arrival', imo: diana, now: { port: 'NLRTM', probability: 0.6 } },
      { kind: 'no-longer-expected', imo: cypress, was: { port: 'NLRTM', eta: hours(30) } },
    ]);
    expect(lastNews(calls([cypress, 0.9, 30]), calls([cypress, 0.8, 40]))).toMatchObject([
      { kind: 'eta-moved', was: { eta: hours(30) }, now: { eta: hours(40) } },
    ]);
  });
  it('ignore a call that is gone after its ETA: the vessel has probably arrived', () => {
    expect(lastNews(calls([cypress, 0.9, -1]), calls())).toEqual([]);
    expect(lastNews(calls([cypress, 0.9, null]), calls())).toHaveLength(1);
  });
  it('expect a call from 50% on, until it falls under 40%', () => {
    expect(lastNews(calls(), calls([cypress, 0.49, 30]))).toEqual([]);
    expect(lastNews(calls(), calls([cypress, 0.5, 30]))).toHaveLength(1);
    expect(lastNews(calls([cypress, 0.5, 30]), calls([cypress, 0.4, 30]))).toEqual([]);
    expect(lastNews(calls([cypress, 0.5, 30]), calls([cypress, 0.39, 30]))).toMatchObject([
      { kind: 'no-longer-expected' },
    ]);
    // Around the threshold from day to day: reported once.
    expect(
      lastNews(calls(), calls([cypress, 0.5, 30]), calls([cypress, 0.45, 30]), calls([cypress, 0.5, 30])),
    ).toEqual([]);
  });
});

describe('port calls within a period', () => {
  it('report an expected call that comes within the period', () => {
    const news = lastNews(inPeriod('after', 100), inPeriod('within', 101));
    expect(news).toMatchObject([{ kind: 'now-within', imo: cypress, period: 'next 3 days' }]);
    expect(lastNews(inPeriod('within', 60), inPeriod('within', 61))).toEqual([]);
    expect(lastNews(inPeriod('unknown', null), inPeriod('within', 60))).toMatchObject([
      { kind: 'now-within' },
    ]);
    expect(lastNews(inPeriod('after', 100, 0.3), inPeriod('within', 60))).toMatchObject([
      { kind: 'new-arrival' },
    ]);
  });
  it('report an ETA that moved into the period or beyond it as moved', () => {
    expect(lastNews(inPeriod('after', 100), inPeriod('within', 60))).toMatchObject([{ kind: 'eta-moved' }]);
    expect(lastNews(inPeriod('within', 70), inPeriod('after', 73))).toMatchObject([
      { kind: 'eta-moved', was: { eta: hours(70) }, now: { eta: hours(73) }, beyond: 'next 3 days' },
    ]);
  });
  it('ignore calls that were never shown, and days that have passed', () => {
    expect(lastNews(inPeriod('after', 100), inPeriod('after', 200))).toEqual([]);
    expect(lastNews(inPeriod('after', 100), { ...calls(), period: 'next 3 days' })).toEqual([]);
    expect(lastNews(inPeriod('within', 30), inPeriod('before', 31))).toEqual([]);
    expect(lastNews(inPeriod('within', 60), inPeriod('unknown', null))).toEqual([]);
  });
  it('report a call within the period that is gone or improbable', () => {
    const gone = { ...calls(), period: 'next 3 days' };
    expect(lastNews(inPeriod('within', 60), gone)).toMatchObject([{ kind: 'no-longer-expected' }]);
    expect(lastNews(inPeriod('within', 60), inPeriod('after', 90, 0.2))).toMatchObject([
      { kind: 'no-longer-expected' },
    ]);
  });
  it('use the minimum probability of the line if it is higher', () => {
    const atLeast = (probability: number) => ({ ...inPeriod('within', 60, probability), from: 0.7 });
    expect(lastNews(atLeast(0.6), atLeast(0.65))).toEqual([]);
    expect(lastNews(atLeast(0.6), atLeast(0.7))).toMatchObject([{ kind: 'new-arrival' }]);
    expect(lastNews(atLeast(0.7), atLeast(0.61))).toEqual([]);
    expect(lastNews(atLeast(0.7), atLeast(0.59))).toMatchObject([{ kind: 'no-longer-expected' }]);
  });
});

describe('the lines of a digest', () => {
  const ask = (before: BaselineLines, ...answers: [string, Comparison | null][]) =>
    whatIsNew(
      before,
      answers.map(([line, comparison]) => ({ line, comparison })),
      now,
    );
  it('keep the baseline of a line that failed, and drop the baseline of a removed line', () => {
    const { baseline: before } = ask({}, ['one', next('NLRTM')], ['two', next('NLRTM', 48, 0.8, diana)]);
    const { news, baseline: after } = ask(before, ['one', null]);
    expect(news).toEqual([]);
    expect(after).toEqual({ one: before.one });
    expect(ask(after, ['one', next('BEANR')]).news).toHaveLength(1);
  });
  it('have no news of a new line', () => {
    const { baseline: before } = ask({}, ['one', next('NLRTM')]);
    expect(ask(before, ['one', next('NLRTM')], ['two', next('BEANR')]).news).toEqual([]);
  });
  it('report only once the news that two lines share', () => {
    const { baseline: before } = ask({}, ['one', next('NLRTM')], ['two', next('NLRTM')]);
    expect(ask(before, ['one', next('BEANR')], ['two', next('BEANR')]).news).toHaveLength(1);
  });
});

it('the same answer again is never news', () => {
  const etas = fc.option(fc.integer({ min: -100, max: 1000 }));
  const ports = fc.constantFrom('NLRTM', 'BEANR', 'CNSHA', 'CNSHG');
  const facts = fc.oneof(
    fc.tuple(ports, etas, fc.double({ min: 0, max: 1, noNaN: true })).map((args) => next(...args)),
    fc
      .uniqueArray(
        fc.tuple(fc.constantFrom(cypress, diana), fc.double({ min: 0, max: 1, noNaN: true }), etas),
        { selector: ([imo]) => imo },
      )
      .map((list) => calls(...list)),
  );
  fc.assert(
    fc.property(fc.array(facts, { maxLength: 4 }), facts, (before, last) => {
      expect(lastNews(...before, last, last)).toEqual([]);
    }),
  );
});

describe('several ports in one line', () => {
  const several = (...questions: ReturnType<typeof at>[]): Comparison => ({ questions });

  it('each have their own news', () => {
    const before = several(at('NLRTM', [[cypress, 0.9, 48]]), at('BEANR', [[diana, 0.9, 48]]));
    const after = several(
      at('NLRTM', [
        [cypress, 0.9, 60],
        [diana, 0.8, 30],
      ]),
      at('BEANR', [[diana, 0.9, 48]]),
    );
    expect(lastNews(before, before)).toEqual([]);
    expect(lastNews(before, after)).toMatchObject([
      { kind: 'eta-moved', imo: cypress, now: { port: 'NLRTM' } },
      { kind: 'new-arrival', imo: diana, now: { port: 'NLRTM' } },
    ]);
  });

  it('a port without an answer keeps what the last digest showed', () => {
    const both = several(at('NLRTM', [[cypress, 0.9, 48]]), at('BEANR', [[diana, 0.9, 48]]));
    const one = several(at('NLRTM', [[cypress, 0.9, 48]]), at('BEANR', null));
    const moved = several(at('NLRTM', [[cypress, 0.9, 48]]), at('BEANR', [[diana, 0.9, 58]]));
    expect(lastNews(both, one)).toEqual([]);
    expect(lastNews(both, one, moved)).toMatchObject([{ kind: 'eta-moved', imo: diana }]);
  });

  it('a port that had no answer before has no news', () => {
    const one = several(at('NLRTM', [[cypress, 0.9, 48]]), at('BEANR', null));
    const both = several(at('NLRTM', [[cypress, 0.9, 48]]), at('BEANR', [[diana, 0.9, 48]]));
    expect(lastNews(one, both)).toEqual([]);
    expect(lastNews(one, both, several(at('NLRTM', [[cypress, 0.9, 48]]), at('BEANR', [])))).toMatchObject([
      { kind: 'no-longer-expected', imo: diana, was: { port: 'BEANR' } },
    ]);
  });
});

describe('a comparison of a lane', () => {
  const marks = (...marked: [string, 'more' | 'fewer'][]): Comparison => ({
    questions: [
      {
        id: 'carriers',
        isList: true,
        rows: marked.map(([carrier, change]) => ({ id: `${carrier} ${change}` })),
      },
    ],
  });

  it('is news if a change is marked that was not, once', () => {
    expect(hasNewRow(marks(), marks(['MAEU', 'more']))).toBe(true);
    expect(hasNewRow(marks(['MAEU', 'more']), marks(['MAEU', 'more']))).toBe(false);
    expect(hasNewRow(marks(['MAEU', 'more']), marks(['MAEU', 'fewer']))).toBe(true);
    expect(hasNewRow(marks(['MAEU', 'more'], ['MSCU', 'more']), marks(['MSCU', 'more']))).toBe(false);
  });
  it('is no news the first time, or without an answer', () => {
    expect(hasNewRow(undefined, marks(['MAEU', 'more']))).toBe(false);
    expect(hasNewRow(marks(), null)).toBe(false);
  });
  it('is stored as it is, and an answer for one period alone leaves it', () => {
    const { baseline } = whatIsNew({}, [{ line: 'a line', comparison: marks(['MAEU', 'more']) }], now);
    const stored = baselineLines.parse(JSON.parse(JSON.stringify(baseline)));
    expect(stored).toEqual({ 'a line': marks(['MAEU', 'more']) });
    const unanswered = { questions: [{ id: 'carriers', isList: true, rows: null }] };
    expect(whatIsNew(stored, [{ line: 'a line', comparison: unanswered }], now).baseline).toEqual(stored);
    expect(hasNewRow(stored['a line'], unanswered)).toBe(false);
  });
});

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { changeAtPort, changesBetween, hasEtaMoved, strictest } from '../../src/predictions/changes.ts';
import { type Moment, rankProspects } from '../../src/predictions/next-port.ts';
import { type Purpose, thresholds } from '../../src/predictions/thresholds.ts';
import type { Locode } from '../../src/reference/codes.ts';
import { hour, type Ports, predictions } from '../support/watch-story.ts';

const moment = (at: number, ports: Ports): Moment => ({
  at: hour(at),
  ranked: rankProspects(predictions(ports)),
});

const own = {
  etaCheckHours: 12,
  below: 0.5,
  overdueHours: 6,
  due: [{ port: 'NLRTM' as Locode, at: hour(120) }],
};
const counted = { ...thresholds.changes, ...own };
const brief = (before: Moment, after: Moment) =>
  changesBetween(before, after, counted).map(({ severity, kind }) => `${severity} ${kind}`);

test.each<[string, Ports, Ports, string[]]>([
  ['nothing', { NLRTM: [0.8, 100] }, { NLRTM: [0.8, 100] }, []],
  ['too little', { NLRTM: [0.8, 100] }, { NLRTM: [0.71, 104.4] }, []],
  ['3 h and 5% of the time left', { NLRTM: [0.8, 100] }, { NLRTM: [0.8, 105] }, ['information eta-moved']],
  ['12 h, as the rule says', { NLRTM: [0.8, 100] }, { NLRTM: [0.8, 88] }, ['check eta-moved']],
  ['10 points', { NLRTM: [0.8, 100] }, { NLRTM: [0.7, 100] }, ['information likelihood']],
  ['an ETA is given', { NLRTM: 0.8 }, { NLRTM: [0.8, 100] }, ['information eta-given']],
  ['an ETA is left out', { NLRTM: [0.8, 100] }, { NLRTM: 0.8 }, []],
  ['late', { NLRTM: [0.8, 119] }, { NLRTM: [0.8, 121] }, ['act due']],
  ['late before', { NLRTM: [0.8, 121] }, { NLRTM: [0.8, 122] }, []],
  ['unlikely', { NLRTM: [0.5, 100] }, { NLRTM: [0.45, 100] }, ['check unlikely']],
  ['overdue', { NLRTM: [0.8, 4] }, { NLRTM: [0.8, 4] }, ['act overdue']],
  ['undecided', { NLRTM: [0.6, 100], DEHAM: 0.3 }, { NLRTM: [0.6, 100], DEHAM: 0.55 }, ['check undecided']],
  ['diverted', { NLRTM: [0.8, 100] }, { DEHAM: [0.6, 120], NLRTM: 0.4 }, ['act diverted']],
  ['another port leads by little', { NLRTM: [0.8, 100] }, { DEHAM: 0.6, NLRTM: 0.52 }, ['check diverted']],
  ['another port leads by 5 points', { NLRTM: [0.8, 100] }, { DEHAM: 0.6, NLRTM: 0.55 }, ['check undecided']],
  ['the next leg', { NLRTM: [0.8, 12] }, { DEHAM: [0.8, 120] }, ['information next-leg']],
  [
    'the next leg, which is unlikely',
    { NLRTM: [0.8, 12] },
    { DEHAM: [0.3, 120] },
    ['check unlikely', 'information next-leg'],
  ],
  ['lost', { NLRTM: [0.8, 100] }, {}, ['check lost']],
  ['predicted', {}, { NLRTM: [0.8, 100] }, ['information predicted']],
  ['never predicted', {}, {}, []],
])('from hour 0 to hour 10: %s', (_, before, after, expected) => {
  expect(brief(moment(0, before), moment(10, after))).toEqual(expected);
});

test.each<[string, Ports, Ports, string | undefined]>([
  ['newly expected', { NLRTM: 0.49 }, { NLRTM: 0.5 }, 'information expected'],
  ['expected as before', { NLRTM: [0.8, 100] }, { NLRTM: [0.4, 100] }, undefined],
  ['no longer', { NLRTM: [0.8, 100] }, { NLRTM: [0.39, 100] }, 'check not-expected'],
  ['not predicted, long before its ETA', { NLRTM: [0.8, 23] }, {}, 'check not-expected'],
  ['not predicted, at about its ETA', { NLRTM: [0.8, 22] }, {}, 'information left'],
  ['moved', { NLRTM: [0.8, 100] }, { NLRTM: [0.8, 112] }, 'check eta-moved'],
  ['unlikely as before', { NLRTM: 0.2 }, { NLRTM: 0.3 }, undefined],
])('a vessel at a port, from hour 0 to hour 10: %s', (_, before, after, expected) => {
  const change = changeAtPort(moment(0, before), moment(10, after), counted);
  expect(change && `${change.severity} ${change.kind}`).toBe(expected);
});

test('of several watches, the strictest rules count', () => {
  const other = { etaCheckHours: 24, below: 0.7, overdueHours: 2, due: [] };
  expect(strictest(own, other)).toEqual({ etaCheckHours: 12, below: 0.7, overdueHours: 2, due: own.due });
});

const call = fc.tuple(
  fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
  fc.integer({ min: -20, max: 400 }),
);
const ports = fc.dictionary(fc.constantFrom('NLRTM', 'DEHAM', 'BEANR', 'CNSHA'), call, {
  maxKeys: 3,
  noNullPrototype: true,
});
const moments = fc
  .tuple(ports, ports, fc.constantFrom(0.25, 1, 10, 100))
  .map(([before, after, hours]) => [moment(0, before), moment(hours, after)] as const);

describe('whatever was predicted', () => {
  /** What differs between two answers. Whether a call is unlikely or overdue is asked only for rules. */
  const differences = ['diverted', 'undecided', 'next-leg', 'lost', 'predicted', 'eta-moved'];

  it.each<[Purpose, Purpose]>([
    ['history', 'digest'],
    ['history', 'changes'],
    ['history', 'alert'],
    ['digest', 'alert'],
    ['changes', 'alert'],
  ])('%s counts every difference that counts for %s', (finer, coarser) => {
    const column = (purpose: Purpose, [before, after]: readonly [Moment, Moment]) =>
      changesBetween(before, after, thresholds[purpose])
        .map(({ kind }) => kind)
        .filter((kind) => differences.includes(kind));
    fc.assert(
      fc.property(moments, (pair) => {
        const found = column(finer, pair);
        // Undecided, or a new trouble, may be said before.
        expect(found).toEqual(
          expect.arrayContaining(column(coarser, pair).filter((kind) => kind !== 'undecided')),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('an ETA that has moved for a rule is to be checked, whatever the rule', () => {
    const rule = fc.integer({ min: 1, max: 240 });
    fc.assert(
      fc.property(moments, rule, ([before, after], hours) => {
        const [was, now] = [before.ranked[0], after.ranked[0]];
        if (!was || was.port !== now?.port) return;
        const column = { etaHours: hours, etaShare: 0, daysAhead: Number.POSITIVE_INFINITY };
        if (!hasEtaMoved({ eta: was.eta, at: before.at }, { eta: now.eta, at: after.at }, column)) return;
        const changes = changesBetween(before, after, { ...thresholds.changes, etaCheckHours: hours });
        expect(changes).toContainEqual({ severity: 'check', kind: 'eta-moved', was, now });
      }),
      { numRuns: 500 },
    );
  });

  it('nothing has changed since the same moment, and what matters most comes first', () => {
    const severities = ['act', 'check', 'information'];
    fc.assert(
      fc.property(moments, ([before, after]) => {
        expect(changesBetween(after, after, counted)).toEqual([]);
        expect(changeAtPort(after, after, counted)).toBeUndefined();
        const ranks = changesBetween(before, after, counted).map(({ severity }) =>
          severities.indexOf(severity),
        );
        expect(ranks).toEqual(ranks.toSorted((one, other) => one - other));
      }),
    );
  });
});

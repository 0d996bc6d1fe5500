import { expect, test } from 'vitest';
import { comparePorts, isUndecided, rankProspects, rivalOf } from '../../src/predictions/next-port.ts';
import { thresholds } from '../../src/predictions/thresholds.ts';
import type { Locode } from '../../src/reference/codes.ts';
import { hour, type Ports, predictions } from '../support/watch-story.ts';

test('a difference of 5 points is undecided, whatever floating point makes of it', () => {
  expect(isUndecided(0.82, 0.77)).toBe(true);
  expect(isUndecided(0.3, 0.25)).toBe(true);
  expect(isUndecided(0.82, 0.76)).toBe(false);
  expect(isUndecided(0.03, undefined)).toBe(false);
});

test.each<[string, number | null, Ports, unknown]>([
  ['the likeliest still', 100, { NLRTM: 0.5, DEHAM: 0.49 }, undefined],
  ['nothing is predicted', 100, {}, undefined],
  ['overtaken by more than 10 points', 100, { DEHAM: 0.6, NLRTM: 0.4 }, { kind: 'diverted', isClear: true }],
  ['by exactly 10', 100, { DEHAM: 0.5, NLRTM: 0.4 }, { kind: 'diverted', isClear: true }],
  ['by less', 100, { DEHAM: 0.5, NLRTM: 0.42 }, { kind: 'diverted', isClear: false }],
  ['by 5 points', 100, { DEHAM: 0.5, NLRTM: 0.45 }, { kind: 'undecided', isClear: false }],
  ['no longer predicted', 100, { DEHAM: 0.1 }, { kind: 'diverted', isClear: true, old: null }],
  ['no longer predicted, 3 h before its ETA', 3, { DEHAM: 0.1 }, { kind: 'next-leg', isClear: true }],
  ['no longer predicted, a little earlier', 3.1, { DEHAM: 0.1 }, { kind: 'diverted' }],
  ['no longer predicted, its ETA unknown', null, { DEHAM: 0.1 }, { kind: 'diverted' }],
])('the next port was Rotterdam: %s', (_, eta, ports, expected) => {
  const was = { port: 'NLRTM' as Locode, eta: eta === null ? null : hour(eta) };
  const found = comparePorts(
    was,
    { at: hour(0), ranked: rankProspects(predictions(ports)) },
    thresholds.alert,
  );
  if (expected) expect(found).toMatchObject(expected);
  else expect(found).toBeUndefined();
});

test.each<[Ports, unknown]>([
  [{ NLRTM: 0.9, DEHAM: 0.1 }, undefined],
  [
    { NLRTM: 0.5, DEHAM: 0.47 },
    { rival: { port: 'DEHAM' }, isLikelier: false },
  ],
  [
    { DEHAM: 0.5, NLRTM: 0.2 },
    { rival: { port: 'DEHAM' }, isLikelier: true },
  ],
])('the port that may be next instead of Rotterdam, of %j', (ports, expected) => {
  const found = rivalOf(rankProspects(predictions(ports)), 'NLRTM' as Locode);
  if (expected) expect(found).toMatchObject(expected);
  else expect(found).toBeUndefined();
});

import { describe, expect, test } from 'vitest';
import { isShown, standingInWords, standingOf } from '../../../src/features/rules/standing.ts';
import { rankProspects } from '../../../src/predictions/next-port.ts';
import type { Due } from '../../../src/predictions/promises.ts';
import type { Locode } from '../../../src/reference/codes.ts';
import { hour, type Ports, predictions } from '../../support/watch-story.ts';

const port = 'NLRTM' as Locode;
const now = hour(10);
const due = (more: Partial<Due> = {}): Due => ({ port, at: hour(100), ...more });

describe('how a promise stands', () => {
  test.each<[string, Due, Ports, { words: string; isUnknown?: true }]>([
    ['in time', due(), { NLRTM: [0.9, 90] }, { words: 'in time, 10 h to spare, 90%' }],
    ['late', due(), { NLRTM: [0.9, 109] }, { words: '🟠 9 h late, ETA Wed 25 Nov 14:00, 90%' }],
    [
      'early',
      due({ earliest: hour(95) }),
      { NLRTM: [0.9, 90] },
      { words: '🟠 5 h early, ETA Tue 24 Nov 19:00, 90%' },
    ],
    [
      'too unlikely',
      due({ minimum: 0.8 }),
      { NLRTM: [0.7, 90] },
      { words: '🔴 at risk, only 70% (80% promised)' },
    ],
    [
      'another port',
      due(),
      { NLRTM: [0.3, 90], FRLEH: [0.7, 80] },
      { words: '🔴 at risk, Le Havre is likelier (70%)' },
    ],
    [
      'not predicted',
      due(),
      { FRLEH: [0.7, 80] },
      { words: '🔴 at risk, not predicted: Le Havre is likelier (70%)' },
    ],
    [
      'a call before it says nothing against it',
      due({ at: hour(300) }),
      { NLRTM: [0.1, 290], SGSIN: [0.8, 30] },
      { words: 'Singapore comes first (80%), ETA Thu 3 Dec 03:00', isUnknown: true },
    ],
    [
      'late after a call before it',
      due({ at: hour(280) }),
      { NLRTM: [0.1, 290], SGSIN: [0.8, 30] },
      { words: '🟠 10 h late, ETA Thu 3 Dec 03:00, Singapore comes first (80%)' },
    ],
    [
      'a call before it, without its port',
      due({ at: hour(300) }),
      { SGSIN: [0.8, 30] },
      { words: 'Singapore comes first (80%)', isUnknown: true },
    ],
    [
      'past due',
      due({ at: hour(8) }),
      { NLRTM: [0.9, 7] },
      { words: '🟠 past due, still forecast, ETA Sat 21 Nov 08:00, 90%' },
    ],
    ['nothing predicted', due(), {}, { words: 'no prediction now', isUnknown: true }],
    ['no ETA', due(), { NLRTM: 0.9 }, { words: 'ETA not given, 90%', isUnknown: true }],
    [
      'an ETA that has passed is never in time',
      due(),
      { NLRTM: [0.9, 5] },
      { words: 'ETA passed 5 h ago, still forecast, 90%', isUnknown: true },
    ],
  ])('%s', (_, promised, ports, standing) => {
    const { isUnknown, ...shown } = standingOf(promised, { ranked: rankProspects(predictions(ports)) }, now);
    expect(standingInWords(shown)).toBe(standing.words);
    expect(isUnknown).toBe(standing.isUnknown);
  });

  test('a vessel that has probably called there is not at risk', () => {
    const ranked = rankProspects(predictions({ FRLEH: [0.7, 80] }));
    expect(standingOf(due(), { ranked, wasProbablyCalled: true }, now)).toEqual({
      ...{ words: 'no longer predicted, at about its ETA', marker: '', isUnknown: true },
    });
  });

  test('one whose time has passed shows for a day, if it is broken', () => {
    const past = (hours: number, ports: Ports) => {
      const promised = due({ at: hour(10 - hours) });
      const standing = standingOf(promised, { ranked: rankProspects(predictions(ports)) }, now);
      return isShown(promised, standing, now) ? standing.words : undefined;
    };
    expect(past(23, { NLRTM: [0.9, 12] })).toBe('🟠 1 d 1 h late');
    expect(past(23, { FRLEH: [0.7, 80] })).toBe('🔴 past due, not predicted: Le Havre is likelier (70%)');
    expect(past(1, { NLRTM: [0.9, 8] })).toBe('🟠 past due, still forecast');
    expect(past(1, {})).toBeUndefined();
    expect(past(24, { NLRTM: [0.9, 12] })).toBeUndefined();
  });
});

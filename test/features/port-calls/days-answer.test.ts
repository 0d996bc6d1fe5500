import { describe, expect, test } from 'vitest';
import type { PortDay, PortDays } from '../../../src/features/port-calls/days.ts';
import { daysAnswer } from '../../../src/features/port-calls/days-answer.ts';
import { format } from '../../../src/features/port-calls/ports.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead, asReadPlain } from '../../support/message-text.ts';
import { slackFaults } from '../../support/slack-faults.ts';
import { asked, now, port } from '../../support/view-fixtures.ts';

const calls = (likely: number, low: number, high: number, vessels: number) => ({
  likely,
  low,
  high,
  vessels,
});
const none = calls(0, 0, 0, 0);
const day = (name: string, figures: ReturnType<typeof calls>, more: Partial<PortDay> = {}): PortDay => ({
  day: name,
  ...figures,
  isAbove: false,
  ...more,
});

const { page: _, ...provenance } = asked;
const rotterdam: PortDays = {
  ...provenance,
  port: port('NLRTM'),
  insteadOf: undefined,
  days: [
    day('2026-11-21', calls(2.2, 1, 3, 3), { norm: { median: 3.4, high: 5 } }),
    day('2026-11-22', calls(11.82, 9, 14, 15), { norm: { median: 8.04, high: 10.1 }, isAbove: true }),
    day('2026-11-23', calls(0.04, 0, 0, 1), { norm: { median: 0, high: 0.8 } }),
    day('2026-11-24', none, { norm: { median: 0, high: 0.8 } }),
  ],
  total: calls(14.06, 12, 16, 19),
  overdue: calls(0.5, 0, 1, 1),
  undated: calls(0.3, 0, 1, 2),
  later: calls(2, 1, 3, 4),
  norm: { kind: 'known', days: 21 },
  listed: [],
  isUnknown: false,
};
const unknown: PortDays = {
  ...{ ...rotterdam, port: port('XXABC'), isUnknown: true, days: [], norm: undefined },
  ...{ overdue: none, undated: none, later: none, total: none },
};
const withoutNorm = rotterdam.days.map(({ norm: _, ...each }) => ({ ...each, isAbove: false }));

function viewOf(ports: readonly PortDays[], failed: readonly ReturnType<typeof port>[] = []) {
  const [first = port('NLRTM'), ...others] = [...ports.map((each) => each.port), ...failed];
  const values = {
    port: [first, ...others],
    period: undefined,
    minProbability: 0.1,
    by: 'day',
    page: 1,
  } as const;
  const answer = daysAnswer(
    { ...provenance, ports, failed },
    {
      page: 1,
      now,
      typed: values.port,
      periodInWords: undefined,
      lineWith: (other) => format({ ...values, ...other }),
    },
  );
  return messageOf(answer, format(values));
}
const read = (more: Partial<PortDays> = {}) => asRead(viewOf([{ ...rotterdam, ...more }]));

describe('the likely calls of each day', () => {
  test('of one day', () => {
    expect(read({ days: rotterdam.days.slice(1, 2) })).toMatch(
      /^text: Rotterdam: 11\.8 likely calls \(9–14\) Sun 22 Nov · 🟠 above the norm: Sun 22 Nov; /,
    );
  });

  test('none at all', () => {
    const days = [day('2026-11-21', none), day('2026-11-22', none)];
    expect(read({ ...unknown, port: port('NLRTM'), isUnknown: false, days })).toContain(
      '*Rotterdam: no likely calls 21–22 Nov*',
    );
  });

  test('on pages of as many days as a chart has bars', () => {
    const days = Array.from({ length: 45 }, (_, index) =>
      day(new Date(Date.UTC(2026, 10, 21 + index)).toISOString().slice(0, 10), calls(1, 0, 2, 3)),
    );
    expect(slackFaults(viewOf([{ ...rotterdam, days }]))).toEqual([]);
    expect(read({ days })).toContain('1–20 of 45 shown');
    expect(read({ days })).toContain('[Next 20 → portcalls NLRTM by day page 2]');
  });
});

describe('the small print says how far the norm is', () => {
  const noteOf = (norm: PortDays['norm']) => {
    const shown = read({ days: withoutNorm, norm });
    expect(shown).toContain('| Day | Likely calls | Vessels |');
    return /· (?:[^·]*norm[^·]*) ·/.exec(shown.replace(/^text: .*\n/, ''))?.[0];
  };
  test.each([
    [{ kind: 'too-few', days: 9, isWatched: true }, '· no norm yet: 9 of 14 days of history ·'],
    [{ kind: 'too-few', days: 0, isWatched: true }, '· no norm yet: 0 of 14 days of history ·'],
    [
      { kind: 'too-few', days: 0, isWatched: false },
      '· no norm yet: watch the port to learn it in 14 days ·',
    ],
    [
      { kind: 'too-few', days: 5, isWatched: false },
      '· no norm yet: 5 of 14 days of history; watch the port for more ·',
    ],
    [{ kind: 'unavailable' }, "· the norm can't be read at the moment ·"],
    [undefined, undefined],
  ] as const)('%j', (norm, note) => {
    expect(noteOf(norm)).toBe(note);
  });
});

describe('several ports by day', () => {
  const antwerp: PortDays = {
    ...rotterdam,
    port: port('BEANR'),
    days: withoutNorm.map((each) => ({ ...each, likely: each.likely / 2 })),
    overdue: none,
    later: none,
    norm: { kind: 'too-few', days: 0, isWatched: false },
  };

  test('have a column and a series each', () => {
    const message = viewOf([rotterdam, antwerp, unknown], [port('DEHAM')]);
    expect(asRead(message)).toMatchInlineSnapshot(`
      "text: 3 of 4 ports: busiest Sun 22 Nov, 17.7 likely calls · 21–24 Nov: 21.1 likely calls. Rotterdam: busiest Sun 22 Nov, 11.8 likely calls (9–14) · 🟠 above the norm: Sun 22 Nov. Antwerp: busiest Sun 22 Nov, 5.9 likely calls (9–14). Sat 21 Nov · All 3.3 · Rotterdam 2.2 (1–3) · Antwerp 1.1 (1–3); Sun 22 Nov · All 17.7 · Rotterdam 🟠 11.8 (9–14) · Antwerp 5.9 (9–14); Mon 23 Nov · All 0.1 · Rotterdam under 0.1 (0) · Antwerp under 0.1 (0); Tue 24 Nov · All 0 · Rotterdam 0 · Antwerp 0; Past ETA · All 0.5 · Rotterdam 0.5 (0–1) · Antwerp 0; No ETA · All 0.6 · Rotterdam 0.3 (0–1) · Antwerp 0.3 (0–1). No predictions for XXABC · 🟠 No answer for Hamburg. Forecast as of 09:05 UTC · NLRTM, BEANR · days are each port's own · likely calls: sums of probabilities, today from now on · in brackets: 8 of 10 cases, if vessels call independently · later days are incomplete: only each vessel's next port is predicted (and 5 more)

      *3 of 4 ports: busiest Sun 22 Nov, 17.7 likely calls* · 21–24 Nov: 21.1 likely calls
      Rotterdam: busiest Sun 22 Nov, 11.8 likely calls (9–14) · 🟠 above the norm: Sun 22 Nov
      Antwerp: busiest Sun 22 Nov, 5.9 likely calls (9–14)
      No predictions for XXABC · 🟠 No answer for Hamburg
      (bar chart: Likely calls per day, vessels)
        Rotterdam: Sat 2.2, Sun 11.8, Mon 0.04, Tue 0
        Antwerp: Sat 1.1, Sun 5.9, Mon 0.02, Tue 0
      (table: Likely calls by day at Rotterdam, Antwerp)
      | Day | All | Rotterdam | Antwerp |
      | Sat 21 Nov | 3.3 | 2.2 (1–3) | 1.1 (1–3) |
      | Sun 22 Nov | 17.7 | 🟠 11.8 (9–14) | 5.9 (9–14) |
      | Mon 23 Nov | 0.1 | under 0.1 (0) | under 0.1 (0) |
      | Tue 24 Nov | 0 | 0 | 0 |
      | Past ETA | 0.5 | 0.5 (0–1) | 0 |
      | No ETA | 0.6 | 0.3 (0–1) | 0.3 (0–1) |
      Forecast as of 09:05 UTC · NLRTM, BEANR · days are each port's own · likely calls: sums of probabilities, today from now on · in brackets: 8 of 10 cases, if vessels call independently · later days are incomplete: only each vessel's next port is predicted · norm of NLRTM: median of 21 past days at the same notice; 🟠 above 9 in 10 of them · no norm of BEANR yet: watch BEANR to learn it in 14 days · 2.0 more likely calls after Tue 24 Nov (4 vessels) · name and zone not known here: times are UTC · no answer for DEHAM: press Refresh
      [Refresh → portcalls NLRTM, BEANR, XXABC, DEHAM by day] [By ETA → portcalls NLRTM, BEANR, XXABC, DEHAM] [Share → portcalls NLRTM, BEANR, XXABC, DEHAM by day] [▾ Watch Rotterdam → watch port NLRTM | Watch Antwerp → watch port BEANR]"
    `);
    expect(slackFaults(message)).toEqual([]);
    expect(asReadPlain(message)).toContain(
      '\nSun 22 Nov · All 17.7 · Rotterdam 🟠 11.8 (9–14) · Antwerp 5.9 (9–14)\n',
    );
  });

  test('with other days, as on both sides of the Pacific', () => {
    const [first, ...others] = rotterdam.days;
    const shown = asRead(
      viewOf([
        { ...rotterdam, days: first ? [first] : [] },
        { ...antwerp, days: others.slice(0, 1) },
      ]),
    );
    expect(shown.match(/^\| S.*/gm)).toEqual([
      '| Sat 21 Nov | 2.2 | 2.2 (1–3) | – |',
      '| Sun 22 Nov | 11.8 | – | 🟠 11.8 (9–14) |',
    ]);
  });
});

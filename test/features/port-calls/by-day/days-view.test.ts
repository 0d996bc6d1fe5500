import { describe, expect, test } from 'vitest';
import type { PortDay } from '../../../../src/features/port-calls/by-day/days.ts';
import { type PortDaysAnswer, portDaysView } from '../../../../src/features/port-calls/by-day/days-view.ts';
import {
  type SeveralPortDaysAnswer,
  severalPortDaysView,
} from '../../../../src/features/port-calls/by-day/several-days-view.ts';
import { asRead, asReadPlain, blockLines } from '../../../support/message-text.ts';
import { slackFaults } from '../../../support/slack-faults.ts';
import { asked, port, reader } from '../../../support/view-fixtures.ts';

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

const answer: PortDaysAnswer = {
  kind: 'port-days',
  line: 'portcalls NLRTM by day',
  port: port('NLRTM'),
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
  also: [port('USRAJ')],
  otherOrderLine: 'portcalls NLRTM',
  byDayLine: 'portcalls NLRTM by day',
  showAllLine: 'portcalls NLRTM by day',
  allDatesLine: 'portcalls NLRTM by day',
  ...asked,
};
const withoutNorm = answer.days.map(({ norm: _, isAbove: __, ...each }) => ({ ...each, isAbove: false }));
const viewOf = (more: Partial<PortDaysAnswer> = {}) => portDaysView({ ...answer, ...more }, reader);
const read = (more: Partial<PortDaysAnswer> = {}) => asRead(viewOf(more));

describe('the likely calls of each day', () => {
  test('with the norm', () => {
    expect(read()).toMatchInlineSnapshot(`
      "text: Rotterdam: busiest Sun 22 Nov, 11.8 likely calls (9–14) · 21–24 Nov: 14.1 likely calls (12–16) · 🟠 above the norm: Sun 22 Nov; Sat 21 Nov · 2.2 likely calls (1–3) · norm 3.4 · 3 vessels; 🟠 Sun 22 Nov · 11.8 likely calls (9–14) · norm 8.0 · 15 vessels; Mon 23 Nov · under 0.1 likely calls (0) · norm 0 · 1 vessel; Tue 24 Nov · 0 likely calls · norm 0 · 0 vessels; Past ETA · 0.5 likely calls (0–1) · 1 vessel; No ETA · 0.3 likely calls (0–1) · 2 vessels

      *Rotterdam: busiest Sun 22 Nov, 11.8 likely calls (9–14)* · 21–24 Nov: 14.1 likely calls (12–16) · 🟠 above the norm: Sun 22 Nov
      (bar chart: Likely calls per day (sum of probabilities))
        Likely calls: Sat 2.2, Sun 11.8, Mon 0.04, Tue 0
      (table: Likely calls at Rotterdam by day)
      | Day | Likely calls | Norm | Vessels |
      | Sat 21 Nov | 2.2 (1–3) | 3.4 | 3 |
      | 🟠 Sun 22 Nov | 11.8 (9–14) | 8.0 | 15 |
      | Mon 23 Nov | under 0.1 (0) | 0 | 1 |
      | Tue 24 Nov | 0 | 0 | 0 |
      | Past ETA | 0.5 (0–1) | – | 1 |
      | No ETA | 0.3 (0–1) | – | 2 |
      Forecast as of 09:05 UTC · NLRTM · port view · likely calls: sums of probabilities, today from now on · in brackets: 8 of 10 cases, if vessels call independently · later days are incomplete: only each vessel's next port is predicted · norm: median of 21 past days at the same notice; 🟠 above 9 in 10 of them · 2.0 more likely calls after Tue 24 Nov (4 vessels)
      [Watch → watch port NLRTM] [Refresh → portcalls NLRTM by day] [By ETA → portcalls NLRTM] [Also: Rotterdam, US (USRAJ) → portcalls USRAJ by day] [Share → portcalls NLRTM by day]"
    `);
    expect(slackFaults(viewOf())).toEqual([]);
  });

  test('without newer blocks', () => {
    expect(asReadPlain(viewOf())).toMatchInlineSnapshot(`
      "text: Rotterdam: busiest Sun 22 Nov, 11.8 likely calls (9–14) · 21–24 Nov: 14.1 likely calls (12–16) · 🟠 above the norm: Sun 22 Nov; Sat 21 Nov · 2.2 likely calls (1–3) · norm 3.4 · 3 vessels; 🟠 Sun 22 Nov · 11.8 likely calls (9–14) · norm 8.0 · 15 vessels; Mon 23 Nov · under 0.1 likely calls (0) · norm 0 · 1 vessel; Tue 24 Nov · 0 likely calls · norm 0 · 0 vessels; Past ETA · 0.5 likely calls (0–1) · 1 vessel; No ETA · 0.3 likely calls (0–1) · 2 vessels

      *Rotterdam: busiest Sun 22 Nov, 11.8 likely calls (9–14)* · 21–24 Nov: 14.1 likely calls (12–16) · 🟠 above the norm: Sun 22 Nov
      Sat 21 Nov · 2.2 likely calls (1–3) · norm 3.4 · 3 vessels
      🟠 Sun 22 Nov · 11.8 likely calls (9–14) · norm 8.0 · 15 vessels
      Mon 23 Nov · under 0.1 likely calls (0) · norm 0 · 1 vessel
      Tue 24 Nov · 0 likely calls · norm 0 · 0 vessels
      Past ETA · 0.5 likely calls (0–1) · 1 vessel
      No ETA · 0.3 likely calls (0–1) · 2 vessels
      Forecast as of 09:05 UTC · NLRTM · port view · likely calls: sums of probabilities, today from now on · in brackets: 8 of 10 cases, if vessels call independently · later days are incomplete: only each vessel's next port is predicted · norm: median of 21 past days at the same notice; 🟠 above 9 in 10 of them · 2.0 more likely calls after Tue 24 Nov (4 vessels)
      [Watch → watch port NLRTM] [Refresh → portcalls NLRTM by day] [By ETA → portcalls NLRTM] [Also: Rotterdam, US (USRAJ) → portcalls USRAJ by day] [Share → portcalls NLRTM by day]"
    `);
  });

  test('of one day', () => {
    expect(asRead(viewOf({ days: answer.days.slice(1, 2), norm: { kind: 'known', days: 14 } }))).toMatch(
      /^text: Rotterdam: 11\.8 likely calls \(9–14\) Sun 22 Nov · 🟠 above the norm: Sun 22 Nov; /,
    );
  });

  test('none at all', () => {
    const empty = { days: [day('2026-11-21', none), day('2026-11-22', none)], overdue: none, undated: none };
    expect(read({ ...empty, later: none, total: none })).toContain('*Rotterdam: no likely calls 21–22 Nov*');
  });

  test('of a port that the service does not know', () => {
    const empty = { days: [], overdue: none, undated: none, later: none, total: none, also: [] };
    const { norm: _, ...unknown } = { ...answer, ...empty, port: port('XXABC'), isUnknown: true };
    expect(asRead(portDaysView(unknown, reader))).toMatchInlineSnapshot(`
      "text: No predictions for XXABC · none expected, or the service does not know the port

      *No predictions for XXABC* · none expected, or the service does not know the port
      Forecast as of 09:05 UTC · port view · name and zone not known here: times are UTC
      [Refresh → portcalls NLRTM by day] [Share → portcalls NLRTM by day]"
    `);
  });

  test('on pages of as many days as a chart has bars', () => {
    const many = Array.from({ length: 45 }, (_, index) =>
      day(new Date(Date.UTC(2026, 10, 21 + index)).toISOString().slice(0, 10), calls(1, 0, 2, 3)),
    );
    const message = viewOf({ days: many });
    expect(slackFaults(message)).toEqual([]);
    expect(asRead(message)).toContain('1–20 of 45 shown');
    expect(asRead(message)).toContain('[Next 20 → portcalls NLRTM by day page 2]');
  });
});

describe('the small print says how far the norm is', () => {
  const noteOf = (norm: PortDaysAnswer['norm']) => {
    const { norm: _, ...rest } = { ...answer, days: withoutNorm };
    const shown = asRead(portDaysView({ ...rest, ...(norm && { norm }) }, reader));
    expect(shown).toContain('| Day | Likely calls | Vessels |');
    return /· (?:[^·]*norm[^·]*) ·/.exec(shown)?.[0];
  };
  test.each([
    [{ kind: 'too-few', days: 9, isWatched: true }, '· no norm yet: 9 of 14 days of history ·'],
    [{ kind: 'too-few', days: 0, isWatched: true }, '· no norm yet: 0 of 14 days of history ·'],
    [{ kind: 'too-few', days: 0, isWatched: false }, '· watch the port to learn the norm in 14 days ·'],
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
  const { line: _, page: __, kind: ___, ...rotterdam } = answer;
  const antwerp = {
    ...rotterdam,
    port: port('BEANR'),
    days: withoutNorm.map((each) => ({ ...each, likely: each.likely / 2 })),
    overdue: none,
    later: none,
    norm: { kind: 'too-few', days: 0, isWatched: false } as const,
  };
  const several: SeveralPortDaysAnswer = {
    ...answer,
    kind: 'several-port-days',
    line: 'portcalls NLRTM, BEANR, XXABC, DEHAM by day',
    otherOrderLine: 'portcalls NLRTM, BEANR, XXABC, DEHAM',
    ports: [
      rotterdam,
      antwerp,
      { ...rotterdam, port: port('XXABC'), isUnknown: true, days: [], overdue: none, undated: none },
    ],
    failed: [{ port: port('DEHAM') }],
  };

  test('have a column and a series each', () => {
    expect(asRead(severalPortDaysView(several, reader))).toMatchInlineSnapshot(`
      "text: 3 of 4 ports: busiest Sun 22 Nov, 17.7 likely calls · 21–24 Nov: 21.1 likely calls; Rotterdam: busiest Sun 22 Nov, 11.8 likely calls (9–14) · 🟠 above the norm: Sun 22 Nov; Antwerp: busiest Sun 22 Nov, 5.9 likely calls (9–14); XXABC: no predictions; 🟠 Hamburg: no answer; Sat 21 Nov · 3.3 likely calls · Rotterdam 2.2 (1–3) · Antwerp 1.1 (1–3); Sun 22 Nov · 17.7 likely calls · 🟠 Rotterdam 11.8 (9–14) · Antwerp 5.9 (9–14); Mon 23 Nov · 0.1 likely calls · Rotterdam under 0.1 (0) · Antwerp under 0.1 (0); Tue 24 Nov · 0 likely calls; Past ETA · 0.5 likely calls · Rotterdam 0.5 (0–1); No ETA · 0.6 likely calls · Rotterdam 0.3 (0–1) · Antwerp 0.3 (0–1)

      *3 of 4 ports: busiest Sun 22 Nov, 17.7 likely calls* · 21–24 Nov: 21.1 likely calls
      Rotterdam: busiest Sun 22 Nov, 11.8 likely calls (9–14) · 🟠 above the norm: Sun 22 Nov
      Antwerp: busiest Sun 22 Nov, 5.9 likely calls (9–14)
      XXABC: no predictions
      🟠 Hamburg: no answer
      (bar chart: Likely calls per day (sum of probabilities))
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
      Forecast as of 09:05 UTC · NLRTM, BEANR, XXABC · port view · days are each port's own · likely calls: sums of probabilities, today from now on · in brackets: 8 of 10 cases, if vessels call independently · later days are incomplete: only each vessel's next port is predicted · norm of NLRTM: median of 21 past days at the same notice; 🟠 above 9 in 10 of them · watch BEANR to learn the norm in 14 days · 2.0 more likely calls after Tue 24 Nov (4 vessels) · name and zone not known here: times are UTC · no answer for DEHAM: press Refresh
      [Refresh → portcalls NLRTM, BEANR, XXABC, DEHAM by day] [By ETA → portcalls NLRTM, BEANR, XXABC, DEHAM] [Share → portcalls NLRTM, BEANR, XXABC, DEHAM by day] [▾ Watch Rotterdam → watch port NLRTM | Watch Antwerp → watch port BEANR]"
    `);
    expect(slackFaults(severalPortDaysView(several, reader))).toEqual([]);
  });

  test('without newer blocks', () => {
    expect(asReadPlain(severalPortDaysView(several, reader))).toMatchInlineSnapshot(`
      "text: 3 of 4 ports: busiest Sun 22 Nov, 17.7 likely calls · 21–24 Nov: 21.1 likely calls; Rotterdam: busiest Sun 22 Nov, 11.8 likely calls (9–14) · 🟠 above the norm: Sun 22 Nov; Antwerp: busiest Sun 22 Nov, 5.9 likely calls (9–14); XXABC: no predictions; 🟠 Hamburg: no answer; Sat 21 Nov · 3.3 likely calls · Rotterdam 2.2 (1–3) · Antwerp 1.1 (1–3); Sun 22 Nov · 17.7 likely calls · 🟠 Rotterdam 11.8 (9–14) · Antwerp 5.9 (9–14); Mon 23 Nov · 0.1 likely calls · Rotterdam under 0.1 (0) · Antwerp under 0.1 (0); Tue 24 Nov · 0 likely calls; Past ETA · 0.5 likely calls · Rotterdam 0.5 (0–1); No ETA · 0.6 likely calls · Rotterdam 0.3 (0–1) · Antwerp 0.3 (0–1)

      *3 of 4 ports: busiest Sun 22 Nov, 17.7 likely calls* · 21–24 Nov: 21.1 likely calls
      Rotterdam: busiest Sun 22 Nov, 11.8 likely calls (9–14) · 🟠 above the norm: Sun 22 Nov
      Antwerp: busiest Sun 22 Nov, 5.9 likely calls (9–14)
      XXABC: no predictions
      🟠 Hamburg: no answer
      Sat 21 Nov · 3.3 likely calls · Rotterdam 2.2 (1–3) · Antwerp 1.1 (1–3)
      Sun 22 Nov · 17.7 likely calls · 🟠 Rotterdam 11.8 (9–14) · Antwerp 5.9 (9–14)
      Mon 23 Nov · 0.1 likely calls · Rotterdam under 0.1 (0) · Antwerp under 0.1 (0)
      Tue 24 Nov · 0 likely calls
      Past ETA · 0.5 likely calls · Rotterdam 0.5 (0–1)
      No ETA · 0.6 likely calls · Rotterdam 0.3 (0–1) · Antwerp 0.3 (0–1)
      Forecast as of 09:05 UTC · NLRTM, BEANR, XXABC · port view · days are each port's own · likely calls: sums of probabilities, today from now on · in brackets: 8 of 10 cases, if vessels call independently · later days are incomplete: only each vessel's next port is predicted · norm of NLRTM: median of 21 past days at the same notice; 🟠 above 9 in 10 of them · watch BEANR to learn the norm in 14 days · 2.0 more likely calls after Tue 24 Nov (4 vessels) · name and zone not known here: times are UTC · no answer for DEHAM: press Refresh
      [Refresh → portcalls NLRTM, BEANR, XXABC, DEHAM by day] [By ETA → portcalls NLRTM, BEANR, XXABC, DEHAM] [Share → portcalls NLRTM, BEANR, XXABC, DEHAM by day] [▾ Watch Rotterdam → watch port NLRTM | Watch Antwerp → watch port BEANR]"
    `);
  });

  test('with other days, as on both sides of the Pacific', () => {
    const [first, ...others] = answer.days;
    const ports = [
      { ...rotterdam, days: first ? [first] : [] },
      { ...antwerp, days: others.slice(0, 1) },
    ];
    const { blocks } = severalPortDaysView({ ...several, ports, failed: [] }, reader);
    expect(blocks.flatMap(blockLines).filter((line) => line.startsWith('| S'))).toEqual([
      '| Sat 21 Nov | 2.2 | 2.2 (1–3) | – |',
      '| Sun 22 Nov | 11.8 | – | 🟠 11.8 (9–14) |',
    ]);
  });
});

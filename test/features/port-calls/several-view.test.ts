import { describe, expect, test } from 'vitest';
import { type SeveralPortsAnswer, severalPortsView } from '../../../src/features/port-calls/several-view.ts';
import { asRead, asReadPlain, blockLines } from '../../support/message-text.ts';
import { slackFaults } from '../../support/slack-faults.ts';
import { asked, cypress, diana, nameless, port, reader } from '../../support/view-fixtures.ts';

const given = { etaZone: 'given' } as const;
const { page: _, ...provenance } = asked;
const portAnswer = {
  ...provenance,
  minProbability: 0.1,
  by: 'eta' as const,
  listed: [],
  overdueBefore: 0,
  isUnknown: false,
  also: [],
};
const rotterdam: SeveralPortsAnswer['ports'][number] = {
  ...portAnswer,
  port: port('NLRTM'),
  listedCalls: 2,
  hidden: 3,
  withoutEta: 0,
  expected: { days: [{ day: '2026-11-22', calls: 1.8 }], overdue: 0, undated: 0 },
};
const singapore: SeveralPortsAnswer['ports'][number] = {
  ...portAnswer,
  port: port('SGSIN'),
  listedCalls: 2,
  hidden: 0,
  withoutEta: 1,
  expected: { days: [{ day: '2026-11-23', calls: 0.4 }], overdue: 0, undated: 0.3 },
};
const answer: SeveralPortsAnswer = {
  kind: 'several-port-calls',
  line: 'portcalls NLRTM, SGSIN, DEHAM',
  ports: [rotterdam, singapore],
  failed: [{ port: port('DEHAM') }],
  calls: [
    {
      ...{ ...given, vessel: diana, port: port('NLRTM'), probability: 0.97 },
      ...{ eta: new Date('2026-11-22T04:20:00Z'), alsoAt: [] },
    },
    {
      ...{ ...given, vessel: cypress, port: port('NLRTM'), probability: 0.5 },
      ...{ eta: new Date('2026-11-22T07:00:00Z'), alsoAt: [port('SGSIN')] },
    },
    {
      ...{ ...given, vessel: cypress, port: port('SGSIN'), probability: 0.4 },
      ...{ eta: new Date('2026-11-22T18:00:00Z'), alsoAt: [port('NLRTM')] },
    },
    { ...given, vessel: nameless, port: port('SGSIN'), probability: 0.3, alsoAt: [] },
  ],
  vessels: 3,
  otherOrderLine: 'portcalls NLRTM, SGSIN, DEHAM by probability',
  byDayLine: 'portcalls NLRTM, SGSIN, DEHAM by day',
  showAllLine: 'portcalls NLRTM, SGSIN, DEHAM min 0%',
  allDatesLine: 'portcalls NLRTM, SGSIN, DEHAM',
  ...asked,
};
const viewOf = (more: Partial<SeveralPortsAnswer> = {}) => severalPortsView({ ...answer, ...more }, reader);

describe('the calls at several ports', () => {
  test('in one table, with the port beside the ETA', () => {
    expect(asRead(viewOf())).toMatchInlineSnapshot(`
      "text: 2 of 3 ports: 3 vessels may call 22–23 Nov · 1 of them at more than one port; Rotterdam: 2 vessels (1.8 likely calls); Singapore: 2 vessels (0.7 likely calls); 🟠 Hamburg: no answer; Sun 05:20 LT Rotterdam · MSC DIANA (9755933) · 97% · in 19 h; 🟠 Sun 08:00 LT Rotterdam · DS CYPRESS (9461477) · 50% · in 21 h · also Singapore; 🟠 Mon 02:00 LT Singapore · DS CYPRESS (9461477) · 40% · in 1 d 8 h · also Rotterdam; 🟠 ETA not given, Singapore · IMO 9811000 · 30%

      *2 of 3 ports: 3 vessels may call 22–23 Nov* · 1 of them at more than one port
      Rotterdam: 2 vessels (1.8 likely calls)
      Singapore: 2 vessels (0.7 likely calls)
      🟠 Hamburg: no answer
      (bar chart: Likely calls per day (sum of probabilities))
        Rotterdam: Sun 1.8, Mon 0
        Singapore: Sun 0, Mon 0.4
      (table: Vessels that may call at Rotterdam, Singapore)
      | ETA (LT), port | Vessel | % | In | Also at | IMO |
      | Sun 05:20 Rotterdam | MSC DIANA | 97% | in 19 h | – | 9755933 |
      | Sun 08:00 Rotterdam | 🟠 DS CYPRESS | 50% | in 21 h | Singapore | 9461477 |
      | Mon 02:00 Singapore | 🟠 DS CYPRESS | 40% | in 1 d 8 h | Rotterdam | 9461477 |
      | not given, Singapore | 🟠 IMO 9811000 | 30% | – | – | 9811000 |
      3 under 10% hidden · Forecast as of 09:05 UTC · NLRTM, SGSIN · port view · times are each port's own · 🟠 30–69% · no answer for DEHAM: press Refresh · further likely calls: 0.3 without ETA · likely calls include the hidden vessels
      [Refresh → portcalls NLRTM, SGSIN, DEHAM] [By probability → portcalls NLRTM, SGSIN, DEHAM by probability] [By day → portcalls NLRTM, SGSIN, DEHAM by day] [Show all → portcalls NLRTM, SGSIN, DEHAM min 0%] [Share → portcalls NLRTM, SGSIN, DEHAM] [▾ Watch Rotterdam → watch port NLRTM | Watch Singapore → watch port SGSIN]"
    `);
    expect(slackFaults(viewOf())).toEqual([]);
  });

  test('without newer blocks', () => {
    expect(asReadPlain(viewOf())).toMatchInlineSnapshot(`
      "text: 2 of 3 ports: 3 vessels may call 22–23 Nov · 1 of them at more than one port; Rotterdam: 2 vessels (1.8 likely calls); Singapore: 2 vessels (0.7 likely calls); 🟠 Hamburg: no answer; Sun 05:20 LT Rotterdam · MSC DIANA (9755933) · 97% · in 19 h; 🟠 Sun 08:00 LT Rotterdam · DS CYPRESS (9461477) · 50% · in 21 h · also Singapore; 🟠 Mon 02:00 LT Singapore · DS CYPRESS (9461477) · 40% · in 1 d 8 h · also Rotterdam; 🟠 ETA not given, Singapore · IMO 9811000 · 30%

      *2 of 3 ports: 3 vessels may call 22–23 Nov* · 1 of them at more than one port
      Rotterdam: 2 vessels (1.8 likely calls)
      Singapore: 2 vessels (0.7 likely calls)
      🟠 Hamburg: no answer
      Likely calls per day (sum of probabilities)
      Rotterdam: Sun 1.8 · Mon 0
      Singapore: Sun 0 · Mon 0.4
      Sun 05:20 LT Rotterdam · MSC DIANA (9755933) · 97% · in 19 h
      🟠 Sun 08:00 LT Rotterdam · DS CYPRESS (9461477) · 50% · in 21 h · also Singapore
      🟠 Mon 02:00 LT Singapore · DS CYPRESS (9461477) · 40% · in 1 d 8 h · also Rotterdam
      🟠 ETA not given, Singapore · IMO 9811000 · 30%
      3 under 10% hidden · Forecast as of 09:05 UTC · NLRTM, SGSIN · port view · times are each port's own · 🟠 30–69% · no answer for DEHAM: press Refresh · further likely calls: 0.3 without ETA · likely calls include the hidden vessels
      [Refresh → portcalls NLRTM, SGSIN, DEHAM] [By probability → portcalls NLRTM, SGSIN, DEHAM by probability] [By day → portcalls NLRTM, SGSIN, DEHAM by day] [Show all → portcalls NLRTM, SGSIN, DEHAM min 0%] [Share → portcalls NLRTM, SGSIN, DEHAM] [▾ Watch Rotterdam → watch port NLRTM | Watch Singapore → watch port SGSIN]"
    `);
  });
});

describe('the verdict', () => {
  const verdict = (more: Partial<SeveralPortsAnswer>) => {
    const [first] = viewOf({ failed: [], ...more }).blocks;
    return first && blockLines(first).join().split('\n')[0];
  };
  const spans = (first: [string, string], second: [string, string]): Partial<SeveralPortsAnswer> => {
    const [one, other] = [first, second].map(([begin, end]) => ({
      begin: new Date(begin),
      end: new Date(end),
    }));
    return {
      ports: [
        { ...rotterdam, ...(one && { period: one }) },
        { ...singapore, ...(other && { period: other }) },
      ],
      periodInWords: 'tomorrow',
    };
  };

  test('names the days of the period, if they are the same at all ports', () => {
    const same = spans(
      ['2026-11-21T23:00:00Z', '2026-11-22T23:00:00Z'],
      ['2026-11-21T16:00:00Z', '2026-11-22T16:00:00Z'],
    );
    expect(verdict(same)).toContain('*Rotterdam, Singapore: 3 vessels may call Sun 22 Nov*');
    expect(asRead(viewOf(same))).toContain('1 without an ETA left out: they may call in another period');
  });

  test('else names the period as it was typed', () => {
    const different = spans(
      ['2026-11-21T23:00:00Z', '2026-11-22T23:00:00Z'],
      ['2026-11-22T16:00:00Z', '2026-11-23T16:00:00Z'],
    );
    expect(verdict(different)).toContain('*Rotterdam, Singapore: 3 vessels may call tomorrow*');
  });

  test('names in UTC the end of a period that ends everywhere at once', () => {
    const untilTuesday = spans(
      ['2026-11-21T09:05:00Z', '2026-11-24T09:05:00Z'],
      ['2026-11-21T09:05:00Z', '2026-11-24T09:05:00Z'],
    );
    expect(verdict(untilTuesday)).toContain(
      '*Rotterdam, Singapore: 3 vessels may call by Tue 24 Nov 09:05 UTC*',
    );
  });

  test('says apart whose ETA has passed', () => {
    const late = answer.calls.map((call) => ({ ...call, eta: new Date('2026-11-21T07:00:00Z') }));
    expect(verdict({ calls: late.slice(0, 1), vessels: 1 })).toBe(
      '*Rotterdam, Singapore: 1 vessel may call* · past ETA',
    );
    const ports = [{ ...rotterdam, overdueBefore: 2 }, singapore];
    expect(verdict({ calls: [], vessels: 0, ports })).toBe(
      '*Rotterdam, Singapore: no vessel predicted at 10% or more* · 2 past ETA not counted',
    );
  });
});

test('a page holds as many rows as fit in the plain message, with long names', () => {
  const name = 'A VESSEL WITH A NAME OF FORTY LETTERS ABC'.slice(0, 40);
  const calls = Array.from({ length: 120 }, (_, index) => ({
    ...{ ...given, probability: 0.5, alsoAt: [port('USPDX'), port('USPWM')], port: port('GBLGP') },
    ...{ vessel: { imo: (9461477 + index * 1000) as typeof cypress.imo, name } },
    eta: new Date(reader.now.getTime() + index * 36_000_000),
  }));
  const message = viewOf({ calls, vessels: 120 });
  expect(slackFaults(message)).toEqual([]);
  const rows = asRead(message).match(/^\| .* \| \d{7}.*\|$/gm) ?? [];
  const lines = asReadPlain(message).match(/^🟠 .* LT .*A VESSEL .*/gm) ?? [];
  expect([rows.length, lines.length]).toEqual([pageRows, pageRows]);
});

const pageRows = 40;

import { describe, expect, test } from 'vitest';
import { type PortCallsAnswer, portCallsView } from '../../../src/features/port-calls/view.ts';
import { asRead, asReadPlain, blockLines } from '../../support/message-text.ts';
import { slackFaults } from '../../support/slack-faults.ts';
import { asked, cypress, diana, nameless, now, port, reader } from '../../support/view-fixtures.ts';

const call = { etaZone: 'given' } as const;
const answer: PortCallsAnswer = {
  kind: 'port-calls',
  line: 'portcalls NLRTM',
  port: port('NLRTM'),
  minProbability: 0.1,
  by: 'eta',
  calls: [
    { ...call, vessel: cypress, probability: 0.5, eta: new Date('2026-11-21T07:00:00Z') },
    { ...call, vessel: diana, probability: 0.97, eta: new Date('2026-11-22T04:20:00Z') },
    {
      ...call,
      vessel: { imo: 9839430 as typeof cypress.imo },
      probability: 0.12,
      eta: new Date('2026-11-24T09:00:00Z'),
    },
    { ...call, vessel: nameless, probability: 0.3 },
  ],
  listed: [],
  hidden: 6,
  overdueBefore: 0,
  isUnknown: false,
  withoutEta: 1,
  expected: {
    days: [
      { day: '2026-11-22', calls: 1.02 },
      { day: '2026-11-24', calls: 0.04 },
    ],
    overdue: 0.5,
    undated: 0.3,
  },
  also: [port('USRAJ')],
  otherOrderLine: 'portcalls NLRTM by probability',
  byDayLine: 'portcalls NLRTM by day',
  showAllLine: 'portcalls NLRTM min 0%',
  allDatesLine: 'portcalls NLRTM',
  ...asked,
};
const viewOf = (more: Partial<PortCallsAnswer> = {}) => portCallsView({ ...answer, ...more }, reader);
const read = (more: Partial<PortCallsAnswer> = {}) => asRead(viewOf(more));

describe('vessels that may call, by ETA, and the likely calls per day', () => {
  test('as a chart and a table', () => {
    expect(read()).toMatchInlineSnapshot(`
      "text: Rotterdam: 4 vessels may call 22–24 Nov · 1 of them past ETA; 🟠 Sat 08:00 LT · DS CYPRESS (9461477) · 50% · 2 h 5 min past ETA; Sun 05:20 LT · MSC DIANA (9755933) · 97% · in 19 h; ⚪ Tue 10:00 LT · IMO 9839430 · 12% · in 2 d 23 h; 🟠 ETA not given · IMO 9811000 · 30%

      *Rotterdam: 4 vessels may call 22–24 Nov* · 1 of them past ETA
      (bar chart: Likely calls per day (sum of probabilities))
        Likely calls: Sun 1, Mon 0, Tue 0.04
      (table: Vessels that may call at Rotterdam)
      | ETA, LT | Vessel | % | In | IMO |
      | Sat 08:00 | 🟠 DS CYPRESS | 50% | 2 h 5 min past ETA | 9461477 |
      | Sun 05:20 | MSC DIANA | 97% | in 19 h | 9755933 |
      | Tue 10:00 | ⚪ IMO 9839430 | 12% | in 2 d 23 h | 9839430 |
      | not given | 🟠 IMO 9811000 | 30% | – | 9811000 |
      6 under 10% hidden · Forecast as of 09:05 UTC · NLRTM · port view · LT is UTC+1 · 🟠 30–69% · ⚪ under 30% · further likely calls: 0.5 past ETA, 0.3 without ETA · likely calls include the hidden vessels
      [Watch → watch port NLRTM] [Refresh → portcalls NLRTM] [By probability → portcalls NLRTM by probability] [By day → portcalls NLRTM by day] [Show all → portcalls NLRTM min 0%] [Also: Rotterdam, US (USRAJ) → portcalls USRAJ] [Share → portcalls NLRTM] [▾ Next ports of DS CYPRESS → nextport 9461477 | Next ports of MSC DIANA → nextport 9755933 | Next ports of IMO 9839430 → nextport 9839430 | Next ports of IMO 9811000 → nextport 9811000]"
    `);
  });

  test('without newer blocks', () => {
    expect(asReadPlain(viewOf())).toMatchInlineSnapshot(`
      "text: Rotterdam: 4 vessels may call 22–24 Nov · 1 of them past ETA; 🟠 Sat 08:00 LT · DS CYPRESS (9461477) · 50% · 2 h 5 min past ETA; Sun 05:20 LT · MSC DIANA (9755933) · 97% · in 19 h; ⚪ Tue 10:00 LT · IMO 9839430 · 12% · in 2 d 23 h; 🟠 ETA not given · IMO 9811000 · 30%

      *Rotterdam: 4 vessels may call 22–24 Nov* · 1 of them past ETA
      Likely calls per day (sum of probabilities): Sun 1.0 · Mon 0 · Tue under 0.1
      🟠 Sat 08:00 LT · DS CYPRESS (9461477) · 50% · 2 h 5 min past ETA
      Sun 05:20 LT · MSC DIANA (9755933) · 97% · in 19 h
      ⚪ Tue 10:00 LT · IMO 9839430 · 12% · in 2 d 23 h
      🟠 ETA not given · IMO 9811000 · 30%
      6 under 10% hidden · Forecast as of 09:05 UTC · NLRTM · port view · LT is UTC+1 · 🟠 30–69% · ⚪ under 30% · further likely calls: 0.5 past ETA, 0.3 without ETA · likely calls include the hidden vessels
      [Watch → watch port NLRTM] [Refresh → portcalls NLRTM] [By probability → portcalls NLRTM by probability] [By day → portcalls NLRTM by day] [Show all → portcalls NLRTM min 0%] [Also: Rotterdam, US (USRAJ) → portcalls USRAJ] [Share → portcalls NLRTM] [▾ Next ports of DS CYPRESS → nextport 9461477 | Next ports of MSC DIANA → nextport 9755933 | Next ports of IMO 9839430 → nextport 9839430 | Next ports of IMO 9811000 → nextport 9811000]"
    `);
  });

  test('times and figures can be sorted', () => {
    const table = viewOf().blocks.find(({ type }) => type === 'data_table');
    const [, first] = table && 'rows' in table ? table.rows : [];
    expect(first).toMatchObject([
      { type: 'raw_number', value: Date.parse('2026-11-21T07:00:00Z'), text: 'Sat 08:00' },
      { type: 'raw_text' },
      { type: 'raw_number', value: 50 },
      { type: 'raw_number', value: -125 },
      { type: 'raw_text' },
    ]);
  });
});

test.each([
  [0.7, 'DS CYPRESS'],
  [0.694, '🟠 DS CYPRESS'],
  [0.295, '🟠 DS CYPRESS'],
  [0.29, '⚪ DS CYPRESS'],
])('a probability of %d is marked by the percentage that is shown: %s', (probability, shown) => {
  const calls = [{ ...call, vessel: cypress, probability, eta: new Date('2026-11-22T04:20:00Z') }];
  expect(read({ calls })).toContain(`| ${shown} |`);
});

describe('the verdict', () => {
  const period = { begin: new Date('2026-11-21T23:00:00Z'), end: new Date('2026-11-22T23:00:00Z') };
  const tomorrow = { period, calls: answer.calls.slice(1, 2), hidden: 0 };
  const verdict = (more: Partial<PortCallsAnswer>) => blockLines(viewOf(more).blocks[0] ?? never()).join();

  test('counts what is listed, and says apart what is hidden', () => {
    expect(verdict({ ...tomorrow, hidden: 1 })).toBe('*Rotterdam: 1 vessel may call Sun 22 Nov*');
    expect(read({ ...tomorrow, hidden: 1 })).toContain(
      '\n1 under 10% hidden · Forecast as of 09:05 UTC · NLRTM',
    );
  });

  test('gives the time where a period ends within a day, which has calls after it', () => {
    const tonight = { begin: new Date('2026-11-21T17:00:00Z'), end: new Date('2026-11-22T05:00:00Z') };
    expect(verdict({ ...tomorrow, period: tonight, calls: [] })).toBe(
      '*Rotterdam: no vessel predicted Sat 21 Nov 18:00 – Sun 22 Nov 06:00 LT*',
    );
    const nextDay = { begin: now, end: new Date('2026-11-22T09:05:00Z') };
    expect(verdict({ ...tomorrow, period: nextDay })).toBe(
      '*Rotterdam: 1 vessel may call by Sun 22 Nov 10:05 LT*',
    );
    const untilSunday = { begin: now, end: period.end };
    expect(verdict({ ...tomorrow, period: untilSunday })).toBe('*Rotterdam: 1 vessel may call 21–22 Nov*');
  });

  test('says apart whose ETA has passed', () => {
    expect(verdict({ calls: answer.calls.slice(0, 1) })).toBe('*Rotterdam: 1 vessel may call* · past ETA');
    expect(verdict({ ...tomorrow, overdueBefore: 1 })).toBe(
      '*Rotterdam: 1 vessel may call Sun 22 Nov* · 1 past ETA not counted',
    );
    expect(verdict({ ...tomorrow, calls: [], overdueBefore: 2 })).toBe(
      '*Rotterdam: no vessel predicted Sun 22 Nov* · 2 past ETA not counted',
    );
    expect(read({ ...tomorrow, overdueBefore: 1 })).toContain('[All dates → portcalls NLRTM]');
  });

  test('names the minimum if all vessels are below it', () => {
    expect(verdict({ ...tomorrow, calls: [], hidden: 4 })).toBe(
      '*Rotterdam: no vessel predicted at 10% or more Sun 22 Nov*',
    );
    expect(read({ calls: [], hidden: 4 })).toContain('[Show all → portcalls NLRTM min 0%]');
  });

  test('names the country of a port that shares its name with a larger one', () => {
    expect(verdict({ ...tomorrow, port: port('USRAJ') })).toContain('*Rotterdam, US: 1 vessel may call');
  });

  test('with a period, the small print counts the vessels without an ETA', () => {
    expect(read(tomorrow)).toContain('1 without an ETA left out: they may call in another period');
  });
});

describe('likely calls', () => {
  const days = (count: number, calls = 1) =>
    Array.from({ length: count }, (_, index) => ({
      day: new Date(Date.UTC(2026, 10, 21 + index)).toISOString().slice(0, 10),
      calls,
    }));

  test('ten days have a bar; the small print says the later ones', () => {
    const shown = read({ expected: { days: days(14, 0.5), overdue: 0, undated: 0 } });
    expect(shown).toContain(
      'Likely calls: Sat 0.5, Sun 0.5, Mon 0.5, Tue 0.5, Wed 0.5, Thu 0.5, 27 Nov 0.5, 28 Nov 0.5, 29 Nov 0.5, 30 Nov 0.5\n',
    );
    expect(shown).toContain('further likely calls: 2.0 after 30 Nov');
  });

  test('one day needs no chart', () => {
    const shown = read({ expected: { days: days(1, 0.04), overdue: 0, undated: 0 }, hidden: 0 });
    expect(shown).not.toContain('chart');
    expect(shown).toContain('likely calls under 0.1 (sum of probabilities)');
  });
});

test('no predictions for a port that the reference data lacks', () => {
  const expected = { days: [], overdue: 0, undated: 0 };
  const none = { calls: [], hidden: 0, expected, also: [], port: port('XXABC') };
  expect(read({ ...none, isUnknown: true })).toMatchInlineSnapshot(`
    "text: No predictions for XXABC · none expected, or the service does not know the port

    *No predictions for XXABC* · none expected, or the service does not know the port
    Forecast as of 09:05 UTC · port view · name and zone not known here: times are UTC
    [Refresh → portcalls NLRTM] [Share → portcalls NLRTM]"
  `);
});

test('an IMO number with a wrong check digit is shown, and marked', () => {
  const wrong = { imo: 9461478 as typeof cypress.imo };
  const calls = [{ ...call, vessel: wrong, probability: 0.5, eta: now }];
  expect(read({ calls })).toContain('| 🟠 IMO 9461478 | 50% | now | 9461478 (check digit wrong) |');
  expect(asReadPlain(viewOf({ calls }))).toContain(
    '🟠 Sat 10:05 LT · IMO 9461478 (check digit wrong) · 50% · now',
  );
});

test('both offsets are said if the clocks change before the last ETA', () => {
  const calls = ['2026-11-22T04:20:00Z', '2027-04-01T04:20:00Z'].map((eta) => ({
    ...{ ...call, vessel: cypress, probability: 0.9 },
    eta: new Date(eta),
  }));
  expect(read({ calls })).toContain('LT is UTC+1, later UTC+2');
});

describe('pages', () => {
  const name = 'A VESSEL WITH A NAME OF FORTY LETTERS ABC';
  const many = Array.from({ length: 130 }, (_, index) => ({
    ...{ ...call, probability: 0.5, eta: new Date(now.getTime() + index * 3_600_000 * 10) },
    vessel: { imo: (9461477 + index * 1000) as typeof cypress.imo, name: name.slice(0, 40) },
  }));

  test('every row of a page stands in the plain message too', () => {
    const message = viewOf({ calls: many });
    expect(slackFaults(message)).toEqual([]);
    const rows = asRead(message).match(/^\| .* \| \d{7}.*\|$/gm) ?? [];
    const lines = asReadPlain(message).match(/^🟠 .* LT · A VESSEL .*/gm) ?? [];
    expect([rows.length, lines.length]).toEqual([60, 60]);
    expect(asRead(message)).toContain('1–60 of 130 shown');
    expect(asRead(message)).toContain('[Next 60 → portcalls NLRTM page 2]');
  });

  test('a page beyond the end shows the last page, says so, and Refresh keeps the last page', () => {
    const shown = read({ line: 'portcalls NLRTM page 99', page: 99 });
    expect(shown).toContain('there is no page 99: this is the last');
    expect(shown).toContain('[Refresh → portcalls NLRTM]');
    const last = read({ line: 'portcalls NLRTM page 99', page: 99, calls: many });
    expect(last).toContain('121–130 of 130 shown · there is no page 99: this is the last');
    expect(last).toContain('[Refresh → portcalls NLRTM page 3]');
  });
});

function never(): never {
  throw new Error('there is no block');
}

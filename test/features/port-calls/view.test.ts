import { expect, test } from 'vitest';
import { type PortCallsAnswer, portCallsView } from '../../../src/features/port-calls/view.ts';
import { asRead } from '../../support/message-text.ts';
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
    { ...call, vessel: nameless, probability: 0.3 },
  ],
  listed: [],
  hidden: 6,
  overdueBefore: 0,
  isUnknown: false,
  withoutEta: 1,
  expected: {
    days: [
      { day: '2026-11-21', calls: 0.5 },
      { day: '2026-11-22', calls: 1.02 },
    ],
    undated: 0.3,
  },
  also: [port('USRAJ')],
  otherOrderLine: 'portcalls NLRTM by probability',
  showAllLine: 'portcalls NLRTM min 0%',
  allDatesLine: 'portcalls NLRTM',
  ...asked,
};
const read = (more: Partial<PortCallsAnswer> = {}) => asRead(portCallsView({ ...answer, ...more }, reader));

test('vessels that may call, by ETA, and the likely calls per day', () => {
  expect(read()).toMatchInlineSnapshot(`
    "text: Rotterdam (NLRTM): 9 vessels may call, 21–22 Nov, port time; Sat 08:00 LT · DS CYPRESS (9461477) · 50% · 2 h 5 min past ETA; Sun 05:20 LT · MSC DIANA (9755933) · 97% · in 19 h; ETA not given · IMO 9811000 · 30%

    *Rotterdam (NLRTM)* · 9 vessels may call, 21–22 Nov, port time
    Likely calls (sum of probabilities): Sat 0.5 · Sun 1.0 · without ETA 0.3
    Sat 08:00 LT · DS CYPRESS (9461477) · 50% · 2 h 5 min past ETA
    Sun 05:20 LT · MSC DIANA (9755933) · 97% · in 19 h
    ETA not given · IMO 9811000 · 30%
    Forecast as of 09:05 UTC · Predicted, not reported · port view · 6 under 10% hidden
    [Refresh → portcalls NLRTM] [By probability → portcalls NLRTM by probability] [Show all → portcalls NLRTM min 0%] [Also: Rotterdam, US (USRAJ) → portcalls USRAJ] [Share → portcalls NLRTM] [▾ Next ports of DS CYPRESS (9461477) → nextport 9461477 | Next ports of MSC DIANA (9755933) → nextport 9755933 | Next ports of IMO 9811000 → nextport 9811000]"
  `);
});

test('with a period, the answer shows its days and how many vessels have no ETA', () => {
  const period = { begin: now, end: new Date('2026-11-24T09:05:00Z') };
  const shown = read({ period, calls: answer.calls.slice(0, 2), hidden: 0 });
  expect(shown).toContain('*Rotterdam (NLRTM)* · 2 vessels may call, 21–24 Nov, port time');
  expect(shown).toContain('1 without an ETA left out: they may call in another period');
});

test('a vessel whose ETA has passed is mentioned if the period begins later', () => {
  const period = { begin: new Date('2026-11-21T23:00:00Z'), end: new Date('2026-11-22T23:00:00Z') };
  const calls = answer.calls.slice(1, 2);
  const more = read({ period, calls, hidden: 0, overdueBefore: 1 });
  expect(more).toContain('1 vessel may call, Sun 22 Nov, port time; 1 more, its ETA has passed');
  expect(more).toContain('[All dates → portcalls NLRTM]');
  const none = read({ period, calls: [], hidden: 0, overdueBefore: 2 });
  expect(none).toContain(
    'no vessel is predicted to call, Sun 22 Nov, port time, but 2 may: their ETAs have passed',
  );
});

test('if all vessels are improbable, the verdict says so and keeps the dates', () => {
  const shown = read({ calls: [], hidden: 4 });
  expect(shown).toContain('text: Rotterdam (NLRTM): 4 vessels may call, 21–22 Nov, port time, all under 10%');
  expect(shown).toContain('[Show all → portcalls NLRTM min 0%]');
});

test('past and distant days are shown with their date', () => {
  const days = ['2026-11-20', '2026-11-21', '2026-11-27', '2026-11-28'].map((day) => ({ day, calls: 1 }));
  expect(read({ expected: { days, undated: 0 } })).toContain(
    'Fri 20 Nov 1.0 · Sat 1.0 · Fri 27 Nov 1.0 · Sat 28 Nov 1.0',
  );
});

test('no predictions for a port that the reference data lacks', () => {
  const none = { calls: [], hidden: 0, expected: { days: [], undated: 0 }, also: [], port: port('XXABC') };
  expect(read({ ...none, isUnknown: true })).toMatchInlineSnapshot(`
    "text: No predictions for XXABC: none expected, or the service does not know the port

    *No predictions for XXABC*: none expected, or the service does not know the port
    Forecast as of 09:05 UTC · Predicted, not reported · port view · name and zone not known here
    [Refresh → portcalls NLRTM] [Share → portcalls NLRTM]"
  `);
});

test('an IMO number with a wrong check digit is shown, and marked', () => {
  const wrong = { imo: 9461478 as typeof cypress.imo };
  const calls = [{ ...call, vessel: wrong, probability: 0.5 }];
  const shown = read({ calls, hidden: 0 });
  expect(shown).toContain('IMO 9461478 (check digit wrong)');
  expect(shown).toContain('1 with an invalid check digit, as given by the service');
});

test('a page beyond the end shows the last page, says so, and Refresh keeps the last page', () => {
  const shown = read({ line: 'portcalls NLRTM page 99', page: 99 });
  expect(shown).toContain('there is no page 99: this is the last');
  expect(shown).toContain('[Refresh → portcalls NLRTM]');
  const many = read({
    line: 'portcalls NLRTM page 99',
    page: 99,
    calls: answer.calls.flatMap((one) => [one, one, one]),
  });
  expect(many).toContain('9–9 of 9 shown · there is no page 99: this is the last');
  expect(many).toContain('[Refresh → portcalls NLRTM page 2]');
});

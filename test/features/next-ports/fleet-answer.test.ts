import { expect, test } from 'vitest';
import type { Prediction } from '../../../src/analytics/answers.ts';
import type { KnownVessel } from '../../../src/answers/formatting/words.ts';
import { fleetAnswer, listAnswer } from '../../../src/features/next-ports/fleet-answer.ts';
import type { FleetPredictions, FleetVessel } from '../../../src/features/next-ports/predictions.ts';
import type { Imo } from '../../../src/reference/codes.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';
import { asked, cypress, diana, nameless, prediction, reader } from '../../support/view-fixtures.ts';

const answer: FleetPredictions = {
  vessels: [
    {
      vessel: diana,
      endpoint: 'ship',
      top: [prediction('SGSIN', 0.48, '2026-11-22T01:00:00Z'), prediction('MYPKG', 0.45)],
      failed: false,
    },
    {
      vessel: cypress,
      endpoint: 'vessel',
      top: [prediction('NLRTM', 0.82, '2026-11-23T14:05:00Z'), prediction('DEHAM', 0.16)],
      failed: false,
    },
    { vessel: nameless, endpoint: 'vessel', top: [], failed: true },
  ],
  ...asked,
};

const show = (found: FleetPredictions) =>
  messageOf(fleetAnswer(found, { now: reader.now, page: 1 }), 'nextport 9461477, 9755933, 9811000');
const showList = (list: string, vessels: FleetPredictions['vessels'], offered: string[] = []) =>
  asRead(messageOf(listAnswer({ ...answer, list, vessels, offered }, { now: reader.now, page: 1 }), ''));

test('several vessels in one table; a vessel without an answer says so', () => {
  const message = show(answer);
  expect(asRead(message)).toMatchInlineSnapshot(`
    "text: 3 vessels: next MSC DIANA → Singapore 48% or Port Klang 45%, Sun 22 Nov 09:00 LT (01:00 UTC) · in 15 h · 1 within 24 h · 1 undecided · 1 without an answer; MSC DIANA · 🟠 Singapore SGSIN or Port Klang MYPKG · Sun 22 Nov 09:00 LT · in 15 h; DS CYPRESS · Rotterdam NLRTM · Mon 23 Nov 15:05 LT · in 2 d 5 h; IMO 9811000 · no answer

    *3 vessels: next MSC DIANA → Singapore 48% or Port Klang 45%, Sun 22 Nov 09:00 LT (01:00 UTC)* · in 15 h · yours: <!date^1795309200^{date_short_pretty} {time}|22 Nov 2026 01:00 UTC> · 1 within 24 h · 1 undecided · 1 without an answer
    (table: 3 vessels: next ports by ETA)
    | Vessel | Next port, ETA (LT) | In | % | ETA (UTC) | IMO |
    | MSC DIANA | 🟠 Singapore SGSIN or Port Klang MYPKG · Sun 22 Nov 09:00 | in 15 h | 48% or 45% | Sun 22 Nov 01:00 | 9755933 |
    | DS CYPRESS | Rotterdam NLRTM · Mon 23 Nov 15:05 | in 2 d 5 h | 82% | Mon 23 Nov 14:05 | 9461477 |
    | IMO 9811000 | no answer | – | – | – | 9811000 |
    Forecast as of 09:05 UTC · 🟠 30–69% or undecided · ship view for 1 (the vessel view has no prediction) · no answer for 1: press Refresh
    [Refresh → nextport 9461477, 9755933, 9811000] [Share → nextport 9461477, 9755933, 9811000] [▾ Ports of MSC DIANA → nextport 9755933 | Ports of DS CYPRESS → nextport 9461477 | Ports of IMO 9811000 → nextport 9811000]"
  `);
});

test('an unknown or empty list', () => {
  expect(showList('<!channel>', [], ['FEEDERS'])).toMatchInlineSnapshot(`
    "text: No list called &lt;!channel&gt;; lists are kept by the provider. They can't be made here, and a list without predictions looks the same. Check the spelling with whoever set up the list, or ask for vessels by IMO number: \`/nextport 9461477, 9755933\`. Lists that are watched here: FEEDERS

    *No list called &lt;!channel&gt;; lists are kept by the provider*
    They can't be made here, and a list without predictions looks the same. Check the spelling with whoever set up the list, or ask for vessels by IMO number: \`/nextport 9461477, 9755933\`
    Lists that are watched here: FEEDERS
    Forecast as of 09:05 UTC · list view
    [Refresh → nextport list:"<!channel>"] [List FEEDERS → nextport list:FEEDERS] [Share → nextport list:"<!channel>"]"
  `);
});

test('the verdict is the next call ahead; vessels past their ETA, without an ETA or an answer are counted', () => {
  const vessels = [
    called(cypress, prediction('NLRTM', 0.82, '2026-11-21T04:05:00Z')),
    called(diana, prediction('SGSIN', 0.25, '2026-11-21T18:00:00Z')),
    called(nameless, prediction('BEANR', 0.9)),
    called({ imo: 9811001 as Imo, name: 'TYPO' }),
  ];
  const group = 'Fleet NORTH';
  const { text } = show({ ...answer, group, vessels });
  expect(text).toMatchInlineSnapshot(
    `"Fleet NORTH, 4 vessels: next MSC DIANA → Singapore 25%, Sun 22 Nov 02:00 LT (Sat 18:00 UTC) · in 8 h · 1 within 24 h · 1 past ETA · 1 without an ETA · 1 without a prediction; DS CYPRESS · Rotterdam NLRTM · Sat 21 Nov 05:05 LT · 5 h past ETA; MSC DIANA · ⚪ Singapore SGSIN · Sun 22 Nov 02:00 LT · in 8 h; IMO 9811000 · Antwerp BEANR · ETA not given · 90%; TYPO · no prediction · IMO 9811001 (check digit wrong)"`,
  );
  const ahead = { ...answer, group, vessels: vessels.slice(0, 1) };
  expect(show(ahead).text).toMatchInlineSnapshot(
    `"Fleet NORTH, 1 vessel: 1 past ETA; DS CYPRESS · Rotterdam NLRTM · Sat 21 Nov 05:05 LT · 5 h past ETA"`,
  );
});

test('rows from 70% are plain, those from 30% are marked 🟠, those below ⚪; so are undecided ones', () => {
  const rowOf = (...top: [Prediction, ...Prediction[]]) => {
    const shown = asRead(show({ ...answer, vessels: [called(cypress, ...top)] }));
    return /^\| DS CYPRESS \| (.+?) ·/m.exec(shown)?.[1];
  };
  expect(rowOf(prediction('NLRTM', 0.695))).toBe('Rotterdam NLRTM');
  expect(rowOf(prediction('NLRTM', 0.69))).toBe('🟠 Rotterdam NLRTM');
  expect(rowOf(prediction('NLRTM', 0.3))).toBe('🟠 Rotterdam NLRTM');
  expect(rowOf(prediction('NLRTM', 0.29))).toBe('⚪ Rotterdam NLRTM');
  expect(rowOf(prediction('NLRTM', 0.8), prediction('BEANR', 0.78))).toBe(
    '🟠 Rotterdam NLRTM or Antwerp BEANR',
  );
});

test('a wrong check digit from the service is shown, and is not offered as a line', () => {
  const typo = { imo: 9811001 as Imo, name: 'TYPO' };
  const vessels = [called(typo, prediction('NLRTM', 0.8, '2026-11-23T14:05:00Z'))];
  const shown = asRead(show({ ...answer, vessels }));
  expect(shown).toContain('| 9811001 (check digit wrong) |');
  expect(shown).toContain('1 with a wrong check digit, as given by the service');
  expect(shown).not.toContain('nextport 9811001');
});

const called = (vessel: KnownVessel, ...top: Prediction[]): FleetVessel => ({
  vessel,
  endpoint: 'vessel',
  top,
  failed: false,
});

import { describe, expect, test } from 'vitest';
import type { Prediction } from '../../../src/analytics/answers.ts';
import type { AnalyticsClient } from '../../../src/analytics/client.ts';
import { createVesselDirectory } from '../../../src/grammar/vessel-directory.ts';
import type { Imo, Locode } from '../../../src/reference/codes.ts';
import { asRead } from '../../support/message-text.ts';
import { featuresOver } from '../../support/registry.ts';
import { runContext } from '../../support/run-command.ts';
import { slackFaults } from '../../support/slack-faults.ts';
import { asked, cypress, diana, nameless, prediction, reader } from '../../support/view-fixtures.ts';

const essex = { imo: 9458092 as Imo, name: 'MAERSK ESSEX' };
const beacon = { imo: 9074729 as Imo, name: 'AMBER BEACON' };

/** By vessel, the likeliest first; no answer for a vessel that is left out. */
type Forecasts = ReadonlyMap<Imo, readonly Prediction[]>;

const groups = new Map([['ARA', ['NLRTM', 'BEANR', 'NLAMS'] as Locode[]]]); // known codes
const vessels = createVesselDirectory(
  [cypress, diana, essex, beacon],
  new Map([[diana.imo, ['BK-4402']]]),
  groups,
);

function startOver(forecasts: Forecasts) {
  const requests: Imo[] = [];
  const vesselPredictions: AnalyticsClient['vesselPredictions'] = async (imo) => {
    requests.push(imo);
    const predictions = forecasts.get(imo);
    if (!predictions) throw new Error('no answer');
    return { ...asked, predictions };
  };
  const shipNextPorts: AnalyticsClient['shipNextPorts'] = async () => ({ ...asked, predictions: [] });
  const shiplistNextPorts: AnalyticsClient['shiplistNextPorts'] = async () => ({
    ...asked,
    predictions: [...forecasts.values()].flat(),
  });
  // Only the functions that the lines need are there.
  const client = { vesselPredictions, shipNextPorts, shiplistNextPorts } as unknown as AnalyticsClient;
  const { ctx, parseLine } = featuresOver(client);
  const run = async (line: string) => {
    const parsed = parseLine(line, { vessels, isTyped: true });
    return { line: parsed.line, answer: await parsed.run({ ...runContext(ctx), vessels }) };
  };
  return { run, requests };
}

const at = (of: { imo: Imo }, code: string, share: number, eta?: string) =>
  prediction(code, share, eta, { imo: of.imo });

const forecasts: Forecasts = new Map([
  [
    cypress.imo,
    [at(cypress, 'FRLEH', 0.7, '2026-11-22T04:00:00Z'), at(cypress, 'NLRTM', 0.2, '2026-11-22T09:00:00Z')],
  ],
  [diana.imo, [at(diana, 'NLRTM', 0.82, '2026-11-26T13:00:00Z'), at(diana, 'DEHAM', 0.1)]],
  [
    essex.imo,
    [at(essex, 'NLRTM', 0.46, '2026-11-24T08:00:00Z'), at(essex, 'BEANR', 0.44, '2026-11-24T06:00:00Z')],
  ],
  [beacon.imo, [at(beacon, 'SGSIN', 0.9, '2026-11-25T00:00:00Z')]],
]);
const five = '9461477, 9755933, 9458092, 9074729, 9811000';

describe('which of several vessels may call at a port', () => {
  test('the likely first, then the unlikely; the others in a line, and one without an answer in a warning', async () => {
    const { run, requests } = startOver(forecasts);
    const { line, answer } = await run(`nextport ${five} at Rotterdam`);
    const message = answer.view(reader);
    expect(line).toBe(`nextport ${five} at NLRTM`);
    expect(asRead(message)).toMatchInlineSnapshot(`
      "text: 3 of 4 are predicted at Rotterdam: first MAERSK ESSEX undecided, 46%, Tue 24 Nov 09:00 LT (08:00 UTC) · in 2 d 22 h · 1 undecided · 1 unlikely before it. Not predicted there: AMBER BEACON. MAERSK ESSEX · 🟠 46% · Tue 24 Nov 09:00 LT · in 2 d 22 h; MSC DIANA · 82% · Thu 26 Nov 14:00 LT · in 5 d 3 h; DS CYPRESS · ⚪ 20% · Sun 22 Nov 10:00 LT · in 23 h. 🟠 No answer for IMO 9811000. Forecast as of 09:05 UTC · NLRTM · 🟠 30–69% or undecided, ⚪ under 30% · no answer for 1: press Refresh

      *3 of 4 are predicted at Rotterdam: first MAERSK ESSEX undecided, 46%, Tue 24 Nov 09:00 LT (08:00 UTC)* · in 2 d 22 h · 1 undecided · 1 unlikely before it
      Not predicted there: AMBER BEACON
      🟠 No answer for IMO 9811000
      (table: Vessels that may call at Rotterdam)
      | Vessel | Rotterdam, ETA (LT) | In | May call first at | ETA (UTC) | IMO | Ref |
      | MAERSK ESSEX | 🟠 46% · Tue 24 Nov 09:00 | in 2 d 22 h | Antwerp 44% · Tue 24 Nov 07:00 | Tue 24 Nov 08:00 | 9458092 | – |
      | MSC DIANA | 82% · Thu 26 Nov 14:00 | in 5 d 3 h | – | Thu 26 Nov 13:00 | 9755933 | BK-4402 |
      | DS CYPRESS | ⚪ 20% · Sun 22 Nov 10:00 | in 23 h | Le Havre 70% · Sun 22 Nov 05:00 | Sun 22 Nov 09:00 | 9461477 | – |
      Forecast as of 09:05 UTC · NLRTM · 🟠 30–69% or undecided, ⚪ under 30% · no answer for 1: press Refresh
      [Watch → watch 9461477, 9755933, 9458092, 9074729, 9811000 at NLRTM] [Refresh → nextport 9461477, 9755933, 9458092, 9074729, 9811000 at NLRTM] [Who is coming to Rotterdam → portcalls NLRTM] [Next ports of all → nextport 9461477, 9755933, 9458092, 9074729, 9811000] [Share → nextport 9461477, 9755933, 9458092, 9074729, 9811000 at NLRTM] [▾ Ports of MAERSK ESSEX → nextport 9458092 | Ports of MSC DIANA → nextport 9755933 | Ports of DS CYPRESS → nextport 9461477 | Export for Excel (.xlsx) → apart:menu nextport 9461477, 9755933, 9458092, 9074729, 9811000 at NLRTM as xlsx | Export as CSV → apart:menu nextport 9461477, 9755933, 9458092, 9074729, 9811000 at NLRTM as csv]"
    `);
    expect(slackFaults(message)).toEqual([]);
    expect(requests).toHaveLength(5);
  });

  test('at ports of a group, each with its name', async () => {
    const { run } = startOver(forecasts);
    const { line, answer } = await run(`nextport 9458092, 9755933 at ARA`);
    expect(line).toBe('nextport 9458092, 9755933 at ports:ARA');
    expect(answer.view(reader).text).toMatchInlineSnapshot(
      `"2 of 2 are predicted at ARA: first MAERSK ESSEX, Rotterdam 46%, Tue 24 Nov 09:00 LT (08:00 UTC) · in 2 d 22 h; MAERSK ESSEX · 🟠 Rotterdam 46%, Antwerp 44% · Tue 24 Nov 09:00 LT · in 2 d 22 h; MSC DIANA · Rotterdam 82% · Thu 26 Nov 14:00 LT · in 5 d 3 h. Forecast as of 09:05 UTC · NLRTM, BEANR, NLAMS · 🟠 30–69% or undecided"`,
    );
  });

  test('at one of several ports in a period; those predicted there at another time are named', async () => {
    const { run } = startOver(forecasts);
    const { line, answer } = await run(
      'nextport 9458092, 9755933, 9461477 at antwerp or rotterdam 23-25 nov',
    );
    expect(line).toBe('nextport 9458092, 9755933, 9461477 at BEANR, NLRTM 23 nov..25 nov');
    expect(answer.view(reader).text).toMatchInlineSnapshot(
      `"1 of 3 is predicted at Antwerp or Rotterdam 23–25 Nov: MAERSK ESSEX, Rotterdam 46%, Tue 24 Nov 09:00 LT (08:00 UTC) · in 2 d 22 h. Predicted there, but not 23–25 Nov: DS CYPRESS, Rotterdam 20%, Sun 10:00 LT; MSC DIANA, Rotterdam 82%, Thu 14:00 LT. MAERSK ESSEX · 🟠 Rotterdam 46%, Antwerp 44% · Tue 24 Nov 09:00 LT · in 2 d 22 h. Forecast as of 09:05 UTC · BEANR, NLRTM · 🟠 30–69% or undecided"`,
    );
    expect(answer.comparison?.questions.map(({ rows }) => rows?.map(({ when }) => when))).toEqual([
      ['within'],
      ['before'],
      ['after'],
    ]);
    const one = await run('nextport 9755933 at Rotterdam tomorrow');
    expect(one.answer.view(reader).text).toMatchInlineSnapshot(
      `"MSC DIANA is not predicted at Rotterdam Sun 22 Nov. Predicted there, but not Sun 22 Nov: MSC DIANA, 82%, Thu 14:00 LT. Forecast as of 09:05 UTC · NLRTM"`,
    );
  });

  test('none, all unlikely, and only one', async () => {
    const { run } = startOver(forecasts);
    const verdictOf = async (line: string) => (await run(line)).answer.view(reader).text.split(' · ⚪')[0];
    expect(await verdictOf('nextport 9755933, 9074729 at Santos')).toMatchInlineSnapshot(
      `"None of 2 is predicted at Santos. Not predicted there: AMBER BEACON, MSC DIANA. Forecast as of 09:05 UTC · BRSSZ"`,
    );
    expect(await verdictOf('nextport 9461477, 9074729 at Rotterdam')).toMatchInlineSnapshot(
      `"1 of 2 is predicted at Rotterdam: DS CYPRESS unlikely, 20%, Sun 22 Nov 10:00 LT (09:00 UTC) · in 23 h. Not predicted there: AMBER BEACON. DS CYPRESS"`,
    );
    expect(await verdictOf('nextport 9755933, 9074729 at Rotterdam')).toMatchInlineSnapshot(
      `"1 of 2 is predicted at Rotterdam: MSC DIANA 82%, Thu 26 Nov 14:00 LT (13:00 UTC) · in 5 d 3 h. Not predicted there: AMBER BEACON. MSC DIANA · 82% · Thu 26 Nov 14:00 LT · in 5 d 3 h. Forecast as of 09:05 UTC · NLRTM"`,
    );
  });

  test("a provider's list takes one request, and its answer has the service's spelling", async () => {
    const { run, requests } = startOver(forecasts);
    const { answer } = await run('nextport list:FEEDERS at Rotterdam');
    expect(answer.view(reader).text).toContain(
      'List FEEDERS · 3 of 4 are predicted at Rotterdam: first MAERSK ESSEX',
    );
    expect(requests).toEqual([]);
  });

  test('digests compare the calls there: those of other ports, and a vessel without an answer, are no news', async () => {
    const { run } = startOver(forecasts);
    const { answer } = await run(`nextport ${five} at Rotterdam`);
    const calls = answer.comparison?.questions.map(({ id, rows }) => [
      Number(id),
      rows?.map(({ call }) => call?.probability),
    ]);
    expect(new Map(calls as [number, unknown][])).toEqual(
      // pairs
      new Map<number, unknown>([
        [essex.imo, [0.46]],
        [diana.imo, [0.82]],
        [cypress.imo, [0.2]],
        [beacon.imo, []],
        [nameless.imo, undefined],
      ]),
    );
  });

  test.each([
    ['nextport list:FEEDERS at Rotterdam', 'nextport list:FEEDERS at NLRTM'],
    ['nextport fleet asia loop at rtm', 'nextport fleet:"asia loop" at NLRTM'],
    [
      'nextport fleet:"Meet at Rotterdam" at Antwerp page 2',
      'nextport fleet:"Meet at Rotterdam" at BEANR page 2',
    ],
    ['nextport fleet:"Meet at Rotterdam"', 'nextport fleet:"Meet at Rotterdam"'],
    ['nextport watched rotterdam', 'nextport watched at NLRTM'],
    ['do any of our watched vessels call singapore?', 'nextport watched at SGSIN'],
    ['our watched ships into hamburg or antwerp next 7 days', 'nextport watched at DEHAM, BEANR next 7 days'],
    ['nextport watched rotterdam tomorow', 'nextport watched at NLRTM tomorrow'],
    [
      'which of DS CYPRESS, MSC DIANA and MAERSK ESSEX are calling Rotterdam',
      'nextport 9461477, 9755933, 9458092 at NLRTM',
    ],
    ['is any of our fleet NORTH calling ARA?', 'nextport fleet:NORTH at ports:ARA'],
  ])('%s', (typed, meant) => {
    const { parseLine } = featuresOver({} as AnalyticsClient); // asks nothing
    const { line } = parseLine(typed, { vessels, isTyped: true });
    expect(line).toBe(meant);
    expect(parseLine(line, { vessels }).line).toBe(line);
  });
});

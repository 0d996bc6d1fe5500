import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Prediction } from '../../../src/analytics/answers.ts';
import type { Answer } from '../../../src/answers/answer.ts';
import type { AskCtx } from '../../../src/features/ctx.ts';
import { askMap, mapOf } from '../../../src/features/next-ports/map.ts';
import { mapPicture } from '../../../src/pictures/map-picture.ts';
import { aPrediction, aReader, aVessel } from '../../support/answer-arbitraries.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';
import { createCommandHarness, runContext } from '../../support/run-command.ts';
import { asked, cypress, nameless, now, prediction, reader } from '../../support/view-fixtures.ts';

const predictions = [
  prediction('NLRTM', 0.82, '2026-11-23T14:05:00Z'),
  prediction('DEHAM', 0.16, '2026-11-25T03:05:00Z'),
] as const;
const pictureOf = (
  more: Partial<Parameters<typeof mapOf>[0]> = {},
  source: typeof reader.source = 'service',
) => mapOf({ ...asked, vessel: cypress, predictions, ...more }, { source, now });

describe('the picture', () => {
  const placesOf = ({ places }: ReturnType<typeof pictureOf>) =>
    places.map(({ name, share, detail, at }) => `${name} ${share}, ${detail} at ${at}`);

  test('holds the ports with probability and ETA, in local time', () => {
    const picture = pictureOf();
    expect(picture).toMatchObject({
      title: 'DS CYPRESS',
      subtitle: 'Likely next ports · forecast as of Sat 21 Nov 09:05 UTC',
      notes: ['No position or route: the service gives none', 'IMO 9461477'],
      places: [{ weight: 0.82 }, { weight: 0.16 }],
    });
    expect(placesOf(picture)).toEqual([
      'Rotterdam 82%, Mon 23 Nov 15:05 LT at 51.92,4.5',
      'Hamburg 16%, Wed 25 Nov 04:05 LT at 53.55,9.99',
    ]);
  });

  test('says what is unusual', () => {
    const codes = 'CNSHA CNSHG ZZZZZ THLKR NLRTM DEHAM BEANR GBFXT FRLEH PLGDN'.split(' ');
    const [first, ...others] = codes.map((code, index) =>
      prediction(code, 0.5 - index / 20, index === 2 ? undefined : '2027-11-23T14:05:00Z', {
        etaZone: 'assumed-utc',
      }),
    );
    if (!first) expect.unreachable();
    const picture = pictureOf({ vessel: nameless, predictions: [first, ...others] }, 'sandbox');
    expect(picture).toMatchObject({
      badge: 'invented data',
      title: 'IMO 9811000',
      notes: [
        'No position or route: the service gives none',
        '2 more at 10% or less',
        'ETAs: time zone not given, read as UTC',
      ],
    });
    expect(placesOf(picture)).toEqual([
      'Shanghai (CNSHA) 50%, Tue 23 Nov 2027 22:05 LT at 31.23,121.47',
      'Shanghai (CNSHG) 45%, Tue 23 Nov 2027 22:05 LT at 31.23,121.47',
      'ZZZZZ 40%, ETA not given at undefined',
      'Lat Krabang 35%, Tue 23 Nov 2027 21:05 LT at undefined',
      'Rotterdam 30%, Tue 23 Nov 2027 15:05 LT at 51.92,4.5',
      'Hamburg 25%, Tue 23 Nov 2027 15:05 LT at 53.55,9.99',
      'Antwerp 20%, Tue 23 Nov 2027 15:05 LT at 51.22,4.42',
      'Felixstowe 15%, Tue 23 Nov 2027 14:05 LT at 51.96,1.35',
    ]);
  });

  test('has the IMO number in place of a name that its font lacks', () => {
    for (const name of ['遠洋之星', '🚢 MY SHIP', ' '])
      expect(pictureOf({ vessel: { ...cypress, name } }).title).toBe('IMO 9461477');
    expect(pictureOf({ vessel: { ...cypress, name: 'Ærø Žďár' } }).title).toBe('ÆRØ ŽĎÁR');
  });
});

test('the picture keeps to its limits, whatever the data holds', () => {
  const some = fc.tuple(aPrediction, fc.array(aPrediction, { maxLength: 60, size: 'max' }));
  fc.assert(
    fc.property(some, aVessel, aReader, ([first, others], vessel, { source }) => {
      const picture = pictureOf({ predictions: [first, ...others], vessel }, source);
      expect(mapPicture.safeParse(picture).error).toBeUndefined();
    }),
  );
});

describe('the answer', () => {
  /** Of a service that predicts this. */
  function ask(predicted: readonly Prediction[]): Promise<Answer> {
    const given = async () => ({ ...asked, predictions: predicted });
    const analytics = { vesselPredictions: given, shipNextPorts: given };
    const pictures = { urlOf: () => 'https://landfall.example.com/pictures/x.png' };
    // askMap uses nothing else.
    return askMap(cypress.imo, { ...runContext(), services: { analytics, pictures } } as unknown as AskCtx);
  }

  test('says the verdict, and in the alternative text all that the picture shows', async () => {
    const message = messageOf(await ask(predictions), 'nextport 9461477 map', {
      ...reader,
      source: 'sandbox',
    });
    expect(asRead(message)).toMatchInlineSnapshot(`
      "text: DS CYPRESS → Rotterdam, 82% · Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h; Hamburg · Wed 25 Nov 04:05 LT (03:05 UTC) · 16% · in 3 d 18 h. Forecast as of 09:05 UTC · IMO 9461477 · NLRTM (invented data)

      *DS CYPRESS → Rotterdam, 82%* · Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h
      (image: Map of DS CYPRESS: 1 Rotterdam 82%, Mon 23 Nov 15:05 LT; 2 Hamburg 16%, Wed 25 Nov 04:05 LT. Likely next ports · forecast as of Sat 21 Nov 09:05 UTC. No position or route: the service gives none. IMO 9461477. invented data)
      Forecast as of 09:05 UTC · IMO 9461477 · NLRTM · invented data
      [Watch → watch 9461477] [Refresh → nextport 9461477 map] [Who is coming to Rotterdam → portcalls NLRTM] [Next ports → nextport 9461477] [Share → nextport 9461477 map] [▾ History → nextport 9461477 history | Compare both forecasts → nextport 9461477 compare]"
    `);
  });

  test('for a vessel without predictions is the same as without `map`', async () => {
    expect((await ask([])).verdict.strong).toBe('No prediction for IMO 9461477');
  });
});

test('without a public address the line says what is missing', async () => {
  const harness = await createCommandHarness();
  try {
    const place = { channelId: 'C0OPS00001', destination: 'channel' } as const;
    expect((await harness.show('nextport 9461477 map', { place })).text).toBe(
      "I can't show maps here. Slack has to fetch a picture from the bot, and the settings don't say at which address. Whoever runs Landfall can set PUBLIC_URL. You could try: Next ports of DS CYPRESS.",
    );
    expect((await harness.show('nextport 9461477 map')).text).toContain('Maps are shown in Slack only.');
  } finally {
    await harness.close();
  }
});

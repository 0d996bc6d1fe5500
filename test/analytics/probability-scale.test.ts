import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyticsHarness, cypress, diana, prediction } from '../support/analytics-harness.ts';

const predictions = (...records: unknown[]) => ({ body: { predictions: records } });

describe('the probability scale', () => {
  test('is fraction until a figure above 1.5, then always percent', async () => {
    const { client, service } = await analyticsHarness(() =>
      predictions(
        prediction({ probability: 1.0001 }),
        prediction({ un_location_code: 'DEHAM', probability: 0.9 }),
      ),
    );
    const before = await client.vesselPredictions(cypress);
    expect(before).toMatchObject({
      scale: 'fraction',
      predictions: [{ probability: 1 }, { probability: 0.9 }],
    });

    service.answer = () =>
      predictions(
        prediction({ probability: 82 }),
        prediction({ un_location_code: 'DEHAM', probability: 0.9 }),
      );
    const percent = await client.vesselPredictions(cypress, { fresh: true });
    expect(percent).toMatchObject({
      scale: 'percent',
      droppedRecords: 0,
      predictions: [{ probability: 0.82 }, {}],
    });
    expect(percent.predictions[1]?.probability).toBeCloseTo(0.009);

    service.answer = () => predictions(prediction({ probability: 0.9 }));
    const after = await client.vesselPredictions(cypress, { fresh: true });
    expect(after.scale).toBe('percent');
    expect(after.predictions[0]?.probability).toBeCloseTo(0.009);
  });

  test('answers that were cached before the scale was known are not used again', async () => {
    const { client, service } = await analyticsHarness(() => predictions(prediction({ probability: 0.9 })));
    await client.vesselPredictions(cypress);
    service.answer = () => predictions(prediction({ vessel_imo_number: 9755933, probability: 55 }));
    await client.vesselPredictions(diana);
    service.answer = () => predictions(prediction({ probability: 0.9 }));
    expect((await client.vesselPredictions(cypress)).predictions[0]?.probability).toBeCloseTo(0.009);
  });

  test('a figure out of range decides nothing', async () => {
    const { client } = await analyticsHarness(() =>
      predictions(
        prediction({ probability: 4711 }),
        prediction({ un_location_code: 'DEHAM', probability: 0.4 }),
      ),
    );
    expect(await client.vesselPredictions(cypress)).toMatchObject({
      scale: 'fraction',
      droppedRecords: 1,
      predictions: [{ probability: 0.4 }],
    });
  });

  test('can be fixed by a setting', async () => {
    const { another, service } = await analyticsHarness(() => predictions(prediction({ probability: 0.9 })));
    const percent = await another({ probabilityScale: 'percent' }).vesselPredictions(cypress);
    expect(percent.scale).toBe('percent');
    expect(percent.predictions[0]?.probability).toBeCloseTo(0.009);
    service.answer = () => predictions(prediction({ probability: 55 }));
    expect(await another({ probabilityScale: 'fraction' }).vesselPredictions(cypress)).toMatchObject({
      scale: 'fraction',
      droppedRecords: 1,
      predictions: [],
    });
  });

  test('always results in fractions, for any numbers', async () => {
    const { service, another } = await analyticsHarness();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.double({ noNaN: true, min: -200, max: 200 })), async (figures) => {
        service.answer = () => predictions(...figures.map((probability) => prediction({ probability })));
        const { predictions: read } = await another().vesselPredictions(cypress);
        for (const { probability } of read) expect(probability >= 0 && probability <= 1).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

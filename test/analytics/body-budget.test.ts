import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBodyBudget, maxBodyBytes } from '../../src/analytics/http-transport.ts';
import { analyticsHarness, diana, prediction } from '../support/analytics-harness.ts';

test('whatever the bodies, all are read, and only one is beyond the bound', async () => {
  const bodies = fc.array(fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 6 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(bodies, fc.integer({ min: 1, max: 100 }), async (sizes, maxBytes) => {
      const budget = createBodyBudget({ maxBytes });
      const read = async (chunks: number[]) => {
        const reader = budget.open();
        for (const bytes of chunks) {
          await reader.take(bytes);
          expect(budget.bytesInFlight()).toBeLessThanOrEqual(maxBytes + 6 * 50);
        }
        reader.close();
      };
      await Promise.all(sizes.map(read));
      expect(budget.bytesInFlight()).toBe(0);
    }),
  );
});

test('the bodies of all accounts together stay within the bound', async () => {
  const maxBytes = 2_000_000;
  const budget = createBodyBudget({ maxBytes });
  let most = 0;
  const bodyBudget = {
    ...budget,
    open() {
      const reader = budget.open();
      return {
        ...reader,
        async take(bytes: number) {
          await reader.take(bytes);
          most = Math.max(most, budget.bytesInFlight());
        },
      };
    },
  };
  // About 3.5 MB.
  const records = [prediction({ vessel_imo_number: diana, note: 'x'.repeat(3_500_000) })];
  const body = { predictions: records };
  const { another } = await analyticsHarness(() => ({ body }), { bodyBudget });
  const clients = Array.from({ length: 6 }, () => another());
  const answers = await Promise.all(clients.map((client) => client.vesselPredictions(diana)));
  expect(answers.every(({ predictions }) => predictions.length === 1)).toBe(true);
  expect(most).toBeGreaterThan(maxBytes / 2);
  expect(most).toBeLessThanOrEqual(maxBytes + maxBodyBytes);
  expect(budget.bytesInFlight()).toBe(0);
});

import { expect, test } from 'vitest';
import type { AnalyticsClient } from '../../../src/analytics/client.ts';
import type { Imo } from '../../../src/reference/codes.ts';
import { analyticsHarness, gate, prediction as record } from '../../support/analytics-harness.ts';
import { featuresOver } from '../../support/registry.ts';
import { runContext, vessels } from '../../support/run-command.ts';
import { asked, cypress, diana, nameless, prediction } from '../../support/view-fixtures.ts';

test('a list is sorted by the ETA of each vessel’s top port; vessels without an ETA come last', async () => {
  const predictions = [
    prediction('NLRTM', 0.9, undefined, { imo: nameless.imo }),
    prediction('NLRTM', 0.8, '2026-11-25T00:00:00Z', { imo: cypress.imo }),
    prediction('DEHAM', 0.1, '2026-11-22T00:00:00Z', { imo: cypress.imo }),
    prediction('SGSIN', 0.7, '2026-11-23T00:00:00Z', { imo: diana.imo }),
  ];
  // Only the function that the line needs is there.
  const { ctx, parseLine } = featuresOver({
    shiplistNextPorts: async () => ({ ...asked, predictions }),
  } as Partial<AnalyticsClient> as AnalyticsClient);
  const { comparison } = await parseLine('nextport list:FEEDERS', { vessels }).run(runContext(ctx));
  const rows = comparison?.questions.flatMap((question) => question.rows ?? []);
  expect(rows?.map(({ imo }) => imo)).toEqual([diana.imo, cypress.imo, nameless.imo]);
});

test("while the service is slow, one person's fleet does not hold up another's vessel", async () => {
  const asked: number[] = [];
  const first = gate();
  const { client } = await analyticsHarness(
    async ({ path }) => {
      const imo = Number(path.split('/')[3]) as Imo; // the client's own path
      asked.push(imo);
      if (asked.length === 1) await first.opened;
      return { body: { predictions: [record({ vessel_imo_number: imo })] } };
    },
    { maxInFlight: 1 },
  );
  const { ctx, parseLine } = featuresOver(client);
  const ask = (userId: string, line: string) =>
    parseLine(line, { vessels }).run({
      ...runContext(ctx),
      actor: { userId, isAdmin: false, zone: 'UTC' },
    });
  const answers = [ask('U0ADA', 'nextport 9461477, 9755933, 9811000'), ask('U0BEN', 'nextport 9839430')];
  first.open();
  await Promise.all(answers);
  expect(asked).toEqual([9461477, 9839430, 9755933, 9811000]);
});

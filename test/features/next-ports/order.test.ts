import { expect, test } from 'vitest';
import type { AnalyticsClient } from '../../../src/analytics/client.ts';
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

import { expect, test } from 'vitest';
import type { AnalyticsClient } from '../../src/analytics/client.ts';
import { type Answer, exportTables } from '../../src/answers/answer.ts';
import { featuresOver } from '../support/registry.ts';
import { reader, runContext, vessels } from '../support/run-command.ts';
import { asked, carrier, cypress, diana, nameless, prediction } from '../support/view-fixtures.ts';

/** What a command makes of canned answers. */
async function answerOf(line: string, canned: Partial<AnalyticsClient>): Promise<unknown> {
  // Only the functions that the line needs are there.
  const { ctx, parseLine } = featuresOver(canned as AnalyticsClient);
  return (await parseLine(line, { vessels }).run(runContext(ctx))).value;
}

/** Of the file with the answer. */
function columnOf(key: string, answer: unknown) {
  const [table] = exportTables(answer as Answer, reader);
  return [...(table?.rows() ?? [])].map((row) => row[table?.columns.indexOf(key) ?? -1]);
}

test('carriers are ranked by the delayed share at the destination, not by counts nor at the origin', async () => {
  const statistics = [
    carrier('MAEU', 40, { delayed: [0, 8], omitted: [0, 0] }),
    carrier('MSCU', 10, { delayed: [9, 1], omitted: [5, 5] }),
    carrier('ONEY', 100, { delayed: [0, 15], omitted: [0, 0] }),
    carrier('HLCU', 9, { delayed: [0, 0], omitted: [0, 0] }),
    carrier('ZIMU', 3, { delayed: [0, 0], omitted: [0, 0] }),
    carrier('COSU', 20, { delayed: [0, 2], omitted: [0, 0] }),
  ];
  const value = await answerOf('lane Singapore Xiamen', {
    journeyStatistics: async () => ({ ...asked, statistics }),
  });
  expect(columnOf('carrier', value)).toEqual(['COSU', 'MSCU', 'ONEY', 'MAEU', 'HLCU', 'ZIMU']);
});

test('a list is sorted by the ETA of each vessel’s top port; vessels without an ETA come last', async () => {
  const predictions = [
    prediction('NLRTM', 0.9, undefined, { imo: nameless.imo }),
    prediction('NLRTM', 0.8, '2026-11-25T00:00:00Z', { imo: cypress.imo }),
    prediction('DEHAM', 0.1, '2026-11-22T00:00:00Z', { imo: cypress.imo }),
    prediction('SGSIN', 0.7, '2026-11-23T00:00:00Z', { imo: diana.imo }),
  ];
  const value = await answerOf('nextport list:FEEDERS', {
    shiplistNextPorts: async () => ({ ...asked, predictions }),
  });
  const { comparison } = value as { comparison: { vessels: { imo: number }[] } };
  expect(comparison.vessels.map(({ imo }) => imo)).toEqual([diana.imo, cypress.imo, nameless.imo]);
});

test('port calls are sorted by ETA, with missing ETAs last, or by probability', async () => {
  const predictions = [
    prediction('NLRTM', 0.9, undefined, { imo: nameless.imo }),
    prediction('NLRTM', 0.4, '2026-11-25T00:00:00Z', { imo: cypress.imo }),
    prediction('NLRTM', 0.2, '2026-11-23T00:00:00Z', { imo: diana.imo }),
  ];
  const listed = async (line: string) =>
    columnOf('imo', await answerOf(line, { portPredictions: async () => ({ ...asked, predictions }) }));
  expect(await listed('portcalls Rotterdam')).toEqual([diana.imo, cypress.imo, nameless.imo]);
  expect(await listed('portcalls Rotterdam by probability')).toEqual([nameless.imo, cypress.imo, diana.imo]);
});

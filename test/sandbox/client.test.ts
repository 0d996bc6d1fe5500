import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { UsagePage } from '../../src/analytics/usage.ts';
import { isImo, isLocode } from '../../src/reference/codes.ts';
import { contractRoutes } from '../../src/sandbox/routes.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { createLoneClient } from '../support/analytics-client.ts';
import { sandboxEpoch } from '../support/sandbox-caller.ts';

const imo = 9755933;
const origin = 'SGSIN';
const destination = 'CNXAM';

test('each route of the sandbox has a client function, which reads its answer without a fault', async () => {
  const sandbox = await createSandbox({ clock: { epoch: sandboxEpoch, speed: 0 } });
  const client = createLoneClient({
    baseUrl: sandbox.url,
    ...sandbox.credentials,
    now: () => sandbox.clock.now(),
    logger: pino({ level: 'silent' }),
  });
  if (!isImo(imo) || !isLocode(origin) || !isLocode(destination)) throw new Error('not codes');

  const answers = [
    await client.vesselPredictions(imo),
    await client.portPredictions(origin),
    await client.shipNextPorts(imo),
    await client.shiplistNextPorts('MÉD/ADRIA'),
  ];
  for (const answer of answers) {
    expect(answer.droppedRecords).toBe(0);
    expect(answer.predictions.length).toBeGreaterThan(0);
  }
  const statistics = await client.journeyStatistics({ origin, destination });
  expect([statistics.droppedRecords, statistics.statistics.length > 3]).toEqual([0, true]);
  const pages: UsagePage[] = [];
  for await (const page of client.usage({ year: 2026, month: 10 })) pages.push(page);
  expect(pages.flatMap((page) => page.records).length).toBeGreaterThan(10);
  expect(pages.every((page) => page.droppedRecords === 0 && !page.truncated)).toBe(true);

  const { byEndpoint, errors } = sandbox.requests;
  expect(Object.keys(byEndpoint)).toHaveLength(contractRoutes.length);
  expect(Object.entries(byEndpoint).filter(([, requests]) => requests === 0)).toEqual([]);
  expect(errors).toBe(0);
  await sandbox.close();
});

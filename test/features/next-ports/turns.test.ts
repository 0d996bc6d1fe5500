import { expect, test } from 'vitest';
import type { Imo } from '../../../src/reference/codes.ts';
import { analyticsHarness, gate, prediction } from '../../support/analytics-harness.ts';
import { featuresOver } from '../../support/registry.ts';
import { runContext, vessels } from '../../support/run-command.ts';

test("while the service is slow, one person's fleet does not hold up another's vessel", async () => {
  const asked: number[] = [];
  const first = gate();
  const { client } = await analyticsHarness(
    async ({ path }) => {
      const imo = Number(path.split('/')[3]) as Imo; // the client's own path
      asked.push(imo);
      if (asked.length === 1) await first.opened;
      return { body: { predictions: [prediction({ vessel_imo_number: imo })] } };
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

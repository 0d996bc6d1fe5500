import { createPlayground } from 'bolt-playground';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { createTestDatabase } from '../../support/create-test-database.ts';
import { accountSettings, linesOf, manifest, report, slackSettings } from '../../support/doctor.ts';
import { freePort } from '../../support/free-port.ts';
import { useStarted } from '../../support/use-started.ts';

const slack = useStarted(() => createPlayground({ mode: 'socket', manifest }));
const sandbox = useStarted(createSandbox);

/** The clock section on a machine whose clock is that much ahead. */
const clockLines = async (env: Record<string, string>, aheadMs = 0) =>
  linesOf(await report(env, { realNow: () => Date.now() + aheadMs }), 'Clock');

const minute = 60_000;

test('a clock that is right, of each that answers', async () => {
  const env = {
    ...slackSettings(slack),
    ...accountSettings(sandbox),
    DATABASE_URL: await createTestDatabase('empty'),
    LANDFALL_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  };
  expect(await clockLines(env)).toEqual([
    "✓ This machine's clock agrees with Slack's",
    "✓ This machine's clock agrees with the service's",
    "✓ This machine's clock agrees with the database's",
  ]);
  expect(await clockLines(env, -7 * minute)).toEqual([
    "✗ This machine's clock is 7 minutes behind Slack's: deliveries over HTTP are refused beyond 5 minutes",
    "✗ This machine's clock is 7 minutes behind the service's",
    "✗ This machine's clock is 7 minutes behind the database's",
  ]);
});

test('two minutes are a warning', async () => {
  const env = { ...slackSettings(slack), ANALYTICS_BASE_URL: 'sandbox' };
  expect(await clockLines(env, 2 * minute)).toEqual(["! This machine's clock is 2 minutes ahead of Slack's"]);
});

test('nobody answers', async () => {
  const SLACK_API_URL = `http://127.0.0.1:${await freePort()}/api/`;
  expect(await clockLines({ ...slackSettings(slack), SLACK_API_URL, ANALYTICS_BASE_URL: 'sandbox' })).toEqual(
    ['! Nothing answered with its time, so the clock could not be compared'],
  );
});

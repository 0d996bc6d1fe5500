import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';
import { createMetricsServer } from '../../../src/app/metrics/metrics-server.ts';
import type { Schema } from '../../../src/database/schema.ts';
import { sqliteEngine } from '../../../src/database/sqlite.ts';
import { silentLogger } from '../../../src/log.ts';
import { ada, ops } from '../../support/bot.ts';
import { useBot } from '../../support/use-bot.ts';
import { useDirectory } from '../../support/use-directory.ts';

test('/metrics of a bot counts what people ask, the service, Slack and the store, and names nobody', async () => {
  const bot = await useBot('http', {
    env: { METRICS_PORT: '0', ANALYTICS_DAILY_CALLS: '500', LANDFALL_DATA_DIR: await useDirectory() },
  });
  const url = bot.metricsUrl ?? '';
  const scrape = async (): Promise<string> => (await fetch(url)).text();
  const sample = async (series: string): Promise<number> => {
    const line = (await scrape()).split('\n').find((text) => text.startsWith(`${series} `));
    return line === undefined ? Number.NaN : Number(line.slice(series.length + 1));
  };
  await bot.say(ada, ops, '/nextport 9461477');
  await bot.say(ada, ops, '/nextport 9461477');
  await bot.say(ada, ops, '/portcalls Nowhereville');
  await bot.say(ada, ops, '/landfall frobnicate');
  for (const [series, value] of [
    ['landfall_commands_total{command="nextport",outcome="answered"}', 2],
    ['landfall_commands_total{command="portcalls",outcome="refused"}', 1],
    ['landfall_commands_total{command="none",outcome="refused"}', 1],
    ['landfall_command_ack_duration_seconds_count', 4],
    ['landfall_command_answer_duration_seconds_count{command="nextport"}', 2],
    ['landfall_logins_total{outcome="ok"}', 1],
    ['landfall_service_cache_lookups_total{endpoint="vessel_predictions",result="miss"}', 1],
    ['landfall_service_cache_lookups_total{endpoint="vessel_predictions",result="hit"}', 1],
    ['landfall_slack_calls_total{method="response_url",outcome="ok"}', 4],
    ['landfall_installations', 1],
    ['landfall_budget_calls_left', 500],
    ['landfall_ready', 1],
  ] as const)
    expect([series, await sample(series)]).toEqual([series, value]);
  expect(await sample('landfall_store_query_duration_seconds_count')).toBeGreaterThan(10);
  expect(bot.log.find(({ msg }) => msg.startsWith('Landfall is ready'))?.metrics).toBe(url);

  bot.playground.faults.next('chat.postMessage', { error: 'channel_not_found' });
  await bot.say(ada, ops, '@landfall nextport 9461477');
  bot.sandbox.faults.malformed('html');
  await bot.say(ada, ops, '/nextport 9811000');
  const text = await scrape();
  expect(text).toContain('landfall_service_unreadable_total{endpoint="vessel_predictions"} 1\n');
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  const { world, botToken } = bot.playground;
  for (const word of [ada, ops, '9461477', world.team.id, botToken, bot.sandbox.credentials.apiKey])
    expect(text).not.toContain(word);

  // It serves nothing else, and nothing on the port of Slack.
  expect((await fetch(url, { method: 'POST' })).status).toBe(404);
  expect((await fetch(new URL('/', url))).status).toBe(404);
  expect((await fetch(new URL('/metrics', bot.playground.url))).status).toBe(404);
});

test('a database that hangs leaves the counters, and is asked once', async () => {
  let connections = 0;
  class HangingDriver extends DummyDriver {
    override acquireConnection(): Promise<never> {
      connections += 1;
      return new Promise(() => {});
    }
  }
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new HangingDriver(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  const server = createMetricsServer({ host: '127.0.0.1', port: 0, logger: silentLogger, readingMs: 1 });
  const url = await server.start({
    ...{ version: '1.2.3', source: 'service', store: { db, engine: sqliteEngine }, dailyCalls: undefined },
    now: () => new Date(),
    realNow: Date.now,
    whyNotReady: () => ['the database does not answer'],
  });
  server.measure({ kind: 'query', ms: undefined, isFailed: true });
  await fetch(url);
  const text = await (await fetch(url)).text();
  expect(text).toContain('landfall_store_failures_total 1');
  expect(text).toContain('landfall_ready 0');
  expect(text).not.toContain('landfall_due_rows{');
  expect(connections).toBe(1);
  await server.close();
});

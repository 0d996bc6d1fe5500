import { createServer } from 'node:net';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { createMetricsServer } from '../../../src/app/metrics/metrics-server.ts';
import { createConfig } from '../../../src/config/config.ts';
import type { Schema } from '../../../src/database/schema.ts';
import { sqliteEngine } from '../../../src/database/sqlite.ts';
import { silentLogger } from '../../../src/log.ts';
import { ada, ops, type TestBot } from '../../support/bot.ts';
import { useBot } from '../../support/use-bot.ts';
import { useDirectory } from '../../support/use-directory.ts';

describe('/metrics of a bot', () => {
  let bot: TestBot;

  const scrape = async (): Promise<string> => (await fetch(bot.metricsUrl ?? '')).text();
  const sample = async (series: string): Promise<number> => {
    const line = (await scrape()).split('\n').find((text) => text.startsWith(`${series} `));
    return line === undefined ? Number.NaN : Number(line.slice(series.length + 1));
  };

  test('counts what people ask, the service, Slack and the store', async () => {
    bot = await useBot('http', {
      env: { METRICS_PORT: '0', ANALYTICS_DAILY_CALLS: '500', LANDFALL_DATA_DIR: await useDirectory() },
    });
    const calls = 'landfall_slack_calls_total{method="response_url",outcome="ok"}';
    await bot.say(ada, ops, '/nextport 9461477');
    await bot.say(ada, ops, '/nextport 9461477');
    await bot.say(ada, ops, '/portcalls Nowhereville');
    await bot.say(ada, ops, '/landfall frobnicate');
    expect(await sample('landfall_commands_total{command="nextport",outcome="answered"}')).toBe(2);
    expect(await sample('landfall_commands_total{command="portcalls",outcome="refused"}')).toBe(1);
    expect(await sample('landfall_commands_total{command="none",outcome="refused"}')).toBe(1);
    expect(await sample('landfall_command_ack_duration_seconds_count')).toBe(4);
    expect(await sample('landfall_command_answer_duration_seconds_count{command="nextport"}')).toBe(2);
    expect(await sample('landfall_logins_total{outcome="ok"}')).toBe(1);
    const cache = (result: string) =>
      sample(`landfall_service_cache_lookups_total{endpoint="vessel_predictions",result="${result}"}`);
    expect(await cache('miss')).toBe(1);
    expect(await cache('hit')).toBe(1);
    expect(await sample(calls)).toBe(4);
    expect(await sample('landfall_store_query_duration_seconds_count')).toBeGreaterThan(10);
    expect(await sample('landfall_installations')).toBe(1);
    expect(await sample('landfall_budget_calls_left')).toBe(500);
    expect(await sample('landfall_ready')).toBe(1);
    expect(bot.log.find(({ msg }) => msg.startsWith('Landfall is ready'))?.metrics).toBe(bot.metricsUrl);
    expect(await scrape()).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  });

  test('counts answers that break the contract', async () => {
    bot = await useBot('http', { env: { METRICS_PORT: '0' } });
    await bot.say(ada, ops, '/portcalls Rotterdam');
    bot.sandbox.faults.malformed('html');
    await bot.say(ada, ops, '/nextport 9461477');
    expect(await sample('landfall_service_unreadable_total{endpoint="vessel_predictions"}')).toBe(1);
  });

  test('names no person, channel, vessel or workspace, and no secret', async () => {
    bot = await useBot('socket', { env: { METRICS_PORT: '0' } });
    bot.playground.faults.next('chat.postEphemeral', { error: 'channel_not_found' });
    await bot.say(ada, ops, '/nextport 9461477');
    const text = await scrape();
    const { world, botToken } = bot.playground;
    for (const word of [ada, ops, '9461477', world.team.id, botToken, bot.sandbox.credentials.apiKey])
      expect(text).not.toContain(word);
  });

  test('serves nothing else, and nothing on the port of Slack', async () => {
    bot = await useBot('http', { env: { METRICS_PORT: '0' } });
    const url = bot.metricsUrl ?? '';
    expect((await fetch(url, { method: 'POST' })).status).toBe(404);
    expect((await fetch(new URL('/', url))).status).toBe(404);
    expect((await fetch(new URL('/metrics', bot.playground.url))).status).toBe(404);
  });
});

test('without METRICS_PORT there is no server', async () => {
  expect((await useBot('socket')).metricsUrl).toBeUndefined();
});

test('a METRICS_PORT in use is named', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address ? String(address.port) : '';
  const app = createApp({
    config: createConfig({ PORT: '0', LANDFALL_DATA_DIR: ':memory:', METRICS_PORT: port }),
    logger: pino({ level: 'silent' }),
    version: '1.2.3',
  });
  await expect(app.start()).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or set METRICS_PORT to another port.`,
  );
  await app.stop(1_000);
  other.close();
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

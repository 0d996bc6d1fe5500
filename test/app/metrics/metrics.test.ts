import { describe, expect, test } from 'vitest';
import { createMetrics, definitions } from '../../../src/app/metrics/metrics.ts';
import type { Measurement } from '../../../src/measure.ts';

async function samplesAfter(...measurements: Measurement[]): Promise<string[]> {
  const metrics = createMetrics();
  for (const measurement of measurements) metrics.measure(measurement);
  return (await metrics.registry.metrics()).split('\n');
}

describe('a measurement is counted', () => {
  test.each<[Measurement, string[]]>([
    [
      { kind: 'ack', ms: 30 },
      [
        'landfall_command_ack_duration_seconds_bucket{le="0.025"} 0',
        'landfall_command_ack_duration_seconds_bucket{le="0.05"} 1',
        'landfall_command_ack_duration_seconds_sum 0.03',
      ],
    ],
    [
      { kind: 'answer', command: 'nextport', outcome: 'answered', ms: 1_500 },
      [
        'landfall_commands_total{command="nextport",outcome="answered"} 1',
        'landfall_command_answer_duration_seconds_sum{command="nextport"} 1.5',
      ],
    ],
    [
      { kind: 'answer', command: undefined, outcome: 'failed', ms: -5 },
      [
        'landfall_commands_total{command="none",outcome="failed"} 1',
        // After a clock rollback.
        'landfall_command_answer_duration_seconds_sum{command="none"} 0',
      ],
    ],
    [
      { kind: 'service', resource: 'the usage report', status: 429, ms: 20 },
      ['landfall_service_request_duration_seconds_count{endpoint="usage_report",status="429"} 1'],
    ],
    [
      { kind: 'service', resource: 'vessel predictions', status: undefined, ms: 20 },
      ['landfall_service_request_duration_seconds_count{endpoint="vessel_predictions",status="none"} 1'],
    ],
    [
      { kind: 'service', resource: 'login', status: 401, ms: 20 },
      ['landfall_logins_total{outcome="refused"} 1'],
    ],
    [
      { kind: 'service', resource: 'login', status: 503, ms: 20 },
      ['landfall_logins_total{outcome="failed"} 1'],
    ],
    [
      { kind: 'cache', resource: 'port predictions', result: 'stale' },
      ['landfall_service_cache_lookups_total{endpoint="port_predictions",result="stale"} 1'],
    ],
    [
      { kind: 'refused-delivery', reason: 'signature' },
      ['landfall_deliveries_refused_total{reason="signature"} 1'],
    ],
    [{ kind: 'job-failure', job: 'polls' }, ['landfall_job_failures_total{work="polls"} 1']],
    [
      { kind: 'slack', method: 'chat.postMessage', outcome: 'ratelimited' },
      [
        'landfall_slack_calls_total{method="chat.postMessage",outcome="ratelimited"} 1',
        'landfall_slack_rate_limits_total{method="chat.postMessage"} 1',
      ],
    ],
    [
      { kind: 'query', ms: 2, isFailed: true },
      ['landfall_store_query_duration_seconds_count 1', 'landfall_store_failures_total 1'],
    ],
    [
      { kind: 'query', ms: undefined, isFailed: true },
      ['landfall_store_query_duration_seconds_count 0', 'landfall_store_failures_total 1'],
    ],
  ])('%j', async (measurement, expected) => {
    expect(await samplesAfter(measurement)).toEqual(expect.arrayContaining(expected));
  });
});

test('every metric is registered with its labels, in base units and with a name of ours', () => {
  const { registry } = createMetrics();
  const registered = registry.getMetricsAsArray().filter(({ name }) => name.startsWith('landfall_'));
  expect(registered.map(({ name, type }) => [name, type])).toEqual(
    expect.arrayContaining(Object.entries(definitions).map(([name, { type }]) => [name, type])),
  );
  expect(registered).toHaveLength(Object.keys(definitions).length);
  for (const [name, { type }] of Object.entries(definitions)) {
    expect(name.endsWith('_total')).toBe(type === 'counter');
    if (type === 'histogram') expect(name).toMatch(/_seconds$/);
  }
});

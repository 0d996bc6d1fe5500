import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Measure, Measurement } from '../../measure.ts';
import { type Definition, definitions, type MetricName } from './definitions.ts';

export type Metrics = ReturnType<typeof createMetrics>;

type NameOf<Type> = {
  [Name in MetricName]: (typeof definitions)[Name]['type'] extends Type ? Name : never;
}[MetricName];

/** The metrics of one process, as Prometheus reads them. */
export function createMetrics() {
  const registry = new Registry();
  const ofType = <Type extends Definition['type'], Metric>(
    type: Type,
    create: (options: Options) => Metric,
  ) =>
    new Map(
      Object.entries<Definition>(definitions)
        .filter(([, definition]) => definition.type === type)
        .map(([name, definition]) => [name, create(optionsOf(name, definition))]),
    );
  const optionsOf = (name: string, { help, labels = [], buckets }: Definition): Options => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    ...(buckets && { buckets: [...buckets] }),
  });
  const counters = ofType('counter', (options) => new Counter(options));
  const histograms = ofType('histogram', (options) => new Histogram(options));
  const gauges = ofType('gauge', (options) => new Gauge(options));
  collectDefaultMetrics({ register: registry });
  // Otherwise Prometheus would not see the first one as an increase.
  for (const outcome of loginOutcomes) counters.get('landfall_logins_total')?.inc({ outcome }, 0);
  counters.get('landfall_deliveries_refused_total')?.inc({ reason: 'signature' }, 0);

  const count = (name: NameOf<'counter'>, labels: Labels = {}) => counters.get(name)?.inc(labels);
  const observe = (name: NameOf<'histogram'>, ms: number, labels: Labels = {}) =>
    histograms.get(name)?.observe(labels, Math.max(0, ms) / 1_000);

  function record(measurement: Measurement): void {
    switch (measurement.kind) {
      case 'ack':
        observe('landfall_command_ack_duration_seconds', measurement.ms);
        break;
      case 'answer': {
        const { command = 'none', outcome, ms } = measurement;
        count('landfall_commands_total', { command, outcome });
        observe('landfall_command_answer_duration_seconds', ms, { command });
        break;
      }
      case 'service': {
        const { resource, status, ms } = measurement;
        const labels = { endpoint: endpointOf(resource), status: status ?? 'none' };
        observe('landfall_service_request_duration_seconds', ms, labels);
        if (resource === 'login') count('landfall_logins_total', { outcome: loginOutcome(status) });
        break;
      }
      case 'unreadable':
        count('landfall_service_unreadable_total', { endpoint: endpointOf(measurement.resource) });
        break;
      case 'cache': {
        const { resource, result } = measurement;
        count('landfall_service_cache_lookups_total', { endpoint: endpointOf(resource), result });
        break;
      }
      case 'job-failure':
        count('landfall_job_failures_total', { work: measurement.job });
        break;
      case 'refused-delivery':
        count('landfall_deliveries_refused_total', { reason: measurement.reason });
        break;
      case 'refused-request': {
        const { surface, reason } = measurement;
        count('landfall_requests_refused_total', { surface, reason });
        break;
      }
      case 'slack': {
        const { method, outcome } = measurement;
        count('landfall_slack_calls_total', { method, outcome });
        if (outcome === 'ratelimited') count('landfall_slack_rate_limits_total', { method });
        break;
      }
      case 'query':
        if (measurement.ms !== undefined) observe('landfall_store_query_duration_seconds', measurement.ms);
        if (measurement.isFailed) count('landfall_store_failures_total');
    }
  }

  return {
    registry,
    // prom-client throws only for labels that the definition lacks, which a test rules out.
    measure: record satisfies Measure,
    setGauge: (name: NameOf<'gauge'>, value: number, labels: Labels = {}) =>
      gauges.get(name)?.set(labels, value),
    /** A gauge that can't be read is absent, rather than old. */
    clearGauges(): void {
      for (const [name, { labels = [] }] of Object.entries<Definition>(definitions)) {
        // `reset` sets a gauge without labels to 0, and `remove` needs the values of all labels.
        if (labels.length > 0) gauges.get(name)?.reset();
        else gauges.get(name)?.remove();
      }
    },
  };
}

interface Options {
  name: string;
  help: string;
  labelNames: string[];
  registers: Registry[];
  buckets?: number[];
}

type Labels = Record<string, string | number>;

/** `vessel predictions` → `vessel_predictions`. */
const endpointOf = (resource: string): string => resource.replace(/^the /, '').replaceAll(' ', '_');

const loginOutcomes = ['ok', 'refused', 'failed'] as const;

/** As the client takes them: see toLoginError in analytics/login.ts. */
function loginOutcome(status: number | undefined): (typeof loginOutcomes)[number] {
  if (status !== undefined && status >= 200 && status < 300) return 'ok';
  return status !== undefined && [400, 401, 403, 422].includes(status) ? 'refused' : 'failed';
}

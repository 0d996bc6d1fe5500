import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Measure, Measurement } from '../../measure.ts';

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

/** What a metric is, for prom-client and for docs/metrics.md. Base units: seconds and bytes. */
export interface Definition {
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  labels?: readonly string[];
  /** Upper bounds of a histogram, in seconds. */
  buckets?: readonly number[];
  /** Read from the store, which the processes share: the same in each of them. */
  isShared?: true;
}

const aroundSlacksLimit = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5];
const untilTheDeadline = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 15];

/** No label is an id of a person, a channel, a vessel or a workspace. */
export const definitions = {
  landfall_commands_total: {
    type: 'counter',
    help: 'Requests of people, from any surface. `command` is `none` for other buttons and forms, and for words that name no command. `outcome`: `answered`, `refused` (the person has to type something else), `failed` (Landfall, the service or Slack), `asked_first`, `declined` (not served: a guest, an outsider, a paused workspace).',
    labels: ['command', 'outcome'],
  },
  landfall_command_ack_duration_seconds: {
    type: 'histogram',
    help: 'From a delivery of Slack until it was acknowledged. Slack waits for 3 s.',
    buckets: aroundSlacksLimit,
  },
  landfall_command_answer_duration_seconds: {
    type: 'histogram',
    help: 'From a request until Slack has accepted the answer. `command` as above.',
    labels: ['command'],
    buckets: untilTheDeadline,
  },
  landfall_logins_total: {
    type: 'counter',
    help: 'Logins at the analytics service. `outcome`: `ok`, `refused` (wrong account), `failed`.',
    labels: ['outcome'],
  },
  landfall_service_request_duration_seconds: {
    type: 'histogram',
    help: 'Attempts of requests to the analytics service, logins and retries included. `status` is that of HTTP, or `none` without an answer.',
    labels: ['endpoint', 'status'],
    buckets: untilTheDeadline,
  },
  landfall_service_unreadable_total: {
    type: 'counter',
    help: 'Answers of the analytics service that break its contract, such as a page in place of JSON, whatever their status.',
    labels: ['endpoint'],
  },
  landfall_service_cache_lookups_total: {
    type: 'counter',
    help: "Questions answered, by `result`: `hit` (from the cache), `shared` (with another caller's request), `miss` (a request of its own), `stale` (an old answer, since the service is down).",
    labels: ['endpoint', 'result'],
  },
  landfall_budget_calls_left: {
    type: 'gauge',
    help: 'Requests left today (UTC) of ANALYTICS_DAILY_CALLS, or of the lower limit of a workspace, the sum over the workspaces with either. Absent without a limit.',
    isShared: true,
  },
  landfall_budget_exhausted_workspaces: {
    type: 'gauge',
    help: 'Workspaces that have used up ANALYTICS_DAILY_CALLS, or their own lower limit, today. Absent without a limit.',
    isShared: true,
  },
  landfall_due_rows: {
    type: 'gauge',
    help: 'Rows that are due, by kind of `work` (`polls`, `reminders`, `digests`, `messages`), without those of paused workspaces.',
    labels: ['work'],
    isShared: true,
  },
  landfall_late_rows: {
    type: 'gauge',
    help: 'Rows that have been due for more than 2 minutes.',
    labels: ['work'],
    isShared: true,
  },
  landfall_oldest_due_age_seconds: {
    type: 'gauge',
    help: 'How long the oldest due row has been due; 0 if none is.',
    labels: ['work'],
    isShared: true,
  },
  landfall_job_failures_total: {
    type: 'counter',
    help: 'Rounds of `work` that failed, clean-ups and statistics included. The log says why; they are tried again.',
    labels: ['work'],
  },
  landfall_outbox_messages: {
    type: 'gauge',
    help: 'Messages in the outbox by `state`: `pending`, `sending` (or with an unknown outcome), `held` (of a paused watch or workspace, or one that has revoked its token), `failed` (Slack refused them for good).',
    labels: ['state'],
    isShared: true,
  },
  landfall_outbox_oldest_age_seconds: {
    type: 'gauge',
    help: 'The age of the oldest of these messages; 0 if there is none.',
    labels: ['state'],
    isShared: true,
  },
  landfall_deliveries_refused_total: {
    type: 'counter',
    help: "Requests to the address for Slack that were refused. `reason`: `signature` (not signed with SLACK_SIGNING_SECRET, so probably not Slack's), `body` (too large, too many at once, or incomplete).",
    labels: ['reason'],
  },
  landfall_requests_refused_total: {
    type: 'counter',
    help: 'Other requests that were refused. `surface` is `install`: `too-many` (over 30 a minute), `used-state`, `invalid-state` (expired, or of another browser). `surface` is `assistant`: `unknown` (neither a valid token nor a signature of Slack), `too-many` (of one assistant, or of unknown tokens), `body` (too large, or too many at once).',
    labels: ['surface', 'reason'],
  },
  landfall_slack_calls_total: {
    type: 'counter',
    help: "Requests to Slack. `method`: of the Web API, or `response_url`. `outcome`: `ok`, Slack's error code, or `none` without an answer.",
    labels: ['method', 'outcome'],
  },
  landfall_slack_rate_limits_total: {
    type: 'counter',
    help: 'Requests that Slack refused with 429.',
    labels: ['method'],
  },
  landfall_store_query_duration_seconds: {
    type: 'histogram',
    help: 'Statements of the database, without the wait for a connection.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
  },
  landfall_store_failures_total: {
    type: 'counter',
    help: 'Statements that failed, or got no connection.',
  },
  landfall_store_size_bytes: {
    type: 'gauge',
    help: 'The size of the database.',
    isShared: true,
  },
  landfall_installations: {
    type: 'gauge',
    help: 'Workspaces that have installed Landfall.',
    isShared: true,
  },
  landfall_ready: { type: 'gauge', help: '1 if /readyz answers 200, otherwise 0.' },
  landfall_build_info: {
    type: 'gauge',
    help: 'Always 1. `source`: `service`, or `sandbox` for invented data.',
    labels: ['version', 'source'],
  },
} as const satisfies Record<string, Definition>;

type MetricName = keyof typeof definitions;

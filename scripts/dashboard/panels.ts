import type { Row } from './panel.ts';
import { of, percentiles, perMinute, perSecond, quantile, shared } from './queries.ts';

const failedCommands = perSecond('landfall_commands_total', 'job', 'outcome="failed"');

/** The rows of the dashboard, from what people feel down to the process. */
export const rows: readonly Row[] = [
  {
    title: 'What people feel',
    panels: [
      {
        title: 'Ready',
        description: 'Instances whose /readyz answers 200. The others name their reasons there.',
        unit: 'short',
        queries: [{ expr: `sum(${of('landfall_ready')})`, legend: 'ready' }],
        isStat: true,
      },
      {
        title: 'Oldest unsent message',
        description: 'How long the oldest alert or digest has waited to be sent. Usually seconds.',
        unit: 's',
        queries: [
          {
            expr: `max(${of('landfall_outbox_oldest_age_seconds', 'state=~"pending|sending"')})`,
            legend: 'age',
          },
        ],
        isStat: true,
        redFrom: 600,
      },
      {
        title: 'Late work',
        description: 'Polls, reminders, digests and messages that have been due for more than 2 minutes.',
        unit: 'short',
        queries: [{ expr: `sum(${shared('landfall_late_rows', 'work')})`, legend: 'late' }],
        isStat: true,
        redFrom: 1,
      },
      {
        title: 'Failed commands',
        description: 'The share of commands that failed through no fault of the people who typed them.',
        unit: 'percentunit',
        queries: [
          { expr: `${failedCommands} / ${perSecond('landfall_commands_total', 'job')}`, legend: 'failed' },
        ],
        isStat: true,
        redFrom: 0.1,
      },
      {
        title: 'Commands',
        description: 'Commands per minute, however they were given: typed, clicked or asked in words.',
        unit: 'cpm',
        queries: [{ expr: perMinute('landfall_commands_total', 'command'), legend: '{{command}}' }],
        isStacked: true,
      },
      {
        title: 'Outcomes',
        description:
          'Commands per minute: answered; refused, for what was typed; failed, on our side or the service’s; declined, because Landfall doesn’t serve the person; asked first, before outsiders see it.',
        unit: 'cpm',
        queries: [{ expr: perMinute('landfall_commands_total', 'outcome'), legend: '{{outcome}}' }],
        isStacked: true,
      },
      {
        title: 'Time to acknowledge',
        description: 'From delivery to acknowledgement. After 3 s Slack shows people an error.',
        unit: 's',
        queries: percentiles('landfall_command_ack_duration_seconds'),
        redFrom: 3,
      },
      {
        title: 'Time to answer',
        description: 'From delivery to the final answer. A command is given up after 15 s.',
        unit: 's',
        queries: percentiles('landfall_command_answer_duration_seconds'),
        redFrom: 15,
      },
      {
        title: 'Slow answers by command (p95)',
        description: '5% of the answers to each command take longer than this.',
        unit: 's',
        queries: [
          {
            expr: quantile(0.95, 'landfall_command_answer_duration_seconds', 'command'),
            legend: '{{command}}',
          },
        ],
      },
    ],
  },
  {
    title: 'What is due',
    panels: [
      {
        title: 'Due and late rows',
        description:
          'Rows of work that are due now. Those that have been due for more than 2 minutes are late.',
        unit: 'short',
        queries: [
          { expr: shared('landfall_due_rows', 'work'), legend: '{{work}} due' },
          { expr: shared('landfall_late_rows', 'work'), legend: '{{work}} late' },
        ],
      },
      {
        title: 'Oldest due row',
        description: 'How long the oldest row of each kind of work has been due.',
        unit: 's',
        queries: [{ expr: shared('landfall_oldest_due_age_seconds', 'work'), legend: '{{work}}' }],
        redFrom: 120,
      },
      {
        title: 'Failed rounds',
        description:
          'Rounds of each kind of work that failed, per minute. They are tried again, at most every 30 s.',
        unit: 'cpm',
        queries: [{ expr: perMinute('landfall_job_failures_total', 'work'), legend: '{{work}}' }],
      },
      {
        title: 'Messages in the outbox',
        description:
          'Pending: to be sent. Sending: under way, or with an unknown outcome. Held: of a paused watch. Failed: Slack refused them for good.',
        unit: 'short',
        queries: [{ expr: shared('landfall_outbox_messages', 'state'), legend: '{{state}}' }],
      },
      {
        title: 'Oldest message in the outbox',
        description: 'How long the oldest message in each state has waited.',
        unit: 's',
        queries: [{ expr: shared('landfall_outbox_oldest_age_seconds', 'state'), legend: '{{state}}' }],
      },
    ],
  },
  {
    title: 'The analytics service',
    panels: [
      {
        title: 'Requests by endpoint',
        description: 'Requests to the service per minute, retries included.',
        unit: 'reqpm',
        queries: [
          {
            expr: perMinute('landfall_service_request_duration_seconds_count', 'endpoint'),
            legend: '{{endpoint}}',
          },
        ],
        isStacked: true,
      },
      {
        title: 'Requests by status',
        description: 'The status of the service’s answers, per minute; none: no answer.',
        unit: 'reqpm',
        queries: [
          {
            expr: perMinute('landfall_service_request_duration_seconds_count', 'status'),
            legend: '{{status}}',
          },
        ],
        isStacked: true,
      },
      {
        title: 'Time of a request (p95)',
        description:
          '5% of the requests to each endpoint take longer than this. An attempt is given up after 10 s.',
        unit: 's',
        queries: [
          {
            expr: quantile(0.95, 'landfall_service_request_duration_seconds', 'endpoint'),
            legend: '{{endpoint}}',
          },
        ],
      },
      {
        title: 'Cache',
        description:
          'Look-ups per minute: hit; shared, which joined a request under way; miss; stale, shown because the service did not answer.',
        unit: 'cpm',
        queries: [
          { expr: perMinute('landfall_service_cache_lookups_total', 'result'), legend: '{{result}}' },
        ],
        isStacked: true,
      },
      {
        title: 'Logins',
        description: 'Logins at the service per minute. A few an hour for each account are normal.',
        unit: 'cpm',
        queries: [{ expr: perMinute('landfall_logins_total', 'outcome'), legend: '{{outcome}}' }],
      },
      {
        title: 'Calls left today',
        description:
          'The calls that watches may still make today, over all workspaces. Empty without ANALYTICS_DAILY_CALLS.',
        unit: 'short',
        queries: [
          { expr: shared('landfall_budget_calls_left'), legend: 'calls left' },
          { expr: shared('landfall_budget_exhausted_workspaces'), legend: 'workspaces without calls left' },
        ],
      },
    ],
  },
  {
    title: 'Slack',
    panels: [
      {
        title: 'Calls by method',
        description: 'Calls of Slack’s Web API per minute.',
        unit: 'cpm',
        queries: [{ expr: perMinute('landfall_slack_calls_total', 'method'), legend: '{{method}}' }],
        isStacked: true,
      },
      {
        title: 'Refused calls',
        description: 'Calls per minute that Slack refused, by its error code; none: no answer.',
        unit: 'cpm',
        queries: [
          {
            expr: perMinute('landfall_slack_calls_total', 'method, outcome', 'outcome!="ok"'),
            legend: '{{method}}: {{outcome}}',
          },
        ],
      },
      {
        title: 'Rate limits',
        description: 'Calls per minute that Slack refused because of its rate limit.',
        unit: 'cpm',
        queries: [{ expr: perMinute('landfall_slack_rate_limits_total', 'method'), legend: '{{method}}' }],
      },
      {
        title: 'Installations',
        description: 'Workspaces that have installed Landfall.',
        unit: 'short',
        queries: [{ expr: shared('landfall_installations'), legend: 'installations' }],
      },
    ],
  },
  {
    title: 'Database and process',
    panels: [
      {
        title: 'Time of a query',
        description: 'Statements of the database, without the wait for a connection.',
        unit: 's',
        queries: percentiles('landfall_store_query_duration_seconds'),
        redFrom: 0.5,
      },
      {
        title: 'Failed queries',
        description: 'Queries per minute that the database did not answer or refused.',
        unit: 'cpm',
        queries: [{ expr: perMinute('landfall_store_failures_total', 'instance'), legend: '{{instance}}' }],
      },
      {
        title: 'Size of the database',
        description:
          'On disk. Predictions are stored for HISTORY_DAYS, so it grows that long and then levels off.',
        unit: 'bytes',
        queries: [{ expr: shared('landfall_store_size_bytes'), legend: 'size' }],
      },
      {
        title: 'Event loop lag (p99)',
        description:
          'How late timers run. 10 ms is the resolution of the timer, so an idle process shows that.',
        unit: 's',
        queries: [{ expr: of('nodejs_eventloop_lag_p99_seconds'), legend: '{{instance}}' }],
        redFrom: 0.2,
      },
      {
        title: 'Memory',
        description: 'Resident memory of the process, and the part of it that JavaScript objects use.',
        unit: 'bytes',
        queries: [
          { expr: of('process_resident_memory_bytes'), legend: '{{instance}} resident' },
          { expr: of('nodejs_heap_size_used_bytes'), legend: '{{instance}} heap' },
        ],
      },
      {
        title: 'Processor time',
        description: 'Of one core. Maps are drawn in a second process, which is not counted.',
        unit: 'percentunit',
        queries: [{ expr: perSecond('process_cpu_seconds_total', 'instance'), legend: '{{instance}}' }],
      },
      {
        title: 'Time since the start',
        description: 'Falls to zero at each restart. The legend has the version.',
        unit: 's',
        queries: [
          {
            expr: `(time() - ${of('process_start_time_seconds')}) * on (job, instance) group_left (version, source) ${of('landfall_build_info')}`,
            legend: '{{instance}}: {{version}}, data from {{source}}',
          },
        ],
      },
    ],
  },
];

import type { ServiceStatus } from '../../analytics/answers.ts';
import { UserError } from '../../errors.ts';
import { sections } from '../../messages/blocks.ts';
import { ago, duration, utcTime, waitInWords } from '../../messages/formatting/times.ts';
import { capitalised } from '../../messages/formatting/words.ts';
import { answerActions } from '../../messages/frame/answer-actions.ts';
import { inventedSuffix } from '../../messages/frame/answer-message.ts';
import { inventedNotes, smallPrint } from '../../messages/frame/small-print.ts';
import { blocksOf, type Message, type Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { dataTable } from '../../messages/rich-blocks.ts';
import { type Command, legacyCommand } from '../command.ts';
import type { AnalyticsServices } from '../run-context.ts';
import type { WorkspaceServices } from '../services.ts';

export interface HelpServices extends AnalyticsServices {
  /** The registry. It is a function because these commands are in the registry. */
  commands(): readonly Command[];
  settings: Pick<WorkspaceServices['settings'], 'version'>;
  realNow: () => number;
}

export interface StatusAnswer extends ServiceState {
  kind: 'status';
  line: string;
}

export interface ServiceState {
  version: string;
  service: ServiceStatus;
  /** On the real clock (`realNow`), unlike the times in `service`. Left out if there is no token. */
  tokenAgeMinutes?: number;
  /** Left out if the service does not say how long a token is valid. */
  tokenLeftMinutes?: number;
}

const line = 'landfall status';

export const status = legacyCommand<object, StatusAnswer, HelpServices>({
  name: 'status',
  isUnderLandfall: true,
  summary: 'Health of Landfall and the analytics service',
  usage: '',
  examples: [line],
  repeatable: true,
  privacy: 'on-request',
  parse: (words) => {
    if (words.trim() === '') return {};
    throw new UserError({
      code: 'unexpected-words',
      message: 'Nothing follows the word status.',
      example: line,
    });
  },
  format: () => line,
  run: async (_, context) => ({ kind: 'status', line, ...serviceState(context) }),
  view: statusView,
});

/** The health of the service at the last request; makes no request. */
export function serviceState({ analytics, settings, realNow }: Omit<HelpServices, 'commands'>): ServiceState {
  const service = analytics.status();
  const { obtainedAt, expiresAt } = service.token;
  const minutes = (ms: number) => Math.max(0, Math.floor(ms / 60_000));
  return {
    version: settings.version,
    service,
    ...(obtainedAt && { tokenAgeMinutes: minutes(realNow() - obtainedAt.getTime()) }),
    ...(expiresAt && { tokenLeftMinutes: minutes(expiresAt.getTime() - realNow()) }),
  };
}

/** The verdict, then a table of the state. */
export function statusView(answer: StatusAnswer, reader: Reader): Message {
  const { line, version, service } = answer;
  const { now, source } = reader;
  const rows = [
    ['Landfall', version],
    ['Service', source === 'sandbox' ? 'the embedded sandbox' : 'the Vessel Schedule Analytics Service'],
    ['Last successful call', lastCall(service, now)],
    [
      'Last response time',
      service.latencyMs === undefined ? 'not measured yet' : `${Math.round(service.latencyMs)} ms`,
    ],
    ['Login', loginInWords(answer)],
    ['Calls in progress', `${service.inFlight}, and ${service.queued} waiting`],
  ] as const;
  const lines = rows.map(([label, value]) => `${label}: ${escaped(value)}`);
  const verdict = capitalised(healthOf(service, now));
  return {
    text: `${verdict}. ${lines.join('. ')}${inventedSuffix(reader)}`,
    ...blocksOf([
      ...sections([`${mark(service)}*${verdict}*`]),
      ...dataTable({ caption: 'State', columns: [{ header: 'What' }, { header: 'Now' }], rows, lines }),
      ...smallPrint(inventedNotes(reader)),
      ...answerActions({ line }),
    ]),
  };
}

/** The health of the service and the bot in one line of mrkdwn. */
export function healthLine({ service, version }: ServiceState, { now }: Reader): string {
  const parts = [
    capitalised(healthOf(service, now)),
    `last successful call ${lastCall(service, now)}`,
    `Landfall ${escaped(version)}`,
  ];
  return `${mark(service)}${parts.join(' · ')}`;
}

const lastCall = ({ lastSuccessAt }: ServiceStatus, now: Date): string =>
  lastSuccessAt ? utcTime(lastSuccessAt, now) : 'none yet';

const mark = ({ token, failingSince, pausedMs }: ServiceStatus): string =>
  token.state === 'refused' || failingSince || pausedMs !== undefined ? '🟠 ' : '';

function healthOf({ failingSince, pausedMs, lastSuccessAt, token }: ServiceStatus, now: Date): string {
  if (token.state === 'refused') return "the analytics service doesn't accept the account";
  if (failingSince) return `the analytics service has not answered since ${utcTime(failingSince, now)}`;
  if (pausedMs !== undefined)
    return `the analytics service is limiting our calls; next call in ${waitInWords(pausedMs)}`;
  return lastSuccessAt ? 'the analytics service answers' : 'the analytics service has not been asked yet';
}

function loginInWords({ service, tokenAgeMinutes, tokenLeftMinutes }: ServiceState): string {
  if (service.token.state === 'none') return 'not logged in yet';
  if (service.token.state === 'refused') return 'refused; user id, password and API key need checking';
  return [
    'logged in',
    ...(tokenAgeMinutes === undefined ? [] : [ago(tokenAgeMinutes)]),
    ...(tokenLeftMinutes === undefined ? [] : [`token valid for another ${duration(tokenLeftMinutes)}`]),
  ].join(' · ');
}

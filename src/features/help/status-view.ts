import type { ServiceStatus } from '../../analytics/answers.ts';
import { sections } from '../../messages/blocks.ts';
import { ago, duration, utcTime, wait } from '../../messages/formatting/times.ts';
import { answerActions } from '../../messages/frame/answer-actions.ts';
import { inventedSuffix } from '../../messages/frame/answer-message.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';

export interface StatusAnswer extends ServiceState {
  kind: 'status';
  line: string;
}

export interface ServiceState {
  version: string;
  service: ServiceStatus;
  /** By the real clock, unlike the times in `service`. Left out if there is no token. */
  tokenAgeMinutes?: number;
  /** Left out if the service does not say how long a token is valid. */
  tokenLeftMinutes?: number;
}

export function statusView(answer: StatusAnswer, reader: Reader): Message {
  const { line, version, service } = answer;
  const [first = '', ...lines] = stateLines(answer, reader);
  return {
    text: `Landfall ${escaped(version)}: ${healthOf(service, reader.now)}. ${lines.slice(1).join('. ')}${inventedSuffix(reader)}`,
    blocks: [...sections([first, ...lines]), ...answerActions({ line })],
  };
}

/** The health of the bot and the service, the verdict first. */
export function stateLines(state: ServiceState, { now, source }: Reader): string[] {
  const { version, service } = state;
  return [
    `*Landfall ${escaped(version)}* · ${healthOf(service, now)}`,
    `Service: ${source === 'sandbox' ? 'the embedded sandbox, invented data' : 'the Vessel Schedule Analytics Service'}`,
    `Last successful call: ${service.lastSuccessAt ? utcTime(service.lastSuccessAt, now) : 'none yet'}`,
    `Last response time: ${service.latencyMs === undefined ? 'not measured yet' : `${Math.round(service.latencyMs)} ms`}`,
    `Login: ${tokenWords(state)}`,
    `Calls in progress: ${service.inFlight} · waiting: ${service.queued}`,
  ];
}

function healthOf({ failingSince, pausedMs, lastSuccessAt, token }: ServiceStatus, now: Date): string {
  if (token.state === 'refused') return "the analytics service doesn't accept the account";
  if (failingSince) return `the analytics service has not answered since ${utcTime(failingSince, now)}`;
  if (pausedMs !== undefined)
    return `the analytics service is limiting our calls; next call in ${wait(pausedMs)}`;
  return lastSuccessAt ? 'the analytics service answers' : 'the analytics service has not been asked yet';
}

function tokenWords({ service, tokenAgeMinutes, tokenLeftMinutes }: ServiceState): string {
  if (service.token.state === 'none') return 'not logged in yet; the next question logs in';
  if (service.token.state === 'refused') return 'refused; user id, password and API key need checking';
  return [
    'logged in',
    ...(tokenAgeMinutes === undefined ? [] : [ago(tokenAgeMinutes)]),
    ...(tokenLeftMinutes === undefined ? [] : [`token valid for another ${duration(tokenLeftMinutes)}`]),
  ].join(' · ');
}

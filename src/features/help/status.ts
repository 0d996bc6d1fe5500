import type { ServiceStatus } from '../../analytics/answers.ts';
import type { Answer } from '../../answers/answer.ts';
import { ago, duration, utcTime, waitInWords } from '../../answers/formatting/times.ts';
import { capitalised } from '../../answers/formatting/words.ts';
import { text } from '../../answers/kinds.ts';
import type { Reader } from '../../answers/message.ts';
import { table } from '../../answers/table.ts';
import { onlyInTable } from '../../answers/text.ts';
import { ownLines, UserError } from '../../errors.ts';
import { readAbout } from '../bot-topics.ts';
import { command, variant } from '../command.ts';
import { privateReader, type Question, type WorkCtx } from '../ctx.ts';
import { withPausedWork } from '../owned/index.ts';
import { oneOf } from '../question-words.ts';

export interface ServiceState {
  version: string;
  service: ServiceStatus;
  /** On the real clock (`realNow`), unlike the times in `service`. Left out if there is no token. */
  tokenAgeMinutes?: number;
  /** Left out if the service does not say how long a token is valid. */
  tokenLeftMinutes?: number;
}

const line = ownLines.status;

const shown = variant<object>({
  format: () => line,
  effect: 'reads',
  privacy: 'on-request',
  run: async (_, ctx) => withPausedWork(statusAnswer(serviceState(ctx), privateReader(ctx)), ctx),
});

const service =
  '(?:the |your |our |this )?(?:(?:analytics |prediction )?(?:service|api|server|provider)|landfall|bot|system|app)';
const healthy = oneOf(
  '(?:up|ok|okay|fine|healthy|alive|online|available|reachable|running|working|responding)(?: and running)?',
  '(?:down|broken|offline|unavailable|not (?:working|responding|answering))',
);

const statusQuestions: readonly Question[] = [
  {
    example: 'Is the analytics service up?',
    asked: [
      `(?:is|are) (?:${service}|everything|all|you) ${healthy}`,
      `(?:does|is) (?:${service}|everything) (?:work|working|answer|respond)`,
      `(?:(?:what(?:'s|s| is) )?the )?(?:status|health) of ${service}`,
      `(?:what(?:'s|s| is) )?${service}(?:'s)? (?:status|health|down|up)`,
      'is anything (?:down|broken)',
      '(?:is|are) (?:we|it|things|everything|anything|landfall|the bot|(?:all )?(?:the |our )?(?:watches|digests|alerts)(?: and digests)?) (?:still )?(?:paused|on hold|suspended)',
    ],
    words: '',
  },
];

export const statusCommand = command({
  name: 'status',
  isUnderLandfall: true,
  summary: 'Health of Landfall and the analytics service',
  usage: '',
  examples: [line],
  questions: statusQuestions,
  ...readAbout('status'),
  variants: [shown],
  parse(words) {
    if (words.trim() === '') return shown.of({});
    throw new UserError({
      code: 'unexpected-words',
      message: 'Nothing follows the word status.',
      example: line,
    });
  },
});

/** The health of the service at the last request; makes no request. */
export function serviceState({ services: { analytics, settings, realNow } }: WorkCtx): ServiceState {
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

const statusTable = table<{ what: string; now: string }>({
  name: 'status',
  about: 'A part of the state',
  columns: {
    what: text('What', 'which part', ({ what }) => what, {
      words: ({ what, now }) => ({ inTable: what, inLine: `${what}: ${now}` }),
    }),
    now: text('Now', 'its state', ({ now }) => now, { words: ({ now }) => onlyInTable(now) }),
  },
});

/** The verdict, then a table of the state. */
function statusAnswer(state: ServiceState, { now, source }: Reader): Answer {
  const { version, service } = state;
  const { latencyMs, inFlight, queued } = service;
  const provider = source === 'sandbox' ? 'the embedded sandbox' : 'the Vessel Schedule Analytics Service';
  return {
    verdict: { strong: verdictOf(service, now) },
    sections: [
      statusTable.of({
        caption: 'State',
        rows: [
          { what: 'Landfall', now: version },
          { what: 'Service', now: provider },
          { what: 'Last successful call', now: lastCall(service, now) },
          {
            what: 'Last response time',
            now: latencyMs === undefined ? 'not measured yet' : `${Math.round(latencyMs)} ms`,
          },
          { what: 'Login', now: loginInWords(state) },
          { what: 'Calls in progress', now: `${inFlight}, and ${queued} waiting` },
        ],
      }),
    ],
  };
}

/** The health of the service and the bot in one line. */
export const healthLine = ({ service, version }: ServiceState, { now }: Reader): string =>
  [verdictOf(service, now), `last successful call ${lastCall(service, now)}`, `Landfall ${version}`].join(
    ' · ',
  );

const lastCall = ({ lastSuccessAt }: ServiceStatus, now: Date): string =>
  lastSuccessAt ? utcTime(lastSuccessAt, now) : 'none yet';

function verdictOf(service: ServiceStatus, now: Date): string {
  const { failingSince, pausedMs, token } = service;
  const isTrouble = token.state === 'refused' || failingSince || pausedMs !== undefined;
  return `${isTrouble ? '🟠 ' : ''}${capitalised(healthOf(service, now))}`;
}

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

import { type Answer, type AnswerButton, ownUsage } from '../../answers/answer.ts';
import { fullDate, monthName } from '../../answers/formatting/times.ts';
import { counted, figure, percent } from '../../answers/formatting/words.ts';
import { forAsker, present, type Text } from '../../answers/text.ts';
import { ownLines } from '../../errors.ts';
import { type CallLimit, dailyCallsOf, limitInWords, lowerLimit } from '../../workspaces/settings.ts';
import { type CallPlan, monthly, timesLessOften } from '../polling/index.ts';

/** Null: none. */
export type TypedLimit = Pick<CallLimit, 'calls' | 'per'> | null;

export const lineFor = (limit: TypedLimit): string =>
  `${ownLines.limit} ${limit ? `${limit.calls} a ${limit.per}` : 'none'}`;

interface Limits {
  now: Date;
  /** That of the admins. */
  own: CallLimit | null;
  operators: number | undefined;
  /** The plan with the limit that counts. */
  plan: CallPlan;
  /** The interval between polls, if the operator has fixed it: they don't keep to a limit. */
  pollMinutes: number | undefined;
}

interface ShownLimits extends Limits {
  isAdmin: boolean;
  /** Requests in 30 days, as in the overview. */
  callsAMonth: number;
  /** Requests. */
  today: number;
  thisMonth: number;
}

const used: AnswerButton = { label: 'What Landfall used', intent: ownUsage };

/** What was used, and what may be. */
export function limitAnswer(shown: ShownLimits): Answer {
  const { now, own, operators, isAdmin, thisMonth, plan, pollMinutes } = shown;
  const month = monthName(now.getUTCFullYear(), now.getUTCMonth() + 1);
  return {
    membersOnly: 'API usage',
    isOwn: 'list',
    verdict: {
      strong: verdictOf(shown),
      lines: [
        [`${counted(thisMonth, 'call')} in ${month}`, needOf(shown), '.'],
        ...slower(plan),
        ...(own ? [ownInWords(own, now)] : []),
        ...operatorsInWords({ own, operators, now }),
      ],
    },
    notes: [
      'People who ask are always answered; all calls count, retries too',
      ...(lowerLimit({ own, operators, now }) ? [watchesGoOn({ pollMinutes })] : []),
      isAdmin
        ? ['Admins set a limit: ', { code: `/${ownLines.limit} 2,000 a day` }]
        : 'Only workspace admins set a limit',
    ],
    actions: {
      runs: present<AnswerButton>(
        used,
        isAdmin && own !== null && { label: 'Remove the limit', line: lineFor(null) },
      ),
    },
  };
}

function verdictOf({ today, own, operators, now }: ShownLimits): string {
  const limit = lowerLimit({ own, operators, now })?.dailyCalls;
  if (limit === undefined) return `${counted(today, 'API call')} today, and no limit`;
  const share = today / limit;
  const isNear = share >= 0.8;
  return `${isNear ? '🟠 ' : ''}${figure(today)} of ${counted(limit, 'API call')} used today, ${shareInWords(share)}`;
}

/** `percent` is for probabilities: it ends at 100%. */
const shareInWords = (share: number): string =>
  share > 1 ? `${figure(Math.round(share * 100))}%` : percent(share);

/** How watches keep to a limit. */
const watchesGoOn = ({ pollMinutes }: Pick<Limits, 'pollMinutes'>): string =>
  pollMinutes === undefined
    ? 'watches are polled less often, but at least once a day, so there may be more calls than the limit'
    : `watches are polled every ${pollMinutes} minutes, whatever the limit`;

const needOf = ({ callsAMonth }: ShownLimits): string =>
  callsAMonth > 0 ? `; watches and digests need ${monthly(callsAMonth)}` : '';

/** The need of today, which is what the limit counts: ETAs of a month come nearer, and pass. */
const slower = ({ plannedCalls, stretch }: CallPlan): string[] =>
  stretch > 1
    ? [
        `At their present ETAs, watches alone need about ${figure(Math.round(plannedCalls))} a day, so they are polled ${timesLessOften(stretch)}.`,
      ]
    : [];

function ownInWords(own: CallLimit, now: Date): Text {
  const { by, at } = own;
  return [
    `The limit is ${limitInWords(own)}${aDay(own, now)}, set `,
    forAsker(['by ', { person: by }, ' ']),
    `on ${fullDate(at, 'UTC')}.`,
  ];
}

/** `, so 2,000 a day in November`. */
function aDay(limit: Pick<CallLimit, 'calls' | 'per'>, now: Date): string {
  if (limit.per === 'day') return '';
  const [month] = monthName(now.getUTCFullYear(), now.getUTCMonth() + 1).split(' ');
  return `, so ${figure(dailyCallsOf(limit, now))} a day in ${month}`;
}

/** The lower of the two counts. */
function operatorsInWords({ own, operators, now }: Pick<Limits, 'own' | 'operators' | 'now'>): string[] {
  if (operators === undefined) return [];
  const allowed = `The operator of Landfall allows ${counted(operators, 'call')} a day`;
  if (!own) return [`${allowed}.`];
  return [
    `${allowed}; the lower limit counts, ${figure(Math.min(operators, dailyCallsOf(own, now)))} a day.`,
  ];
}

interface ChangedLimits extends Limits {
  before: CallLimit | null;
  /** Vessels, lists and ports that are polled. */
  polled: number;
}

/** The answer to an admin who has set the limit, or removed it. */
export function limitChangedAnswer(changed: ChangedLimits): Answer {
  const { now, own, before, operators, pollMinutes } = changed;
  const isChanged = lineFor(own) !== lineFor(before);
  return {
    isOwn: true,
    membersOnly: 'API usage',
    verdict: {
      strong: own
        ? `Limit: ${counted(own.calls, 'API call')} a ${own.per}${aDay(own, now)}`
        : 'No limit of API calls in this workspace',
      rest: own ? ', for watches, digests and assistants.' : '.',
      lines: [
        ...operatorsInWords({ own, operators, now }),
        ...effects(changed),
        isChanged ? `Before: ${before ? limitInWords(before) : 'no limit'}.` : 'Nothing has changed.',
      ],
    },
    ...(lowerLimit({ own, operators, now }) && {
      notes: [
        "People who ask are always answered; when the day's calls are used up, digests and assistants wait until 00:00 UTC",
        watchesGoOn({ pollMinutes }),
      ],
    }),
    actions: { runs: present<AnswerButton>(isChanged && { label: 'Undo', line: lineFor(before) }, used) },
  };
}

/** What the limit means for watches, before anybody notices. */
function effects({ plan, pollMinutes, polled }: ChangedLimits): string[] {
  const { plannedCalls, dailyCalls, stretch } = plan;
  if (dailyCalls === undefined || plannedCalls === 0) return [];
  const need = `All watches together need about ${figure(Math.round(plannedCalls))} calls a day at present`;
  if (pollMinutes !== undefined)
    return [`${need}, whatever the limit: the operator has each polled every ${pollMinutes} minutes.`];
  if (stretch <= 1) return [`${need}, so they are polled as often as before.`];
  const slower = `🟠 ${need}, so they are polled ${timesLessOften(stretch)}, and alerts may come later.`;
  return polled <= dailyCalls
    ? [slower]
    : [slower, `What is watched is polled once a day all the same: about ${counted(polled, 'call')} a day.`];
}

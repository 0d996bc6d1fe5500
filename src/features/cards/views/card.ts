import { compareAsc } from 'date-fns/compareAsc';
import { millisecondsInHour } from 'date-fns/constants';
import {
  type Answer,
  type AnswerButton,
  type AnswerMenu,
  historyOf,
  mapOf,
} from '../../../answers/answer.ts';
import { counted } from '../../../answers/formatting/words.ts';
import { clip, type Reader } from '../../../answers/message.ts';
import { pauseInWords } from '../../../answers/slack/notices.ts';
import { forMembers, type Text } from '../../../answers/text.ts';
import type { WorkPause } from '../../../workspaces/work-pause.ts';
import { openEvents } from '../../alerts/index.ts';
import {
  isOfOneVessel,
  isOfPort,
  type SnoozeChoice,
  vesselSubjects,
  type WatchWithSubjects,
  watchActionIds,
} from '../../polling/index.ts';
import {
  type EventWords,
  eventInWords,
  headed,
  type Marker,
  snoozeInWords,
  stamp,
  type WatchNames,
} from '../../rules/index.ts';
import { cardBody } from './card-body.ts';
import { dueLines, vesselCount } from './shown-vessel.ts';

/** The first message of a watch: the latest figures, and what nobody has acknowledged yet. People read it for days. */
export function cardAnswer(
  watch: WatchWithSubjects,
  names: WatchNames,
  reader: Pick<Reader, 'now' | 'audience'>,
  /** `hasMaps`: the workspace can show maps. `workPause`: admins have paused all watches. */
  { hasMaps = false, workPause }: { hasMaps?: boolean; workPause?: WorkPause | undefined } = {},
): Answer {
  const { now } = reader;
  const { title, rest, subtitle, lines = [], isCard = false, ...body } = cardBody(watch, names, reader);
  const news = openEvents(watch).map((event) => eventInWords(event, names, now));
  const due = dueLines(watch, names, now);
  const isToCheck =
    body.isToCheck ||
    due.marker === '🟠' ||
    isCutOff(watch) ||
    (workPause !== undefined && workPause.since <= now);
  const marker = due.marker === '🔴' ? '🔴 ' : markerOf(news, isToCheck);
  const state = [
    ...workPauseLines(workPause, now),
    ...stateLines(watch, now),
    ...newsLine(watch, news, names),
    ...due.lines,
  ];
  return {
    verdict: {
      strong: `${marker}${title}`,
      ...(rest !== undefined && { rest }),
      lines: [...(subtitle === undefined ? [] : [subtitle]), ...lines, ...state],
      isCard,
    },
    sections: body.sections ?? [],
    notes: [...footer(watch, names, now, body.notes)],
    actions: {
      isLasting: true,
      about: watch.title,
      ...cardActions(watch, { showAll: body.showAll, hasMaps }),
    },
  };
}

/** The final card, when the watch is stopped. */
export const stoppedCardAnswer = (
  { title }: Pick<WatchWithSubjects, 'title'>,
  { at, byName }: { at: Date; byName: string },
  { now }: Pick<Reader, 'now'>,
): Answer => ({
  verdict: { strong: `${clip(title, 150)}: no longer watched` },
  firstNotes: [['Stopped', forMembers(` by ${byName}`), `, ${stamp(at, now)}`]],
});

/** `🔴 `, `🟠 `, or nothing. */
function markerOf(news: readonly EventWords[], isToCheck: boolean): string {
  if (news.some(({ marker }) => marker === '🔴')) return '🔴 ';
  return isToCheck || news.some(({ marker }) => marker === '🟠') ? '🟠 ' : '';
}

/** The watch can't say what is new. */
const isCutOff = ({ status, followedSubjects }: WatchWithSubjects): boolean =>
  status === 'paused' || followedSubjects.some(({ state }) => state?.stale);

const urgency: readonly Marker[] = ['🔴', '🟠', '⚪'];

/** The most urgent news that nobody has acknowledged. */
function newsLine(
  watch: WatchWithSubjects,
  news: readonly EventWords[],
  { assigneeName }: WatchNames,
): Text[] {
  const { openAlerts } = watch;
  const rankOf = ({ marker }: EventWords) => urgency.indexOf(marker);
  const [first] = news.toSorted((one, other) => rankOf(one) - rankOf(other));
  if (!first || !openAlerts) return [];
  const { headline, aside, vessel } = first;
  const named = isOfOneVessel(watch) || vessel === undefined ? headline : headed(vessel, headline);
  const more = openAlerts.count - 1;
  const what = `${named}${aside === undefined ? '' : ` (${aside})`}${more > 0 ? `, and ${counted(more, 'more alert')}` : ''}`;
  if (!openAlerts.first.assignment) return [headed('Not acknowledged', what)];
  const to = assigneeName === undefined ? '' : forMembers(` to ${assigneeName}`);
  return [['Assigned', to, headed(', not acknowledged', what)]];
}

const workPauseLines = (pause: WorkPause | undefined, now: Date): string[] =>
  pause
    ? [
        `Paused ${pause.since > now ? 'from' : 'since'} ${stamp(pause.since, now)}${pause.until ? ` until ${stamp(pause.until, now)}` : ''}, with all watches and digests`,
      ]
    : [];

function stateLines(watch: WatchWithSubjects, now: Date): Text[] {
  const { followedSubjects, status, pauseReason, snooze } = watch;
  const stale = followedSubjects.filter(({ state }) => state?.stale);
  const since = stale.flatMap(({ polledAt, failingSince }) => polledAt ?? failingSince ?? []);
  const oldest = since.sort(compareAsc)[0];
  const figuresFrom = oldest ? `; these figures are from ${stamp(oldest, now)}` : '';
  const pause = pauseInWords(pauseReason);
  return [
    ...(status === 'paused' ? [[`Paused: ${pause.what}. `, pause.advice]] : []),
    ...(status === 'ended' ? ['Ended: the next port has changed, and that was all it waited for'] : []),
    ...(snooze ? [`Snoozed ${snoozeInWords(snooze, now)}`] : []),
    ...(watch.isFleetGone ? ['The fleet no longer exists: its last vessels stay watched'] : []),
    ...(watch.isPortGroupGone ? ['The group no longer exists: its last ports stay watched'] : []),
    ...(stale.length > 0 ? [`The analytics service does not answer${figuresFrom}`] : []),
  ];
}

function footer(
  watch: WatchWithSubjects,
  { ownerName, acknowledgedBy = 'Somebody' }: WatchNames,
  now: Date,
  notes: readonly Text[],
): Text[] {
  const { followedSubjects, acknowledgement, fleet, isFleetGone } = watch;
  const follows = fleet !== null && !isFleetGone;
  return [
    ...(acknowledgement ? [acknowledgedNote(acknowledgedBy, stamp(acknowledgement.at, now))] : []),
    ...checkTimes(followedSubjects, now),
    ...notes,
    ...(follows ? [`follows the fleet (${counted(vesselCount(watch) ?? 0, 'vessel')})`] : []),
    ...(ownerName === undefined ? [] : [forMembers(`${ownerName}'s watch`)]),
  ];
}

const acknowledgedNote = (by: string, when: string): Text =>
  forMembers(`${by} acknowledged ${when}`, `Acknowledged ${when}`);

/** When the subjects were polled: a single time if they were polled within an hour. */
function checkTimes(followedSubjects: WatchWithSubjects['followedSubjects'], now: Date): string[] {
  const polled = followedSubjects.flatMap(({ polledAt }) => polledAt?.getTime() ?? []);
  if (polled.length === 0) return [];
  const [first, last] = [Math.min(...polled), Math.max(...polled)];
  const latest = stamp(new Date(last), now);
  if (last - first <= millisecondsInHour) return [`Forecast as of ${latest}`];
  return [`Forecasts of ${stamp(new Date(first), now)} to ${latest}`];
}

/** [Acknowledge] [Resume] [History] [Snooze ▾] [⋯], as the watch's state allows. */
function cardActions(
  watch: WatchWithSubjects,
  { showAll, hasMaps }: { showAll: AnswerButton | undefined; hasMaps: boolean },
): Pick<NonNullable<Answer['actions']>, 'runs' | 'more'> {
  const { id: value, status, openAlerts } = watch;
  const press = (label: string, action: keyof typeof watchActionIds): AnswerButton => ({
    label,
    press: watchActionIds[action],
    value,
  });
  const [imo] = isOfOneVessel(watch) && showAll ? vesselSubjects(watch.followedSubjects) : [];
  return {
    runs: [
      ...(openAlerts ? [press('Acknowledge', 'acknowledge')] : []),
      ...(status === 'paused' ? [press('Resume', 'resume')] : []),
      ...(imo === undefined ? [] : [{ label: 'History', intent: historyOf(imo) }]),
      ...(status === 'active' ? [snoozeMenu(watch)] : []),
    ],
    more: [
      ...(status === 'active' ? [press('Refresh', 'refresh')] : []),
      ...(showAll ? [showAll] : []),
      ...(imo !== undefined && hasMaps ? [{ label: 'Map', intent: mapOf(imo) }] : []),
      ...(status === 'ended'
        ? []
        : [{ label: 'Edit the rules …', form: 'watch', target: { watchId: value } }]),
      press(status === 'ended' ? 'Remove …' : 'Stop …', 'askToStop'),
    ],
  };
}

function snoozeMenu(watch: WatchWithSubjects): AnswerMenu {
  const { id, snooze } = watch;
  const isPort = isOfPort(watch);
  const option = (choice: SnoozeChoice, label: string) => ({ label, value: `${choice} ${id}` });
  return {
    label: 'Snooze',
    press: watchActionIds.snooze,
    options: [
      option('1h', '1 hour'),
      ...(isPort ? [] : [option('eta', 'Until 24 h before the ETA')]),
      option('date', 'Until a date …'),
      ...(isPort ? [] : [option('next-port', 'Until the next port changes')]),
      ...(snooze ? [option('wake', 'Wake now')] : []),
    ],
  };
}

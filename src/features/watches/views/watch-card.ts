import { compareAsc } from 'date-fns/compareAsc';
import { millisecondsInHour } from 'date-fns/constants';
import { counted } from '../../../answers/formatting/words.ts';
import { blocksOf, clip, joinWithin, type Message, type Reader } from '../../../answers/message.ts';
import { inventedNotes, inventedSuffix, smallPrint } from '../../../answers/slack/answer-message.ts';
import { context, escaped, sections } from '../../../answers/slack/blocks.ts';
import { pauseInWords } from '../../../answers/slack/notices.ts';
import { stamp } from '../../rules/event-text.ts';
import {
  alertLines,
  type EventWords,
  eventInWords,
  headed,
  type Marker,
  type WatchNames,
} from '../../rules/event-words.ts';
import { snoozeInWords } from '../../rules/in-words.ts';
import { openEvents } from '../store/open-alerts.ts';
import { isOfOneVessel, type WatchWithSubjects } from '../store/watch-list.ts';
import { cardButtons } from './card-body.ts';
import { dueLines } from './due-lines.ts';
import { maxListText } from './short-message.ts';
import { vesselCount } from './shown-prediction.ts';
import { cardBody } from './watch-card-body.ts';

/** The first message of a watch: the latest figures, and what nobody has acknowledged yet. People read it for days. */
export function watchCardView(
  watch: WatchWithSubjects,
  names: WatchNames,
  reader: Reader,
  /** `hasMaps`: the workspace can show maps. */
  { hasMaps = false }: { hasMaps?: boolean } = {},
): Message {
  const { now } = reader;
  const body = cardBody(watch, names, reader);
  const news = openEvents(watch).map((event) => eventInWords(event, names, now));
  const due = dueLines(watch, names, now);
  const state = stateLines(watch, now);
  const isToCheck = body.isToCheck || due.marker === '🟠' || isCutOff(watch);
  const marker = due.marker === '🔴' ? '🔴 ' : markerOf(news, isToCheck);
  const lines = [
    ...state,
    ...newsLine(watch, news, { names, audience: reader.audience }),
    ...due.lines.map(escaped),
  ];
  return {
    text: `${joinWithin([`${marker}${body.text}`, ...lines], '. ', maxListText)}${inventedSuffix(reader)}`,
    ...blocksOf([
      ...body.draw(marker, lines),
      context([...footer(watch, names, { reader, notes: body.notes }), ...inventedNotes(reader)].join(' · ')),
      ...cardButtons(watch, { ...body, hasMaps, now }),
    ]),
  };
}

/** The final card, when the watch is stopped. */
export function stoppedCardView(
  watch: Pick<WatchWithSubjects, 'title'>,
  { at, byName }: { at: Date; byName: string | undefined },
  reader: Reader,
): Message {
  const by = byName === undefined || reader.audience === 'outside' ? '' : ` by ${escaped(byName)}`;
  const what = `${escaped(clip(watch.title, 150))}: no longer watched`;
  const when = `Stopped${by}, ${stamp(at, reader.now)}`;
  return {
    text: `${what}. ${when}${inventedSuffix(reader)}`,
    blocks: [...sections([`*${what}*`]), ...smallPrint([when, ...inventedNotes(reader)])],
  };
}

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
  { names, audience }: { names: WatchNames; audience: Reader['audience'] },
): string[] {
  const { openAlerts } = watch;
  const rankOf = ({ marker }: EventWords) => urgency.indexOf(marker);
  const [first] = news.toSorted((one, other) => rankOf(one) - rankOf(other));
  if (!first || !openAlerts) return [];
  const name = isOfOneVessel(watch) ? undefined : first.vessel;
  const [verdict = ''] = alertLines(first, name);
  const more = openAlerts.count - 1;
  const others = more > 0 ? `, and ${counted(more, 'more alert')}` : '';
  const { assigneeName } = names;
  const to = assigneeName === undefined || audience === 'outside' ? '' : ` to ${escaped(assigneeName)}`;
  const state = openAlerts.first.assignment ? `Assigned${to}, not acknowledged` : 'Not acknowledged';
  return [`${headed(state, verdict.replaceAll('*', '').slice(first.marker.length + 1))}${others}`];
}

function stateLines(watch: WatchWithSubjects, now: Date): string[] {
  const { followedSubjects, status, pauseReason, snooze } = watch;
  const stale = followedSubjects.filter(({ state }) => state?.stale);
  const since = stale.flatMap(({ polledAt, failingSince }) => polledAt ?? failingSince ?? []);
  const oldest = since.sort(compareAsc)[0];
  const figuresFrom = oldest ? `; these figures are from ${stamp(oldest, now)}` : '';
  const pause = pauseInWords(pauseReason);
  return [
    ...(status === 'paused' ? [`Paused: ${pause.what}. ${pause.advice}`] : []),
    ...(status === 'ended' ? ['Ended: the next port has changed, and that was all it waited for'] : []),
    ...(snooze ? [`Snoozed ${snoozeInWords(snooze, now)}`] : []),
    ...(watch.isFleetGone ? ['The fleet no longer exists: its last vessels stay watched'] : []),
    ...(stale.length > 0 ? [`The analytics service does not answer${figuresFrom}`] : []),
  ];
}

function footer(
  watch: WatchWithSubjects,
  names: WatchNames,
  { reader, notes }: { reader: Reader; notes: readonly string[] },
): string[] {
  const { ownerName, acknowledgedBy = 'Somebody' } = names;
  const { followedSubjects, acknowledgement } = watch;
  const { now, audience } = reader;
  const acknowledgedNote = (at: Date) =>
    audience === 'outside'
      ? `Acknowledged ${stamp(at, now)}`
      : `${escaped(acknowledgedBy)} acknowledged ${stamp(at, now)}`;
  return [
    ...(acknowledgement ? [acknowledgedNote(acknowledgement.at)] : []),
    ...checkTimes(followedSubjects, now),
    ...notes,
    ...followsNote(watch),
    ...(ownerName === undefined || audience === 'outside' ? [] : [`${escaped(ownerName)}'s watch`]),
  ];
}

function followsNote(watch: WatchWithSubjects): string[] {
  if (watch.fleet === null || watch.isFleetGone) return [];
  return [`follows the fleet (${counted(vesselCount(watch) ?? 0, 'vessel')})`];
}

/** When the subjects were polled: a single time if they were polled within an hour. */
function checkTimes(followedSubjects: WatchWithSubjects['followedSubjects'], now: Date): string[] {
  const polled = followedSubjects.flatMap(({ polledAt }) => polledAt?.getTime() ?? []);
  if (polled.length === 0) return [];
  const [first, last] = [Math.min(...polled), Math.max(...polled)];
  const latest = stamp(new Date(last), now);
  if (last - first <= millisecondsInHour) return [`Forecast as of ${latest}`];
  return [`Forecasts of ${stamp(new Date(first), now)} to ${latest}`];
}

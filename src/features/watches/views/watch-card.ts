import type { ActionsBlock, Button, StaticSelect } from '@slack/types';
import { compareAsc } from 'date-fns/compareAsc';
import { millisecondsInHour } from 'date-fns/constants';
import type { Choice } from '../../../errors.ts';
import { actions, button, context, sections, select, withConfirmation } from '../../../messages/blocks.ts';
import { percent } from '../../../messages/formatting/probability.ts';
import { vesselShort } from '../../../messages/formatting/vessel-label.ts';
import { lineButtons } from '../../../messages/frame/answer-actions.ts';
import { inventedSuffix } from '../../../messages/frame/answer-message.ts';
import { pauseInWords } from '../../../messages/frame/pause-words.ts';
import { inventedNotes, smallPrint } from '../../../messages/frame/small-print.ts';
import { clip, joinWithin } from '../../../messages/limits.ts';
import { blocksOf, type Message, type Reader } from '../../../messages/message.ts';
import { escaped, plain } from '../../../messages/mrkdwn.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import { knownVessel } from '../../run-context.ts';
import { type SnoozeChoice, watchActionIds } from '../action-ids.ts';
import { damping } from '../evaluation/damping.ts';
import { type DueDate, isLate, prospectFor } from '../rules/due.ts';
import { rulesInBrief, snoozeInWords } from '../rules/in-words.ts';
import type { WatchEvent } from '../rules/index.ts';
import { hasOpenNews } from '../store/watch.ts';
import { isOfOneVessel, isOfPort, type WatchWithSubjects } from '../store/watch-list.ts';
import { etaInWords, portText, stamp, timeAt } from './event-text.ts';
import { cardBody } from './watch-card-body.ts';
import { type EventWords, eventInWords, type WatchNames } from './watch-reply.ts';

/**
 * The first message of a watch: the latest figures, the last notification and who has acknowledged it. People read it
 * for days, so it doesn't say “in 2 h” or when the next poll is.
 */
export function watchCardView(
  watch: WatchWithSubjects,
  names: WatchNames,
  reader: Reader,
  /** `hasMaps`: the workspace can show maps. */
  { hasMaps = false }: { hasMaps?: boolean } = {},
): Message {
  const { now } = reader;
  const { text, heading, lines, table = [], showAll } = cardBody(watch, names, reader);
  const state = stateLines(watch, now);
  const unread = hasOpenNews(watch) ? '⚠ ' : '';
  const above = [`${unread}${heading}`, ...lines, ...dueLines(watch, names, now)];
  const below = [...newsLines(watch, names, now), ...state];
  const foot = footer(watch, names, reader).join(' · ');
  return {
    text: `${[text, ...state].join('. ')}${inventedSuffix(reader)}`,
    ...blocksOf([
      ...sections(above),
      ...table,
      ...sections(below),
      context(foot),
      ...buttons(watch, { lines: [...(showAll ? [showAll] : []), ...(hasMaps ? mapLine(watch) : [])], now }),
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

const maxDueLines = 5;

/** Each due date, and whether the latest answer meets it. */
function dueLines(watch: WatchWithSubjects, names: WatchNames, now: Date): string[] {
  const answers = watch.followedSubjects.flatMap(({ subject, latest }) =>
    subject.kind === 'port' ? [] : [...(latest ?? [])],
  );
  if (answers.length === 0) return [];
  const lines = watch.rules.due.map((due) => {
    const vessels = answers.map(([imo, ranked]) => ({
      name: escaped(vesselShort(knownVessel(imo, names))),
      current: prospectFor(due, ranked),
    }));
    const verdict = isOfOneVessel(watch)
      ? dueVerdict(due, vessels[0]?.current, now)
      : dueVerdicts(due, vessels, now);
    return `Due at ${portText(due)} ${timeAt(due.port, due.at, now)}: ${verdict}`;
  });
  const rest = lines.length - maxDueLines;
  return rest > 0 ? [...lines.slice(0, maxDueLines), `… and ${rest} more due dates`] : lines;
}

function dueVerdict(due: DueDate, current: Prospect | undefined, now: Date): string {
  if (!current) return 'not predicted now';
  const unsure = current.probability < damping.likely ? `, ${percent(current.probability)}` : '';
  if (!current.eta) return `ETA not given${unsure}`;
  return `${isLate(due, current) ? '⚠ *later than that*' : 'in time'}, ETA ${etaInWords(current, now)}${unsure}`;
}

function dueVerdicts(
  due: DueDate,
  vessels: readonly { name: string; current: Prospect | undefined }[],
  now: Date,
): string {
  const late = vessels.flatMap(({ name, current }) =>
    current && isLate(due, current) ? [`${name}, ETA ${etaInWords(current, now)}`] : [],
  );
  const inTime = vessels.filter(({ current }) => current?.eta && !isLate(due, current)).length;
  const rest = vessels.length - late.length - inTime;
  return [
    ...(late.length > 0 ? [`⚠ *later than that*: ${joinWithin(late, '; ', 400)}`] : []),
    ...(inTime > 0 ? [`${inTime} in time`] : []),
    ...(rest > 0 ? [`${rest} not predicted there, or without ETA`] : []),
  ].join(' · ');
}

/** The last notification, and who has acknowledged it. */
function newsLines(watch: WatchWithSubjects, names: WatchNames, now: Date): string[] {
  const { news, acknowledgement } = watch;
  const [first, ...more] = news?.events ?? [];
  if (!news || !first) return [];
  const words = eventInWords(first, names, now);
  const { vessel, headline } = words;
  const isOfOne = isOfOneVessel(watch);
  const isNamed = isOfOne || vessel === undefined || headline.includes(vessel);
  const others = more.length > 0 ? `, and ${more.length} more` : '';
  const notified = `Notified ${stamp(news.at, now)}: ${isNamed ? '' : `${vessel}: `}${headline}${others}`;
  const seen = acknowledgement
    ? `*${escaped(names.acknowledgedBy ?? 'Somebody')} acknowledged*, ${stamp(acknowledgement.at, now)}`
    : 'not acknowledged';
  return [`${(isOfOne && valueBefore(first, words, now)) || notified} · ${seen}`];
}

/** `Was Rotterdam (NLRTM) 82%, notified Sat 21 Nov 07:00 UTC`; undefined if there was no notification before. */
function valueBefore(event: WatchEvent, { isAboutEta }: EventWords, now: Date): string | undefined {
  if (!('was' in event) || !event.was) return undefined;
  const { was } = event;
  const what =
    isAboutEta && was.eta
      ? `ETA was ${etaInWords(was, now)}`
      : `Was ${portText(was)} ${percent(was.probability)}`;
  return `${what}, notified ${stamp(was.at, now)}`;
}

function stateLines(watch: WatchWithSubjects, now: Date): string[] {
  const { followedSubjects, status, pauseReason, snooze } = watch;
  const stale = followedSubjects.filter(({ state }) => state?.stale);
  const since = stale.flatMap(({ polledAt, failingSince }) => polledAt ?? failingSince ?? []);
  const oldest = since.sort(compareAsc)[0];
  const figuresFrom = oldest ? `; these figures are from ${stamp(oldest, now)}` : '';
  const pause = pauseInWords(pauseReason);
  return [
    ...(status === 'paused' ? [`⏸ *Paused*: ${pause.what}. ${pause.advice}`] : []),
    ...(status === 'ended' ? ['*Ended*: the next port has changed, and that was all it waited for'] : []),
    ...(snooze ? [`💤 Snoozed ${snoozeInWords(snooze, now)}`] : []),
    ...(stale.length > 0 ? [`⚠ The analytics service does not answer${figuresFrom}`] : []),
  ];
}

function footer(watch: WatchWithSubjects, { ownerName }: WatchNames, reader: Reader): string[] {
  const { followedSubjects, rules } = watch;
  return [
    ...(ownerName === undefined || reader.audience === 'outside' ? [] : [`${escaped(ownerName)}'s watch`]),
    ...rulesInBrief(rules, { now: reader.now, isPort: isOfPort(watch) }).map(escaped),
    ...checkTimes(followedSubjects, reader.now),
    'Predicted, not reported',
    ...inventedNotes(reader),
  ];
}

/** When the subjects were polled: a single time if they were polled within an hour. */
function checkTimes(followedSubjects: WatchWithSubjects['followedSubjects'], now: Date): string[] {
  const polled = followedSubjects.flatMap(({ polledAt }) => polledAt?.getTime() ?? []);
  if (polled.length === 0) return [];
  const [first, last] = [Math.min(...polled), Math.max(...polled)];
  const latest = stamp(new Date(last), now);
  if (last - first <= millisecondsInHour) return [`checked ${latest}`];
  return [`checked between ${stamp(new Date(first), now)} and ${latest}`];
}

/** For a watch of one vessel that has predictions. */
function mapLine(watch: WatchWithSubjects): Choice[] {
  const [followed] = watch.followedSubjects;
  if (!isOfOneVessel(watch) || followed?.subject.kind !== 'vessel' || !followed.state) return [];
  return [{ label: 'Map', line: `nextport ${followed.subject.imo} map` }];
}

/** [Acknowledge] [Resume] [Snooze ▾] [Refresh] [All ports] [Map] [Stop], as the watch's state allows. */
function buttons(
  watch: WatchWithSubjects,
  { lines, now }: { lines: readonly Choice[]; now: Date },
): ActionsBlock[] {
  const { id, status } = watch;
  const press = (action: keyof typeof watchActionIds, label: string) =>
    button({ id: watchActionIds[action], label, value: id });
  const rows = actions([
    ...(hasOpenNews(watch) ? [press('acknowledge', 'Acknowledge')] : []),
    ...(status === 'paused' ? [press('resume', 'Resume')] : []),
    ...(status === 'active' ? [snoozeMenu(watch), press('refresh', 'Refresh')] : []),
    ...lineButtons(lines),
    stopButton(watch),
  ]);
  // Slack keeps the menu's choice while the block has the same id. A new id lets people choose the same again.
  return rows.map((row) => ({ ...row, block_id: `watch ${now.getTime()}` }));
}

function snoozeMenu(watch: WatchWithSubjects): StaticSelect {
  const { id, snooze } = watch;
  const isPort = isOfPort(watch);
  const option = (choice: SnoozeChoice, label: string) => ({ label, value: `${choice} ${id}` });
  return select(watchActionIds.snooze, 'Snooze', [
    option('1h', '1 hour'),
    ...(isPort ? [] : [option('eta', 'Until 24 h before the ETA')]),
    option('date', 'Until a date …'),
    ...(isPort ? [] : [option('next-port', 'Until the next port changes')]),
    ...(snooze ? [option('wake', 'Wake now')] : []),
  ]);
}

function stopButton({ id, title, status }: WatchWithSubjects): Button {
  const label = status === 'ended' ? 'Remove' : 'Stop';
  return withConfirmation(button({ id: watchActionIds.stop, label, value: id }), {
    title: 'Stop this watch?',
    question: `${plain(clip(title, 150))} will no longer be watched in this channel, for anybody. What was posted stays here.`,
    yes: 'Stop',
  });
}

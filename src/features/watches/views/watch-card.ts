import type { KnownBlock } from '@slack/types';
import { context, sections } from '../../../messages/blocks.ts';
import { percent } from '../../../messages/formatting/probability.ts';
import { portTime } from '../../../messages/formatting/times.ts';
import { inventedSuffix } from '../../../messages/frame/answer-message.ts';
import { pauseInWords } from '../../../messages/frame/pause-words.ts';
import { charactersIn, clip, limits, linesWithin } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { escaped } from '../../../messages/mrkdwn.ts';
import { portLabel, portOf } from '../../../reference/ports.ts';
import { snoozeInWords, thresholds } from '../rules/in-words.ts';
import type { WatchEvent } from '../rules/index.ts';
import type { WatchWithFollowings } from '../store/watch-list.ts';
import { dueLines } from './due-standing.ts';
import { stamp } from './event-text.ts';
import { watchActions } from './watch-actions.ts';
import { type CardBody, portBody, vesselBody, vesselsBody, waitingBody } from './watch-card-body.ts';
import { eventInWords, type WatchFrame } from './watch-events.ts';

/**
 * The first message of a watch, with the figures of the last answer when it is drawn, the baseline before, and
 * whether somebody has acknowledged. It is read for days, so it says no «in 2 h», nor when the next answer comes.
 */
export function watchCardView(watch: WatchWithFollowings, frame: WatchFrame, reader: Reader): Message {
  const body = bodyOf(watch, frame, reader);
  const state = stateLines(watch, reader.now);
  const isUnread = watch.news !== null && watch.acknowledgement === null;
  const due = dueLines(watch, frame, reader.now);
  const above = [`${isUnread ? '⚠ ' : ''}${body.heading}`, ...body.lines, ...due];
  const below = [...newsLines(watch, frame, reader.now), ...state];
  const foot = `_${footer(watch, frame, reader).join(' · ')}_`;
  const render = (blocks: readonly KnownBlock[]): KnownBlock[] => [
    ...sections(above),
    ...blocks,
    ...sections(below),
    context(foot),
    ...watchActions(watch, { more: body.more, now: reader.now }),
  ];
  const rows = rowsWithin(
    body.rows,
    limits.blockTextInAll - buttonsRoom - charactersIn([...above, ...below, foot]),
  );
  return {
    text: `${[body.text, ...state].join('. ')}${inventedSuffix(reader)}`,
    blocks: render(body.table),
    ...(body.table.length > 0 && { plain: render(sections(rows)) }),
  };
}

/** For the words on them, and for how many rows more there are. */
const buttonsRoom = 500;

/** Those of the table that have room as words. */
function rowsWithin(rows: readonly string[], room: number): string[] {
  const shown = linesWithin(rows, room);
  const more = rows.length - shown.length;
  return more === 0 ? shown : [...shown, `… and ${more} more behind the button`];
}

/** The final card: nothing follows it any more. */
export function stoppedCardView(
  watch: Pick<WatchWithFollowings, 'title'>,
  stopped: { at: Date; byName: string | undefined },
  reader: Reader,
): Message {
  const by =
    stopped.byName === undefined || reader.audience === 'outside' ? '' : ` by ${escaped(stopped.byName)}`;
  const what = `${escaped(clip(watch.title, 150))}: no longer watched`;
  const when = `Stopped${by}, ${stamp(stopped.at, reader.now)}`;
  const invented = reader.source === 'sandbox' ? ' · invented data' : '';
  return {
    text: `${what}. ${when}${inventedSuffix(reader)}`,
    blocks: [...sections([`*${what}*`]), context(`_${when}${invented}_`)],
  };
}

function bodyOf(watch: WatchWithFollowings, frame: WatchFrame, { now }: Reader): CardBody {
  const [following, ...others] = watch.followings;
  const states = watch.followings.flatMap(({ state }) => state ?? []);
  if (!following || states.length === 0) return waitingBody(watch, frame);
  if (following.subject.kind === 'port') return portBody(following, frame, now);
  return following.subject.kind === 'vessel' && others.length === 0
    ? vesselBody(following, frame, now)
    : vesselsBody(watch, frame, now);
}

/** The last notification, and whether it has been seen. */
function newsLines({ news, acknowledgement, followings }: WatchWithFollowings, frame: WatchFrame, now: Date) {
  if (!news) return [];
  const [first, ...more] = news.events;
  if (!first) return [];
  const isSingle = followings.length === 1 && followings[0]?.subject.kind === 'vessel';
  const { vessel, headline } = eventInWords(first, frame, now);
  const named =
    isSingle || vessel === undefined || headline.includes(vessel) ? headline : `${vessel}: ${headline}`;
  const what = more.length > 0 ? `${named}, and ${more.length} more` : named;
  const seen = acknowledgement
    ? `*${escaped(frame.acknowledgedBy ?? 'Somebody')} acknowledged*, ${stamp(acknowledgement.at, now)}`
    : 'not acknowledged';
  const was = isSingle ? before(first, now) : undefined;
  const notified = `Notified ${stamp(news.at, now)}: ${what}`;
  return [`${was ?? notified} · ${seen}`];
}

/** `Was Rotterdam (NLRTM) 82%, notified Sat 21 Nov 07:00 UTC`; undefined where there was none before. */
function before(event: WatchEvent, now: Date): string | undefined {
  if (!('was' in event) || !event.was) return undefined;
  const { port, probability, eta, at } = event.was;
  const isMoved = event.kind === 'eta-slipped' || event.kind === 'eta-advanced';
  const what =
    isMoved && eta
      ? `ETA was ${portTime(eta, portOf(port)?.zone, now)}`
      : `Was ${escaped(portLabel(port))} ${percent(probability)}`;
  return `${what}, notified ${stamp(at, now)}`;
}

function stateLines(watch: WatchWithFollowings, now: Date): string[] {
  const silent = watch.followings.filter(({ state }) => state?.stale);
  const since = silent.flatMap(({ polledAt, failingSince }) => polledAt ?? failingSince ?? []);
  const oldest = since.sort((one, other) => one.getTime() - other.getTime())[0];
  const pause = pauseInWords(watch.pauseReason);
  return [
    ...(watch.status === 'paused' ? [`⏸ *Paused*: ${pause.what}. ${pause.advice}`] : []),
    ...(watch.status === 'ended'
      ? ['*Ended*: the next port has changed, and that was all it waited for']
      : []),
    ...(watch.snooze ? [`💤 Snoozed ${snoozeInWords(watch.snooze, now)}`] : []),
    ...(silent.length > 0
      ? [
          `⚠ The analytics service does not answer${oldest ? `; these figures are from ${stamp(oldest, now)}` : ''}`,
        ]
      : []),
  ];
}

function footer(watch: WatchWithFollowings, { ownerName }: WatchFrame, reader: Reader): string[] {
  const { followings, rules } = watch;
  const isPort = followings[0]?.subject.kind === 'port';
  return [
    ...(ownerName === undefined || reader.audience === 'outside' ? [] : [`${escaped(ownerName)}'s watch`]),
    ...thresholds(rules, { now: reader.now, isPort }).map(escaped),
    ...checked(followings, reader.now),
    'Predicted, not reported',
    ...(reader.source === 'sandbox' ? ['invented data'] : []),
  ];
}

const togetherMs = 3_600_000;

/** When the figures are from; of several vessels that were not asked together, since when. */
function checked(followings: WatchWithFollowings['followings'], now: Date): string[] {
  const polled = followings.flatMap(({ polledAt }) => polledAt?.getTime() ?? []);
  if (polled.length === 0) return [];
  const [first, last] = [Math.min(...polled), Math.max(...polled)];
  const latest = stamp(new Date(last), now);
  if (last - first <= togetherMs) return [`checked ${latest}`];
  return [`checked between ${stamp(new Date(first), now)} and ${latest}`];
}

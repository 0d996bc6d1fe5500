import type { KnownBlock } from '@slack/types';
import { portLabel, portOf } from '../../reference/ports.ts';
import type { VesselState } from '../../watches/evaluation/state.ts';
import type { CallPlan } from '../../watches/polling/poll-plan.ts';
import type { WatchWithFollowings } from '../../watches/store/watch-list.ts';
import { actionIds } from '../action-ids.ts';
import { actions, button, context, sections } from '../blocks.ts';
import { percent } from '../formatting/probability.ts';
import { portTime, utcTime } from '../formatting/times.ts';
import { lineButtons } from '../frame/answer-actions.ts';
import { inventedSuffix } from '../frame/answer-message.ts';
import { pageButtons, shownNote } from '../frame/paging.ts';
import { clip, joinWithin, limits, type Page } from '../limits.ts';
import type { Message, Reader } from '../message.ts';
import { channelMention, escaped, personMention } from '../mrkdwn.ts';
import { editButton } from './watch-actions.ts';
import { pauseInWords } from './watch-pause.ts';
import { snoozeInWords } from './watch-rules.ts';

export interface WatchListAnswer {
  kind: 'watch-list';
  line: string;
  scope: 'channel' | 'all' | 'mine';
  /** Where it is another channel than this one. */
  channelId?: string;
  page: number;
  /** Of all pages. */
  total: number;
  plan: CallPlan;
  watches: readonly WatchWithFollowings[];
}

export const watchesPerPage = 12;

/** Each watch with what was told last, its state, its owner and its next poll; then what all of them cost. */
export function watchListView(answer: WatchListAnswer, reader: Reader): Message {
  const { line, total, watches } = answer;
  if (total === 0) return noWatches(answer, reader);
  const from = (answer.page - 1) * watchesPerPage;
  const page: Page<WatchWithFollowings> = {
    items: watches,
    page: answer.page,
    pages: Math.ceil(total / watchesPerPage),
    total,
    after: total - from - watches.length,
  };
  const heading = `${total} ${total === 1 ? 'watch' : 'watches'} ${placeOf(answer)}`;
  const lines = watches.map((watch) => watchLines(watch, answer, reader));
  const invented = reader.source === 'sandbox' ? ['invented data'] : [];
  const notes = [...planNotes(answer.plan, reader), ...shownNote(page, watchesPerPage), ...invented];
  return {
    text: `${joinWithin([`${heading}: ${lines[0]?.[0] ?? ''}`, ...lines.slice(1).map(([first = '']) => first)], '; ', limits.messageText - 200).replaceAll('*', '')}${inventedSuffix(reader)}`,
    blocks: [
      ...sections([`*${heading}*`]),
      ...lines.flatMap((some, index) => row(some.join('\n'), watches[index], { index, reader })),
      ...(notes.length > 0 ? [context(`_${notes.join(' · ')}_`)] : []),
      ...actions([
        ...lineButtons(pageButtons(line, page, watchesPerPage)),
        button({ id: actionIds.refresh, label: 'Refresh', value: line }),
      ]),
    ],
  };
}

const places = { channel: 'in this channel', all: 'in the channels you are in', mine: 'of yours' };

const placeOf = ({ scope, channelId }: WatchListAnswer): string =>
  channelId === undefined ? places[scope] : `in ${channelMention(channelId)}`;

/** Who reads it alone can edit from it. */
function row(
  text: string,
  watch: WatchWithFollowings | undefined,
  { index, reader }: { index: number; reader: Reader },
): KnownBlock[] {
  const blocks = sections([text]);
  if (!watch || reader.audience !== 'private') return blocks;
  return blocks.map((block) => ({ ...block, accessory: editButton(watch.id, index) }));
}

function noWatches(answer: WatchListAnswer, reader: Reader): Message {
  const { scope } = answer;
  const where = `No watches ${placeOf(answer)} yet`;
  return {
    text: `${where}. For example: /watch 9461477${inventedSuffix(reader)}`,
    blocks: [
      ...sections([`*${where}*`, 'For example: `/watch 9461477` or `/watch list:FEEDERS eta 6h`']),
      ...(reader.source === 'sandbox' ? [context('_invented data_')] : []),
      ...(scope === 'channel'
        ? actions(lineButtons([{ label: 'Those of all my channels', line: 'watch list all' }]))
        : []),
    ],
  };
}

/** What was told last, and how the watch stands; with its channel where several are listed. */
export function watchLines(
  watch: WatchWithFollowings,
  { scope }: Pick<WatchListAnswer, 'scope'>,
  reader: Reader,
): string[] {
  const { title, channelId, ownerId } = watch;
  const where = scope === 'channel' ? '' : ` in ${channelMention(channelId)}`;
  const owner = reader.audience === 'private' ? [`by ${personMention(ownerId)}`] : [];
  return [
    `*${escaped(clip(title, 100))}*${where} · ${standing(watch, reader.now)}`,
    [...owner, ...stateOf(watch, reader.now), ...nextPoll(watch, reader.now)].join(' · '),
  ].filter((line) => line !== '');
}

/** What was told last, of one vessel; of several how many there are. */
function standing({ followings }: WatchWithFollowings, now: Date): string {
  const states = followings.flatMap(({ state }) => state ?? []);
  const [only] = states;
  if (!only) return 'waiting for the first answer';
  if (only.kind === 'port') return counted(only.expected?.length ?? 0, 'expected');
  const vessels = states.flatMap((state) => (state.kind === 'vessels' ? Object.values(state.vessels) : []));
  const [vessel, ...others] = vessels;
  if (!vessel || others.length > 0) return counted(vessels.length, '');
  return vesselStanding(vessel, now);
}

function vesselStanding({ told, lost, wavering }: VesselState, now: Date): string {
  if (!told) return 'no prediction now';
  const when = told.eta ? portTime(told.eta, portOf(told.port)?.zone, now) : 'ETA not given';
  const doubt = lost ? ', no prediction any more' : wavering ? ', wavering' : '';
  return `${escaped(portLabel(told.port))} ${percent(told.probability)}, ${when}${doubt}`;
}

const counted = (count: number, what: string): string =>
  `${count} ${count === 1 ? 'vessel' : 'vessels'}${what && ` ${what}`}`;

function stateOf(
  { status, pauseReason, snooze, followings, news, acknowledgement }: WatchWithFollowings,
  now: Date,
) {
  const failing = followings.flatMap(({ state, failingSince }) => (state?.stale && failingSince) || []);
  return [
    ...(status === 'paused' ? [`*paused*: ${pauseInWords(pauseReason).what}`] : []),
    ...(status === 'ended' ? ['ended: its next port has changed'] : []),
    ...(snooze ? [`snoozed ${snoozeInWords(snooze, now)}`] : []),
    ...(failing[0] ? [`service not answering since ${utcTime(failing[0], now)}`] : []),
    ...(news && !acknowledgement ? ['⚠ news not acknowledged'] : []),
  ];
}

function nextPoll({ status, followings }: WatchWithFollowings, now: Date): string[] {
  const times = followings.map(({ nextPollAt }) => nextPollAt.getTime());
  if (status !== 'active' || times.length === 0) return [];
  const next = new Date(Math.min(...times));
  return [next <= now ? 'next check now' : `next check ${utcTime(next, now)}`];
}

/** What it costs is nobody else's business. */
export function planNotes({ plannedCalls, dailyCalls, stretch }: CallPlan, { audience }: Reader): string[] {
  if (audience === 'outside') return [];
  const planned = `all watches together take about ${Math.round(plannedCalls).toLocaleString('en')} calls a day`;
  if (dailyCalls === null) return [planned];
  const budget = `${planned}, of a budget of ${dailyCalls.toLocaleString('en')}`;
  return [
    stretch > 1
      ? `${budget}: polled ${(Math.ceil(stretch * 10) / 10).toLocaleString('en')} times less often to keep it`
      : budget,
  ];
}

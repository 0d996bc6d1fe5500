import type { KnownBlock } from '@slack/types';
import { actionIds } from '../../../messages/action-ids.ts';
import { actions, button, context, sections } from '../../../messages/blocks.ts';
import { utcTime } from '../../../messages/formatting/times.ts';
import { lineButtons } from '../../../messages/frame/answer-actions.ts';
import { inventedSuffix } from '../../../messages/frame/answer-message.ts';
import { pageButtons, shownNote } from '../../../messages/frame/paging.ts';
import { pauseInWords } from '../../../messages/frame/pause-words.ts';
import { clip, joinWithin, limits, type Page } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { channelMention, escaped, personMention } from '../../../messages/mrkdwn.ts';
import { isImo } from '../../../reference/imo.ts';
import type { Scope } from '../../owned.ts';
import type { VesselState } from '../evaluation/state.ts';
import type { CallPlan } from '../polling/poll-plan.ts';
import { snoozeInWords } from '../rules/in-words.ts';
import type { WatchWithFollowings } from '../store/watch-list.ts';
import { figuresInWords, type PollWithBaseline, standingNotes, standingOf } from './vessel-standing.ts';
import { editButton } from './watch-actions.ts';

export interface WatchListAnswer {
  kind: 'watch-list';
  line: string;
  scope: Scope;
  /** Where it is another channel than this one. */
  channelId?: string;
  page: number;
  /** The page that was asked for, where there is none. */
  beyond?: number;
  /** Of all pages. */
  total: number;
  plan: CallPlan;
  watches: readonly WatchWithFollowings[];
}

export const watchesPerPage = 12;

/** Each watch with where it is, its state, its owner and its polls; then what all of them cost. */
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
    ...(answer.beyond !== undefined && { beyond: answer.beyond }),
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
        ? actions(lineButtons([{ label: 'In all my channels', line: 'watch list all' }]))
        : []),
    ],
  };
}

/** Where its vessel stands, and how the watch does; with its channel where several are listed. */
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
    [...owner, ...stateOf(watch, reader.now), ...checks(watch, reader.now)].join(' · '),
  ].filter((line) => line !== '');
}

/** Of one vessel where it is; of several how many there are. */
function standing({ followings }: WatchWithFollowings, now: Date): string {
  const answered = followings.filter(({ state }) => state !== null);
  const [first] = answered;
  if (!first?.state) return 'waiting for the first answer';
  if (first.state.kind === 'port') return counted(first.state.expected?.length ?? 0, 'expected');
  const vessels = answered.flatMap((following) =>
    following.state?.kind === 'vessels'
      ? Object.entries(following.state.vessels).map(([key, state]) => ({
          key: Number(key),
          state,
          following,
        }))
      : [],
  );
  const [vessel, ...others] = vessels;
  if (!vessel || others.length > 0 || !isImo(vessel.key)) return counted(vessels.length, '');
  return vesselStanding(vessel.state, standingOf(vessel.key, vessel.following), now);
}

function vesselStanding(
  { lost, wavering }: VesselState,
  standing: PollWithBaseline | undefined,
  now: Date,
): string {
  if (!standing) return 'no prediction now';
  const state = lost ? ['no prediction any more'] : wavering ? ['wavering'] : [];
  return escaped([figuresInWords(standing, now), ...state, ...standingNotes(standing, now)].join(', '));
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

/** When the service was asked last, and will be again. */
function checks({ status, followings }: WatchWithFollowings, now: Date): string[] {
  const polled = followings.flatMap(({ polledAt }) => polledAt?.getTime() ?? []);
  const checked = polled.length > 0 ? [`checked ${utcTime(new Date(Math.max(...polled)), now)}`] : [];
  const times = followings.map(({ nextPollAt }) => nextPollAt.getTime());
  if (status !== 'active' || times.length === 0) return checked;
  const next = new Date(Math.min(...times));
  return [...checked, next <= now ? 'next check now' : `next check ${utcTime(next, now)}`];
}

/** What it costs is nobody else's business. */
export function planNotes({ plannedCalls, dailyCalls, stretch }: CallPlan, { audience }: Reader): string[] {
  if (audience === 'outside') return [];
  const planned = `all watches together use about ${Math.round(plannedCalls).toLocaleString('en')} API calls a day`;
  if (dailyCalls === null) return [planned];
  const budget = `${planned}, of a budget of ${dailyCalls.toLocaleString('en')}`;
  return [
    stretch > 1
      ? `${budget}: polled ${(Math.ceil(stretch * 10) / 10).toLocaleString('en')} times less often to stay within it`
      : budget,
  ];
}

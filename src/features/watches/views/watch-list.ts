import { actionIds } from '../../../messages/action-ids.ts';
import { actions, button, sections } from '../../../messages/blocks.ts';
import { percent } from '../../../messages/formatting/probability.ts';
import { utcTime } from '../../../messages/formatting/times.ts';
import { counted } from '../../../messages/formatting/words.ts';
import { lineButtons } from '../../../messages/frame/answer-actions.ts';
import { inventedSuffix } from '../../../messages/frame/answer-message.ts';
import { pageButtons, shownNote } from '../../../messages/frame/paging.ts';
import { pauseInWords } from '../../../messages/frame/pause-words.ts';
import { inventedNotes, smallPrint } from '../../../messages/frame/small-print.ts';
import { clip, joinWithin, type PageNumbers } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { channelMention, escaped, personMention } from '../../../messages/mrkdwn.ts';
import { portLabel } from '../../../reference/ports.ts';
import type { Scope } from '../../owned.ts';
import type { CallPlan } from '../polling/poll-plan.ts';
import { snoozeInWords } from '../rules/in-words.ts';
import { hasOpenNews } from '../store/watch.ts';
import type { WatchWithSubjects } from '../store/watch-list.ts';
import { etaInWords } from './event-text.ts';
import { editButton, maxListText, shortMessage } from './short-message.ts';
import { type ListedVessel, listedVessels, predictionNotes } from './shown-prediction.ts';

export interface WatchListAnswer extends PageNumbers {
  kind: 'watch-list';
  /** The command line that shows this list. */
  line: string;
  scope: Scope;
  /** Set if the list is of another channel. */
  channelId?: string;
  plan: CallPlan;
  watches: readonly WatchWithSubjects[];
}

export const watchesPerPage = 12;

export function watchListView(answer: WatchListAnswer, reader: Reader): Message {
  const { line, total, watches } = answer;
  if (total === 0) return noWatches(answer, reader);
  const heading = `${counted(total, 'watch', 'watches')} ${placeOf(answer)}`;
  const rows = watches.map((watch) => watchLines(watch, answer, reader));
  const firstLines = rows.map(([first = '']) => first.replaceAll('*', ''));
  const rowBlocks = watches.flatMap(({ id }, index) =>
    sections([rows[index]?.join('\n') ?? '']).map((block) =>
      reader.audience === 'private' ? { ...block, accessory: editButton(id, index) } : block,
    ),
  );
  const notes = [
    ...planNotes(answer.plan, reader),
    ...shownNote({ ...answer, items: watches }, watchesPerPage),
    ...inventedNotes(reader),
  ];
  return {
    text: `${heading}: ${joinWithin(firstLines, '; ', maxListText - heading.length)}${inventedSuffix(reader)}`,
    blocks: [
      ...sections([`*${heading}*`]),
      ...rowBlocks,
      ...smallPrint(notes),
      ...actions([
        ...lineButtons(pageButtons(line, answer, watchesPerPage)),
        button({ id: actionIds.refresh, label: 'Refresh', value: line }),
      ]),
    ],
  };
}

const places = { channel: 'in this channel', all: 'in the channels you are in', mine: 'of yours' };

type ListPlace = Pick<WatchListAnswer, 'scope' | 'channelId'>;

const placeOf = ({ scope, channelId }: ListPlace): string =>
  channelId === undefined ? places[scope] : `in ${channelMention(channelId)}`;

export function noWatches(answer: ListPlace, reader: Reader): Message {
  const none = `No watches ${placeOf(answer)} yet`;
  const everywhere = { label: 'In all my channels', line: 'watch list all' };
  return shortMessage(
    {
      text: `${none}. For example: /watch 9461477`,
      lines: [`*${none}*`, 'For example: `/watch 9461477` or `/watch list:FEEDERS eta 6h`'],
      buttons: answer.scope === 'channel' ? lineButtons([everywhere]) : [],
    },
    reader,
  );
}

/** One line with the watch's predictions, one with its owner, state and polls. Names the channel unless all share it. */
export function watchLines(
  watch: WatchWithSubjects,
  { scope }: Pick<WatchListAnswer, 'scope'>,
  reader: Reader,
): string[] {
  const { title, channelId, ownerId } = watch;
  const channel = scope === 'channel' ? '' : ` in ${channelMention(channelId)}`;
  const owner = reader.audience === 'private' ? [`by ${personMention(ownerId)}`] : [];
  return [
    `*${escaped(clip(title, 100))}*${channel} · ${predictions(watch, reader.now)}`,
    [...owner, ...stateNotes(watch, reader.now), ...pollTimes(watch, reader.now)].join(' · '),
  ].filter((line) => line !== '');
}

/** The prediction of a single vessel; of several vessels only their number. */
function predictions(watch: WatchWithSubjects, now: Date): string {
  const [first] = watch.followedSubjects.flatMap(({ state }) => state ?? []);
  if (!first) return 'waiting for the first answer';
  if (first.kind === 'port') return `${counted(first.expected?.length ?? 0, 'vessel')} expected`;
  const vessels = listedVessels(watch).filter(({ state }) => state !== undefined);
  const [vessel, ...others] = vessels;
  return vessel && others.length === 0 ? predictionInWords(vessel, now) : counted(vessels.length, 'vessel');
}

/** `Rotterdam (NLRTM) 78%, Sat 21 Nov 14:23 LT (13:23 UTC), wavering`, escaped. */
function predictionInWords({ prediction, state }: ListedVessel, now: Date): string {
  if (!prediction) return 'no prediction now';
  const { port, probability } = prediction;
  const words = [
    `${portLabel(port)} ${percent(probability)}`,
    etaInWords(prediction, now),
    ...(state?.lost ? ['no prediction any more'] : state?.wavering ? ['wavering'] : []),
    ...predictionNotes(prediction, now),
  ];
  return escaped(words.join(', '));
}

function stateNotes(watch: WatchWithSubjects, now: Date): string[] {
  const { status, pauseReason, snooze, followedSubjects } = watch;
  const [failingSince] = followedSubjects.flatMap(
    ({ state, failingSince }) => (state?.stale && failingSince) || [],
  );
  return [
    ...(status === 'paused' ? [`*paused*: ${pauseInWords(pauseReason).what}`] : []),
    ...(status === 'ended' ? ['ended: its next port has changed'] : []),
    ...(snooze ? [`snoozed ${snoozeInWords(snooze, now)}`] : []),
    ...(failingSince ? [`service not answering since ${utcTime(failingSince, now)}`] : []),
    ...(hasOpenNews(watch) ? ['⚠ news not acknowledged'] : []),
  ];
}

function pollTimes({ status, followedSubjects }: WatchWithSubjects, now: Date): string[] {
  const polled = followedSubjects.flatMap(({ polledAt }) => polledAt?.getTime() ?? []);
  const checked = polled.length > 0 ? [`checked ${utcTime(new Date(Math.max(...polled)), now)}`] : [];
  const times = followedSubjects.map(({ nextPollAt }) => nextPollAt.getTime());
  if (status !== 'active' || times.length === 0) return checked;
  const next = new Date(Math.min(...times));
  return [...checked, next <= now ? 'next check now' : `next check ${utcTime(next, now)}`];
}

/** People of other organisations see no costs. */
export function planNotes({ plannedCalls, dailyCalls, stretch }: CallPlan, { audience }: Reader): string[] {
  if (audience === 'outside') return [];
  const planned = `all watches together use about ${Math.round(plannedCalls).toLocaleString('en')} API calls a day`;
  if (dailyCalls === undefined) return [planned];
  const budget = `${planned}, of a budget of ${dailyCalls.toLocaleString('en')}`;
  if (stretch <= 1) return [budget];
  const factor = (Math.ceil(stretch * 10) / 10).toLocaleString('en');
  return [`${budget}: polled ${factor} times less often to stay within it`];
}

import { actionIds } from '../../../messages/action-ids.ts';
import { actions, button, sections } from '../../../messages/blocks.ts';
import { nextInWords, portNames } from '../../../messages/formatting/next-ports.ts';
import { utcTime } from '../../../messages/formatting/times.ts';
import type { KnownVessel } from '../../../messages/formatting/vessel-label.ts';
import { counted } from '../../../messages/formatting/words.ts';
import { lineButtons } from '../../../messages/frame/answer-actions.ts';
import { inventedSuffix } from '../../../messages/frame/answer-message.ts';
import { pageButtons, shownNote } from '../../../messages/frame/paging.ts';
import { pauseInWords } from '../../../messages/frame/pause-words.ts';
import { inventedNotes, smallPrint } from '../../../messages/frame/small-print.ts';
import { clip, joinWithin, type PageNumbers } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { channelMention, escaped, personMention } from '../../../messages/mrkdwn.ts';
import type { Scope } from '../../owned/scope.ts';
import type { CallPlan } from '../polling/poll-plan.ts';
import { snoozeInWords } from '../rules/in-words.ts';
import { watchRules } from '../rules/registry.ts';
import { isOfOneVessel, type WatchWithSubjects } from '../store/watch-list.ts';
import { titleAtStart } from '../store/watch-title.ts';
import { dueLines } from './due-lines.ts';
import { etaInWords } from './event-text.ts';
import { editButton, maxListText, shortMessage } from './short-message.ts';
import { expectedInWords, type ListedVessel, listedVessels, nextOf } from './shown-prediction.ts';
import { isToCheck, vesselNotes } from './vessel-notes.ts';

export interface WatchListAnswer extends PageNumbers {
  kind: 'watch-list';
  /** The command line that shows this list. */
  line: string;
  scope: Scope;
  /** Set if the list is of another channel. */
  channelId?: string;
  plan: CallPlan;
  watches: readonly WatchWithSubjects[];
  /** The vessels of these watches, for an export. */
  named: readonly KnownVessel[];
}

export const watchesPerPage = 12;

export function watchListView(answer: Omit<WatchListAnswer, 'named'>, reader: Reader): Message {
  const { line, total, watches } = answer;
  if (total === 0) return noWatches(answer, reader);
  const open = watches.reduce((sum, { openAlerts }) => sum + (openAlerts?.count ?? 0), 0);
  const heading = `${counted(total, 'watch', 'watches')} ${placeOf(answer)}`;
  // The row of a single watch says it.
  const openText = open > 0 && total > 1 ? ` · ${counted(open, 'alert')} not acknowledged` : '';
  const rows = watches.map((watch) => watchLines(watch, answer, reader));
  const firstLines = rows.map(([first = '']) => first);
  const rowBlocks = watches.flatMap(({ id }, index) =>
    sections([rows[index]?.join('\n') ?? '']).map((block) =>
      reader.audience === 'private' ? { ...block, accessory: editButton(id, index) } : block,
    ),
  );
  const notes = [
    ...checkedNote(watches, reader.now),
    ...planNotes(answer.plan, reader),
    ...shownNote(answer, watchesPerPage),
    ...inventedNotes(reader),
  ];
  return {
    text: `${heading}${openText}: ${joinWithin(firstLines, '; ', maxListText - heading.length - openText.length)}${inventedSuffix(reader)}`,
    blocks: [
      ...sections([`*${heading}*${openText}`]),
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

/** A line with the watch's predictions, and one with its channel, owner and state. Names the channel unless all share it. */
export function watchLines(
  watch: WatchWithSubjects,
  { scope }: Pick<WatchListAnswer, 'scope'>,
  reader: Reader,
): string[] {
  const { channelId, ownerId } = watch;
  const notes = [
    ...(scope === 'channel' ? [] : [channelMention(channelId)]),
    ...(reader.audience === 'private' ? [`by ${personMention(ownerId)}`] : []),
    ...stateNotes(watch, reader.now),
  ];
  // Of several vessels the card names those that are at risk.
  const due = dueLines(watch, { nameOf: () => undefined }, reader.now);
  const marker =
    due.marker === '🔴' ? '🔴 ' : rowMarker(watch, { isLate: due.marker === '🟠', now: reader.now });
  return [
    `${marker}${predictions(watch, reader.now)}`,
    ...(isOfOneVessel(watch) ? due.urgent.map(escaped) : []),
    notes.join(' · '),
  ].filter((line) => line !== '');
}

/** 🔴 a critical alert that nobody has acknowledged, 🟠 something to check. */
function rowMarker(watch: WatchWithSubjects, { isLate, now }: { isLate: boolean; now: Date }): string {
  const events = watch.openAlerts?.first.events ?? [];
  if (events.some(watchRules.isCritical)) return '🔴 ';
  const isCutOff = watch.status === 'paused' || watch.followedSubjects.some(({ state }) => state?.stale);
  const needsCheck = isLate || isCutOff || listedVessels(watch).some((vessel) => isToCheck(vessel, now));
  return needsCheck || events.length > 0 ? '🟠 ' : '';
}

/** `DS CYPRESS → Rotterdam 78%, Sat 21 Nov 14:23 LT (13:23 UTC)`; of several vessels the next call. Escaped. */
function predictions(watch: WatchWithSubjects, now: Date): string {
  const title = clip(titleAtStart(watch.title), 100);
  const [first] = watch.followedSubjects.flatMap(({ state }) => state ?? []);
  if (!first) return escaped(`${title}: waiting for the first answer`);
  if (first.kind === 'port') return escaped(`${title}: ${expectedInWords(watch)}`);
  const vessels = listedVessels(watch).filter(({ state }) => state !== undefined);
  const [vessel, ...others] = vessels;
  if (vessel && others.length === 0) return escaped(predictionInWords(vessel, title, now));
  return escaped(`${title}: ${counted(vessels.length, 'vessel')}${nextCall(vessels, now)}`);
}

function nextCall(vessels: readonly ListedVessel[], now: Date): string {
  const ahead = vessels.filter(({ eta }) => eta && eta > now).sort((a, b) => Number(a.eta) - Number(b.eta));
  const prediction = ahead[0]?.prediction;
  return prediction ? `, next at ${portNames(nextOf(prediction))} ${etaInWords(prediction, now)}` : '';
}

function predictionInWords(vessel: ListedVessel, title: string, now: Date): string {
  const { prediction } = vessel;
  if (!prediction) return `${title}: no prediction now`;
  return [
    nextInWords(title, nextOf(prediction)),
    etaInWords(prediction, now),
    ...vesselNotes(vessel, now),
  ].join(', ');
}

function stateNotes(watch: WatchWithSubjects, now: Date): string[] {
  const { status, pauseReason, snooze, followedSubjects } = watch;
  const [failingSince] = followedSubjects.flatMap(
    ({ state, failingSince }) => (state?.stale && failingSince) || [],
  );
  return [
    ...(status === 'paused' ? [`paused: ${pauseInWords(pauseReason).what}`] : []),
    ...(status === 'ended' ? ['ended: its next port has changed'] : []),
    ...(snooze ? [`snoozed ${snoozeInWords(snooze, now)}`] : []),
    ...(failingSince ? [`service not answering since ${utcTime(failingSince, now)}`] : []),
    ...(watch.openAlerts ? [`${counted(watch.openAlerts.count, 'alert')} not acknowledged`] : []),
  ];
}

/** The oldest of the watches' latest answers. */
function checkedNote(watches: readonly WatchWithSubjects[], now: Date): string[] {
  const polled = watches
    .flatMap(({ followedSubjects }) => followedSubjects)
    .flatMap(({ polledAt }) => polledAt?.getTime() ?? []);
  return polled.length > 0 ? [`Oldest forecast ${utcTime(new Date(Math.min(...polled)), now)}`] : [];
}

/** People of other organisations see no costs; without watches there are none. */
export function planNotes({ plannedCalls, dailyCalls, stretch }: CallPlan, { audience }: Reader): string[] {
  if (audience === 'outside' || plannedCalls === 0) return [];
  const planned = `All watches together use about ${Math.round(plannedCalls).toLocaleString('en')} API calls a day`;
  if (dailyCalls === undefined) return [planned];
  const budget = `${planned}, of a budget of ${dailyCalls.toLocaleString('en')}`;
  if (stretch <= 1) return [budget];
  const factor = (Math.ceil(stretch * 10) / 10).toLocaleString('en');
  return [`${budget}: polled ${factor} times less often to stay within it`];
}

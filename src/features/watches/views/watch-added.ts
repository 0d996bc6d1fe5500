import { isDeepStrictEqual } from 'node:util';
import { actions, button, context, sections } from '../../../messages/blocks.ts';
import { percent } from '../../../messages/formatting/probability.ts';
import { fullDate, zonedTime } from '../../../messages/formatting/times.ts';
import { type KnownVessel, vesselShort } from '../../../messages/formatting/vessel-label.ts';
import { lineButtons } from '../../../messages/frame/answer-actions.ts';
import { inventedSuffix } from '../../../messages/frame/answer-message.ts';
import { clip, joinWithin, limits } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { channelMention, escaped, personMention } from '../../../messages/mrkdwn.ts';
import type { Imo } from '../../../reference/imo.ts';
import { portLabel } from '../../../reference/ports.ts';
import { watchActionIds } from '../action-ids.ts';
import type { Snooze } from '../evaluation/muting.ts';
import type { CallPlan } from '../polling/poll-plan.ts';
import type { DueDate } from '../rules/due.ts';
import { droppedRules, rulesInWords, snoozeInWords } from '../rules/in-words.ts';
import type { Rules } from '../rules/index.ts';
import type { Estimate } from '../service/estimate.ts';
import type { WatchRequest } from '../service/watch-request.ts';
import { etaInWords, type Figures } from './vessel-standing.ts';
import { editButton } from './watch-actions.ts';

/** `response`: only the person who asks sees it. */
export type WatchPlace = Pick<WatchRequest, 'channelId' | 'destination'>;

export interface WatchAdded {
  kind: 'watch-added';
  how: 'added' | 'changed' | 'same' | 'would-be-added';
  title: string;
  isPort: boolean;
  /** Subjects that are polled. */
  vessels: number;
  fleet?: string;
  /** Where it isn't here. */
  place?: WatchPlace;
  rules: Rules;
  /** The rules that it had, where these take their place. */
  before?: Rules;
  snooze?: Snooze;
  /** A user's id, where it is somebody else's. */
  ownerId?: string;
  estimate: {
    callsPerMonth: number;
    plan: CallPlan;
    past: Estimate['past'];
    /** Other watches of the channel, and the vessels that they follow too. */
    overlaps: readonly { title: string; vessels: readonly KnownVessel[] }[];
    /** Vessels that the service says nothing of now. */
    unknown: readonly Imo[];
    /** Each due date with the ETA there, of the vessels that are later already; null where it is not predicted. */
    due?: readonly { vessel: KnownVessel; due: DueDate; now: Figures | null }[];
  };
  /** Of one that is stored: it can be edited. */
  watchId?: string;
  /** What an Undo button holds. */
  undo?: string;
  /** Of a dry run: the line that saves it. */
  save?: string;
}

/** A watch that was added or changed, or would be. */
export function watchAddedView(answer: WatchAdded, reader: Reader): Message {
  const { how, rules, isPort, undo, watchId } = answer;
  const heading = headings[how](escaped(clip(answer.title, 150)), placeOf(answer));
  const notified = `I'll post in its thread when: ${escaped(rulesInWords(rules, { now: reader.now, isPort }).join('; '))}.`;
  const notes = [
    ...ownerNote(answer, reader),
    ...droppedNote(answer, reader),
    ...snoozeNote(answer, reader),
    ...fleetNote(answer),
    ...overlapNote(answer),
    ...unknownNote(answer),
    ...dueNotes(answer, reader),
    ...costs(answer, reader),
    ...past(answer, reader),
  ];
  const invented = inventedSuffix(reader);
  const said = joinWithin([`${heading}.`, notified, ...notes], ' ', limits.messageText - invented.length);
  return {
    text: `${said}${invented}`,
    blocks: [
      ...sections([`*${heading}*`, notified, ...notes]),
      ...(reader.source === 'sandbox' ? [context('_invented data_')] : []),
      ...actions([
        ...(undo === undefined ? [] : [button({ id: watchActionIds.undo, label: 'Undo', value: undo })]),
        ...(watchId === undefined ? [] : [editButton(watchId)]),
        ...lineButtons(nextLines(answer)),
      ]),
    ],
  };
}

/** A dry run in a form is closed, and the form is there again. */
function nextLines(answer: WatchAdded) {
  const { how, save, place } = answer;
  if (how === 'would-be-added' && save === undefined) return [];
  return [
    ...(save === undefined ? [] : [{ label: 'Watch it', line: save }]),
    {
      label: 'List the watches',
      line: place?.destination === 'response' ? 'watch list mine' : listLine(place ?? {}),
    },
  ];
}

const headings: Record<WatchAdded['how'], (title: string, place: string) => string> = {
  added: (title, place) => `Watching ${title} ${place}`,
  changed: (title, place) => `${title} is already watched ${place}; from now on, with these rules`,
  same: (title, place) => `${title} is already watched ${place}, with these rules`,
  'would-be-added': (title, place) => `Nothing saved: this would watch ${title} ${place}`,
};

function placeOf({ place }: WatchAdded): string {
  if (!place) return 'here';
  return place.destination === 'response' ? 'for you alone' : `in ${channelMention(place.channelId)}`;
}

function ownerNote({ how, ownerId, before, rules }: WatchAdded, { audience }: Reader): string[] {
  if (ownerId === undefined || audience !== 'private') return [];
  const isNotified = how === 'changed' && before !== undefined && !isDeepStrictEqual(before, rules);
  return [
    `It is the watch of ${personMention(ownerId)}${isNotified ? ', who is notified of the change' : ''}.`,
  ];
}

function droppedNote({ before, rules, isPort }: WatchAdded, { now }: Reader): string[] {
  if (before === undefined) return [];
  const dropped = droppedRules({ before, after: rules }, { now, isPort });
  return dropped.length === 0 ? [] : [`No longer when: ${escaped(dropped.join('; '))}.`];
}

function snoozeNote({ snooze }: WatchAdded, { now, zone }: Reader): string[] {
  return snooze ? [`It is snoozed ${snoozeFor(snooze, { now, zone })}, and notifies nobody meanwhile.`] : [];
}

function fleetNote({ fleet, vessels }: WatchAdded): string[] {
  if (fleet === undefined) return [];
  const count = `${vessels} ${vessels === 1 ? 'vessel' : 'vessels'}`;
  return [`The fleet as it is now, ${count}: when it changes, type the same line again.`];
}

function overlapNote(answer: WatchAdded): string[] {
  const { how, vessels: count } = answer;
  const { overlaps } = answer.estimate;
  if (overlaps.length === 0 || how === 'changed' || how === 'same') return [];
  const others = overlaps.map(({ title, vessels }) => {
    const names = count === 1 ? [] : vessels.map((vessel) => escaped(vesselShort(vessel)));
    const by = `by the watch ${escaped(clip(title, 100))}`;
    return names.length === 0 ? by : `${joinWithin(names, ', ', 300)} ${by}`;
  });
  return [
    `Already watched ${placeOf(answer)}: ${joinWithin(others, '; ', 1_500)}. Both threads are notified; the channel itself sees each change once.`,
  ];
}

function unknownNote({ estimate, vessels }: WatchAdded): string[] {
  const { unknown } = estimate;
  if (unknown.length === 0) return [];
  const which =
    vessels === 1
      ? 'it'
      : joinWithin(
          unknown.map((imo) => `IMO ${imo}`),
          ', ',
          500,
        );
  return [`The service has no prediction for ${which} now; you will be notified when there is one.`];
}

/** What is so from the start is not notified later: so it is said now. */
function dueNotes({ estimate: { due = [] }, vessels }: WatchAdded, { now }: Reader): string[] {
  const notes = due.flatMap(({ vessel, due: date, now: current }) => {
    const port = escaped(portLabel(date.port));
    const whose = vessels === 1 ? '' : `${escaped(vesselShort(vessel))}: `;
    if (!current) return vessels === 1 ? [`${port} is not predicted for it now.`] : [];
    return [
      `⚠ ${whose}${port} is later than that already: ETA ${etaInWords(current, now)}, ${percent(current.probability)}.`,
    ];
  });
  return notes.length === 0 ? [] : [joinWithin(notes, ' ', 1_000)];
}

/** What it costs is nobody else's business. */
function costs({ estimate, how }: WatchAdded, { audience }: Reader): string[] {
  if (audience === 'outside' || how === 'changed' || how === 'same') return [];
  const { callsPerMonth, plan } = estimate;
  if (callsPerMonth === 0) return ['No extra API calls.'];
  const cost = `Uses about ${callsPerMonth.toLocaleString('en')} API calls a month`;
  const { plannedCalls, dailyCalls } = plan;
  if (dailyCalls === null) return [`${cost}.`];
  const after = plannedCalls + callsPerMonth / 30;
  const budget = `; with it, ${Math.round(after).toLocaleString('en')} calls a day are planned, of a budget of ${dailyCalls.toLocaleString('en')}`;
  return [`${cost}${budget}${after > dailyCalls ? ', so all watches are polled less often' : ''}.`];
}

const lookBackDays = 30;
const dayMs = 86_400_000;

function past({ estimate }: WatchAdded, { now }: Reader): string[] {
  if (!estimate.past) return [];
  const { replies, since, from } = estimate.past;
  const days = Math.round((now.getTime() - since.getTime()) / dayMs);
  const count =
    replies === 0 ? 'no alerts' : replies === 1 ? '1 alert' : `${replies.toLocaleString('en')} alerts`;
  const whose = from ? ` (counting ${from.known} of its ${from.all} vessels)` : '';
  if (now.getTime() - since.getTime() < dayMs) {
    return ['There is no history yet to say how many alerts these rules would have sent.'];
  }
  const span =
    days >= lookBackDays - 1
      ? `in the past ${lookBackDays} days`
      : `since ${fullDate(since, 'UTC')}, when it was first polled`;
  return [`With these rules you'd have had ${count} ${span}${whose}.`];
}

/** The list that what was changed is in; `channelId`: where that is another channel than this one. */
export const listLine = ({ channelId }: { channelId?: string }): string =>
  channelId === undefined ? 'watch list' : `watch list in ${channelMention(channelId)}`;

/** In the time of the one who typed it, and in UTC, which the card says. */
export function snoozeFor(snooze: Snooze, { now, zone }: Pick<Reader, 'now' | 'zone'>): string {
  const words = snoozeInWords(snooze, now);
  if (snooze.kind !== 'until' || zone === 'UTC') return words;
  return `${words}, ${zonedTime(snooze.at, zone, now)} your time`;
}

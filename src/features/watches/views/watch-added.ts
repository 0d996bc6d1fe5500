import { isDeepStrictEqual } from 'node:util';
import { millisecondsInDay } from 'date-fns/constants';
import { formatListName } from '../../../grammar/list-name.ts';
import { button } from '../../../messages/blocks.ts';
import { fullDate, zonedTime } from '../../../messages/formatting/times.ts';
import { type KnownVessel, vesselShort } from '../../../messages/formatting/vessel-label.ts';
import { capitalised, counted } from '../../../messages/formatting/words.ts';
import { lineButtons } from '../../../messages/frame/answer-actions.ts';
import { inventedSuffix } from '../../../messages/frame/answer-message.ts';
import { clip, joinWithin, limits } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { channelMention, escaped, personMention } from '../../../messages/mrkdwn.ts';
import type { Imo } from '../../../reference/imo.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import { watchActionIds } from '../action-ids.ts';
import type { Snooze } from '../evaluation/muting.ts';
import {
  activeInWords,
  droppedRulesInWords,
  limitsInWords,
  rulesInWords,
  snoozeInWords,
} from '../rules/in-words.ts';
import type { Rules } from '../rules/index.ts';
import type { WatchRequest } from '../service/add-watch.ts';
import type { AsList, Estimate } from '../service/estimate.ts';
import { linesOf } from './due-lines.ts';
import { editButton, shortMessage, undoButton } from './short-message.ts';

export type WatchPlace = Pick<WatchRequest, 'channelId' | 'destination'>;

export interface WatchAdded {
  kind: 'watch-added';
  how: 'added' | 'changed' | 'same' | 'would-be-added';
  title: string;
  isPort: boolean;
  /** Of a list or a port: 1. */
  vesselCount: number;
  isFleet: boolean;
  /** Omitted if the watch is in the channel of the request. */
  place?: WatchPlace;
  rules: Rules;
  /** The former rules of a watch that was changed. */
  before?: Rules;
  snooze?: Snooze;
  /** Omitted if the watch is the person's own. */
  ownerId?: string;
  estimate: Pick<Estimate, 'callsPerMonth' | 'plan' | 'past'> & {
    asList?: Omit<AsList, 'missing'> & { missing: readonly KnownVessel[] };
    /** Other watches of the channel, and the vessels that they follow too. */
    overlaps: readonly { title: string; vessels: readonly KnownVessel[] }[];
    /** Vessels without predictions. */
    unknown: readonly Imo[];
    /** The vessels with predictions, likeliest port first, if the watch has due dates. */
    predicted?: readonly { vessel: KnownVessel; ranked: readonly Prospect[] }[];
  };
  /** Set if the watch is stored. */
  watchId?: string;
  /** The value of an Undo button. */
  undo?: string;
  /** Set after a dry run: the command line that saves the watch. */
  save?: string;
  /** The command line that saves a watch of the list in the estimate. */
  saveAsList?: string;
}

export function watchAddedView(answer: WatchAdded, reader: Reader): Message {
  const { how, title, snooze, undo, watchId } = answer;
  const heading = headings[how](escaped(clip(title, 150)), placeOf(answer));
  const { first, rules } = rulesList(answer, reader);
  const notes = [
    ...ownerNote(answer, reader),
    ...droppedNote(answer, reader),
    ...(snooze ? [`It is snoozed ${snoozeFor(snooze, reader)}, and notifies nobody meanwhile.`] : []),
    ...fleetNote(answer),
    ...overlapNote(answer),
    ...unknownNote(answer),
    ...dueNotes(answer, reader),
  ];
  const figures = [
    ...pastAlertsNote(answer, reader),
    ...costNote(answer, reader),
    ...listNote(answer, reader),
  ];
  const maxText = limits.messageText - inventedSuffix(reader).length;
  return shortMessage(
    {
      text: joinWithin([`${heading}.`, whenNotified(answer, reader), ...notes, ...figures], ' ', maxText),
      lines: [`*${heading}*. ${first}`, ...rules, ...notes],
      notes: figures.map((figure) => figure.replace(/\.$/, '')),
      buttons: [
        ...undoButton(undo),
        ...(watchId === undefined ? [] : [editButton(watchId)]),
        ...listButton(answer),
        ...lineButtons(nextLines(answer)),
      ],
    },
    reader,
  );
}

/** When it posts, as a list. */
export function rulesList(
  { how, rules, isPort }: RulesOf,
  { now }: Reader,
): { first: string; rules: string[] } {
  const context = { now, isPort };
  const limits = capitalised(limitsInWords(rules, context).join('; '));
  return {
    first: `${wouldPost(how)} in its thread when:`,
    rules: [
      ...activeInWords(rules, context).map((word) => `• ${escaped(word)}`),
      ...(limits === '' ? [] : [`${escaped(limits)}.`]),
    ],
  };
}

/** None for a dry run from the form (without `save`): closing the answer shows the form again. */
function nextLines({ how, save, saveAsList, estimate, place }: WatchAdded) {
  if (how === 'would-be-added' && save === undefined) return [];
  const list = place?.destination === 'response' ? 'watch list mine' : listLine(place ?? {});
  return [
    ...(save === undefined ? [] : [{ label: 'Watch it', line: save }]),
    ...(saveAsList === undefined ? [] : [{ label: asListLabel(estimate), line: saveAsList }]),
    { label: 'List the watches', line: list },
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
  return place.destination === 'response'
    ? 'for you alone, in your direct message with Landfall'
    : `in ${channelMention(place.channelId)}`;
}

export const whenNotified = ({ how, rules, isPort }: RulesOf, { now }: Reader): string =>
  `${wouldPost(how)} in its thread when: ${escaped(rulesInWords(rules, { now, isPort }).join('; '))}.`;

type RulesOf = Pick<WatchAdded, 'rules' | 'isPort'> & Partial<Pick<WatchAdded, 'how'>>;

const wouldPost = (how: WatchAdded['how'] | undefined): string =>
  how === 'would-be-added' ? "I'd post" : "I'll post";

function ownerNote({ how, ownerId, before, rules }: WatchAdded, { audience }: Reader): string[] {
  if (ownerId === undefined || audience !== 'private') return [];
  const isNotified = how === 'changed' && before !== undefined && !isDeepStrictEqual(before, rules);
  const owner = personMention(ownerId);
  return [`It is the watch of ${owner}${isNotified ? ', who is notified of the change' : ''}.`];
}

export function droppedNote(
  { before, rules, isPort }: Pick<WatchAdded, 'before' | 'rules' | 'isPort'>,
  { now }: { now: Date },
): string[] {
  if (before === undefined) return [];
  const dropped = droppedRulesInWords({ before, after: rules }, { now, isPort });
  return dropped.length === 0 ? [] : [`No longer: ${escaped(dropped.join('; '))}.`];
}

function fleetNote({ isFleet, vesselCount }: WatchAdded): string[] {
  if (!isFleet) return [];
  return [`It follows the fleet, ${counted(vesselCount, 'vessel')} now, as vessels are added or removed.`];
}

const isNew = ({ how }: WatchAdded): boolean => how === 'added' || how === 'would-be-added';

function overlapNote(answer: WatchAdded): string[] {
  const { overlaps } = answer.estimate;
  if (overlaps.length === 0 || !isNew(answer)) return [];
  const others = overlaps.map(({ title, vessels }) => {
    const names = answer.vesselCount === 1 ? [] : vessels.map((vessel) => escaped(vesselShort(vessel)));
    const by = `by the watch ${escaped(clip(title, 100))}`;
    return names.length === 0 ? by : `${joinWithin(names, ', ', 300)} ${by}`;
  });
  return [
    `Already watched ${placeOf(answer)}: ${joinWithin(others, '; ', 1_500)}. Both threads are notified; the channel itself sees each change once.`,
  ];
}

function unknownNote({ estimate, vesselCount }: WatchAdded): string[] {
  const names = estimate.unknown.map((imo) => `IMO ${imo}`);
  if (names.length === 0) return [];
  const which = vesselCount === 1 ? 'it' : joinWithin(names, ', ', 500);
  return [`The service has no prediction for ${which} now; you will be notified when there is one.`];
}

/** Alerts report only changes, so how a due date stands from the start is reported here. */
function dueNotes(
  { estimate: { predicted = [] }, rules, vesselCount }: WatchAdded,
  { now }: Reader,
): string[] {
  const isOne = vesselCount === 1 && predicted.length <= 1;
  const lines = linesOf(rules.due, { vessels: predicted, isOne, now });
  return lines.length === 0
    ? []
    : [
        joinWithin(
          lines.map(({ line }) => `${escaped(line)}.`),
          ' ',
          1_000,
        ),
      ];
}

/** People of other organisations see no costs. */
function costNote(answer: WatchAdded, { audience }: Reader): string[] {
  if (audience === 'outside' || !isNew(answer)) return [];
  const { callsPerMonth, plan } = answer.estimate;
  if (callsPerMonth === 0) return ['No extra API calls.'];
  const cost = `Uses about ${callsPerMonth.toLocaleString('en')} API calls a month`;
  const { plannedCalls, dailyCalls } = plan;
  if (dailyCalls === undefined) return [`${cost}.`];
  const after = plannedCalls + callsPerMonth / 30;
  const budget = `; with it, ${Math.round(after).toLocaleString('en')} calls a day are planned, of a budget of ${dailyCalls.toLocaleString('en')}`;
  return [`${cost}${budget}${after > dailyCalls ? ', so all watches are polled less often' : ''}.`];
}

const maxMissingShown = 300;

/** What a list of the provider would use, which is polled with one request for all its vessels. */
function listNote(answer: WatchAdded, { audience }: Reader): string[] {
  const { asList } = answer.estimate;
  if (audience === 'outside' || !isNew(answer) || !asList) return [];
  const { name, callsPerMonth, missing, others } = asList;
  const calls = callsPerMonth === 0 ? 'none' : `about ${callsPerMonth.toLocaleString('en')}`;
  if (name === undefined)
    return [`The provider can set up a list of these vessels; watched as a list they would use ${calls}.`];
  const without = missing.map((vessel) => escaped(vesselShort(vessel)));
  const differences = [
    ...(without.length === 0 ? [] : [`without ${joinWithin(without, ', ', maxMissingShown)}`]),
    ...(others === 0 ? [] : [`with ${counted(others, 'other vessel')}`]),
  ];
  const which = differences.length === 0 ? '' : ` (${differences.join(', ')})`;
  return [`As list ${escaped(name)}${which} it would use ${calls}.`];
}

const asListLabel = ({ asList }: WatchAdded['estimate']): string =>
  clip(`Watch ${formatListName(asList?.name ?? '')} instead`, limits.buttonText);

/** Under a dry run, a command line does it. */
function listButton({ watchId, how, estimate }: WatchAdded) {
  const name = estimate.asList?.name;
  if (watchId === undefined || name === undefined || how !== 'added') return [];
  return [button({ id: watchActionIds.asList, label: asListLabel(estimate), value: `${watchId} ${name}` })];
}

const lookBackDays = 30;

function pastAlertsNote({ estimate: { past } }: WatchAdded, { now }: Reader): string[] {
  if (!past) return [];
  const { replies, since, coverage } = past;
  const days = (now.getTime() - since.getTime()) / millisecondsInDay;
  if (days < 1) return ['There is no history yet to say how many alerts these rules would have sent.'];
  const count = replies === 0 ? 'no alerts' : counted(replies, 'alert');
  const span =
    Math.round(days) >= lookBackDays - 1
      ? `in the past ${lookBackDays} days`
      : `since ${fullDate(since, 'UTC')}, when it was first polled`;
  const counting = coverage ? ` (counting ${coverage.polled} of its ${coverage.all} vessels)` : '';
  return [`With these rules you'd have had ${count} ${span}${counting}.`];
}

/** The command line that lists the watches of the channel; `channelId` is set for another channel. */
export const listLine = ({ channelId }: { channelId?: string }): string =>
  channelId === undefined ? 'watch list' : `watch list in ${channelMention(channelId)}`;

/** The end of a snooze: in UTC, as the card shows it, and in the reader's zone. */
export function snoozeFor(snooze: Snooze, { now, zone }: Reader): string {
  const words = snoozeInWords(snooze, now);
  if (snooze.kind !== 'until' || zone === 'UTC') return words;
  return `${words}, ${zonedTime(snooze.at, zone, now)} your time`;
}

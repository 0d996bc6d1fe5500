import { button, context } from '../../../messages/blocks.ts';
import { inventedSuffix } from '../../../messages/frame/answer-message.ts';
import { inventedNotes } from '../../../messages/frame/small-print.ts';
import { clip } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { channelMention, escaped, link, personMention } from '../../../messages/mrkdwn.ts';
import { watchActionIds } from '../action-ids.ts';
import { type Alert, reminderMinutes } from '../store/alert.ts';
import { vesselsTitle } from '../store/watch-title.ts';
import { stamp } from './event-text.ts';
import { alertLines, alertText, eventInWords, type WatchNames } from './event-words.ts';
import { shortMessage } from './short-message.ts';

/** An alert away from its thread. */
export interface AlertElsewhere {
  alert: Alert;
  /** The watch's title. */
  title: string;
  channelId: string;
  /** Slack's link to the message that shows it. */
  url?: string | undefined;
}

/** `🔴 *DS CYPRESS: Rotterdam → Antwerp, 80%* (was 82%) and 2 more changes`, then its figures, in mrkdwn. */
export function alertInLines(
  { alert, title }: AlertElsewhere,
  names: Pick<WatchNames, 'nameOf' | 'referencesOf'>,
  now: Date,
): string[] {
  const [first, ...others] = alert.events;
  if (!first) return [];
  const words = eventInWords(first, names, now);
  const [verdict = '', ...figures] = alertLines(words, words.vessel ?? clip(title, 100));
  return [`${verdict}${moreChanges(others.length)}`, ...figures];
}

const moreChanges = (count: number): string =>
  count === 0 ? '' : ` and ${count} more ${count === 1 ? 'change' : 'changes'}`;

/** `fleet NORTH in #ops · Open the thread`, in mrkdwn. Names the watch unless it is of the vessel itself. */
export function alertPlace(
  { alert, title, channelId, url }: AlertElsewhere,
  { nameOf }: Pick<WatchNames, 'nameOf'>,
): string {
  const [imo] = alert.events.flatMap((event) => ('imo' in event ? [event.imo] : []));
  const isNamed = imo === undefined || title === vesselsTitle([imo], { nameOf });
  const place = `in ${channelMention(channelId)}`;
  return [
    isNamed ? place : `${escaped(clip(title, 60))} ${place}`,
    ...(url === undefined ? [] : [link(url, 'Open the thread')]),
  ].join(' · ');
}

/** A reply in the thread. It mentions the assignee, who is notified by it. `byName`: who has assigned the alerts. */
export function assignmentView(
  {
    alerts,
    title,
    assigneeId,
    isOwnChoice,
    byName,
  }: {
    alerts: readonly Alert[];
    title: string;
    assigneeId: string;
    /** The assignee has assigned them to themselves. */
    isOwnChoice: boolean;
    byName: string;
  },
  names: Pick<WatchNames, 'nameOf' | 'referencesOf'>,
  { now, audience }: Reader,
): Message {
  const [first, ...others] = alerts.flatMap(({ events }) => events);
  const words = first && eventInWords(first, names, now);
  const what = words
    ? alertText({ ...words, figures: [] }, escaped(words.vessel ?? clip(title, 100)))
    : escaped(title);
  const all = `${what}${moreChanges(others.length)}`;
  // People of other organisations see no names, except the mention without which nobody would be notified.
  const showsNames = audience !== 'outside';
  if (isOwnChoice)
    return shortMessage({ text: `${showsNames ? `${escaped(byName)} takes this` : 'Taken'}: ${all}` });
  return shortMessage({
    text: `${personMention(assigneeId)}, please take this: ${all}`,
    notes: showsNames ? [`Assigned by ${escaped(byName)}`] : [],
  });
}

/** A direct message to the assignee. */
export function reminderView(
  elsewhere: AlertElsewhere & { byName: string },
  names: Pick<WatchNames, 'nameOf' | 'referencesOf'>,
  reader: Reader,
): Message {
  const { alert, byName } = elsewhere;
  const lines = alertInLines(elsewhere, names, reader.now);
  const what = `Nobody has acknowledged this for ${reminderMinutes} minutes`;
  return {
    text: `${what}: ${lines.join(' · ').replaceAll('*', '')}${inventedSuffix(reader)}`,
    blocks: [
      ...shortMessage({
        text: '',
        lines: [...lines, alertPlace(elsewhere, names)],
        notes: [`${what}; assigned to you by ${escaped(byName)}`, ...inventedNotes(reader)],
        buttons: [button({ id: watchActionIds.acknowledgeAlert, label: 'Acknowledge', value: alert.id })],
      }).blocks,
    ],
  };
}

/** Replaces a reminder, and is the answer on the Home tab. `byName`: the first to acknowledge it. */
export function acknowledgedView(
  elsewhere: AlertElsewhere & { byName: string },
  names: Pick<WatchNames, 'nameOf' | 'referencesOf'>,
  reader: Reader,
): Message {
  const { alert, byName } = elsewhere;
  const [verdict = ''] = alertInLines(elsewhere, names, reader.now);
  const at = alert.acknowledgement?.at ?? reader.now;
  const state = `Acknowledged by ${escaped(byName)}, ${stamp(at, reader.now)}`;
  return {
    text: `${state}: ${verdict.replaceAll('*', '')}${inventedSuffix(reader)}`,
    blocks: [
      ...shortMessage({ text: '', lines: [verdict.replaceAll('*', ''), alertPlace(elsewhere, names)] })
        .blocks,
      context([state, ...inventedNotes(reader)].join(' · ')),
    ],
  };
}

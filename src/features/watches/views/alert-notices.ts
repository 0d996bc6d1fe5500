import { clip, type Message, type Reader } from '../../../answers/message.ts';
import { button, channelMention, escaped, link, personMention } from '../../../answers/slack/blocks.ts';
import { stamp } from '../../rules/event-text.ts';
import { alertLines, alertText, eventInWords, type WatchNames } from '../../rules/event-words.ts';
import { watchActionIds } from '../action-ids.ts';
import type { Alert } from '../store/alert.ts';
import { titleAtStart, vesselsTitle } from '../store/watch-list.ts';
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
  const [verdict = '', ...figures] = alertLines(words, words.vessel ?? clip(titleAtStart(title), 100));
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
    ? alertText({ ...words, figures: [] }, escaped(words.vessel ?? clip(titleAtStart(title), 100)))
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

/** A direct message to the assignee. `byName`: who has assigned it. */
export function reminderView(
  elsewhere: AlertElsewhere & { byName: string },
  names: Pick<WatchNames, 'nameOf' | 'referencesOf'>,
  reader: Reader,
): Message {
  const { alert, byName } = elsewhere;
  const lines = alertInLines(elsewhere, names, reader.now);
  const assigned = alert.assignment ? `, ${stamp(alert.assignment.at, reader.now)}` : '';
  return shortMessage(
    {
      text: `Not acknowledged yet: ${lines.join(' · ').replaceAll('*', '')}`,
      lines: [...lines, alertPlace(elsewhere, names)],
      notes: [`Assigned to you by ${escaped(byName)}${assigned}`, 'nobody has acknowledged it yet'],
      buttons: [button({ id: watchActionIds.acknowledgeAlert, label: 'Acknowledge', value: alert.id })],
    },
    reader,
  );
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
  const what = verdict.replaceAll('*', '');
  const lines = [what, alertPlace(elsewhere, names)];
  return shortMessage({ text: `${state}: ${what}`, lines, notes: [state] }, reader);
}

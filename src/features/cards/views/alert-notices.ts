import type { Answer } from '../../../answers/answer.ts';
import { clip, type Reader } from '../../../answers/message.ts';
import { forMembers, joined, type Text } from '../../../answers/text.ts';
import type { Alert } from '../../alerts/alert.ts';
import { watchActionIds } from '../../polling/action-ids.ts';
import { titleAtStart, vesselsTitle } from '../../polling/watch-list.ts';
import { stamp } from '../../rules/event-text.ts';
import { alertInWords, eventInWords, type WatchNames } from '../../rules/event-words.ts';

type Names = Pick<WatchNames, 'nameOf' | 'referencesOf'>;

/** An alert away from its thread. */
export interface AlertElsewhere {
  alert: Alert;
  /** The watch's title. */
  title: string;
  channelId: string;
  /** Slack's link to the message that shows it. */
  url?: string | undefined;
}

/** `🔴 DS CYPRESS: Rotterdam → Antwerp, 80%` in bold, ` (was 82%) and 2 more changes`, and its figures below. */
export function alertElsewhere(
  alerts: readonly Pick<Alert, 'events'>[],
  title: string,
  { names, now, withFigures = true }: { names: Names; now: Date; withFigures?: boolean },
): { strong: Text; rest: string; lines: readonly string[] } {
  const [first, ...others] = alerts.flatMap(({ events }) => events);
  if (!first) return { strong: title, rest: '', lines: [] };
  const words = eventInWords(first, names, now);
  const { rest, ...alert } = alertInWords(
    withFigures ? words : { ...words, figures: [] },
    words.vessel ?? clip(titleAtStart(title), 100),
  );
  const changes = others.length === 1 ? 'change' : 'changes';
  return { ...alert, rest: others.length === 0 ? rest : `${rest} and ${others.length} more ${changes}` };
}

/** `fleet NORTH in #ops · Open the thread`. Names the watch unless it is of the vessel itself. */
export function alertPlace(
  { alert, title, channelId, url }: AlertElsewhere,
  { nameOf }: Pick<WatchNames, 'nameOf'>,
  /** For the beginning of a line. */
  { isFirst = false } = {},
): Text {
  const [imo] = alert.events.flatMap((event) => ('imo' in event ? [event.imo] : []));
  const isNamed = imo === undefined || title === vesselsTitle([imo], { nameOf });
  return joined([
    [isNamed ? (isFirst ? 'In ' : 'in ') : `${clip(title, 60)} in `, { channel: channelId }],
    ...threadLink({ url }),
  ]);
}

/** In the small print, so that no notification has it. */
const threadLink = ({ url }: Pick<AlertElsewhere, 'url'>): Text[] =>
  url === undefined ? [] : [{ link: url, label: 'Open the thread' }];

interface Assignment {
  alerts: readonly Alert[];
  title: string;
  assigneeId: string;
  /** The assignee has assigned them to themselves. */
  isOwnChoice: boolean;
  /** Who has assigned them. */
  byName: string;
}

/**
 * A reply in the thread. People of other organisations see no names, except the mention without which nobody would be
 * notified.
 */
export function assignmentAnswer(
  { alerts, title, assigneeId, isOwnChoice, byName }: Assignment,
  names: Names,
  { now }: Pick<Reader, 'now'>,
): Answer {
  const { strong, rest, lines } = alertElsewhere(alerts, title, { names, now, withFigures: false });
  const what = joined([[strong, rest], ...lines]);
  if (isOwnChoice) {
    const taken = forMembers(`${byName} takes this`, 'Taken');
    return { verdict: { strong: '', rest: [taken, ': ', what] } };
  }
  return {
    verdict: { strong: '', rest: [{ person: assigneeId }, ', please take this: ', what] },
    notes: [forMembers(`Assigned by ${byName}`)],
  };
}

/** A direct message to the assignee. `byName`: who has assigned it. */
export function reminderAnswer(
  elsewhere: AlertElsewhere & { byName: string },
  names: Names,
  { now }: Pick<Reader, 'now'>,
): Answer {
  const { alert, title, byName } = elsewhere;
  const { strong, rest, lines } = alertElsewhere([alert], title, { names, now });
  const assigned = alert.assignment ? `, ${stamp(alert.assignment.at, now)}` : '';
  return {
    verdict: {
      strong: [{ inNotification: 'Not acknowledged yet: ' }, strong],
      rest,
      lines: [...lines, alertPlace({ ...elsewhere, url: undefined }, names, { isFirst: true })],
    },
    notes: [
      ...threadLink(elsewhere),
      `Assigned to you by ${byName}${assigned}`,
      'nobody has acknowledged it yet',
    ],
    actions: {
      runs: [{ label: 'Acknowledge', press: watchActionIds.acknowledgeAlert, value: alert.id }],
    },
  };
}

/** Replaces a reminder, and is the answer on the Home tab. `byName`: the first to acknowledge it. */
export function acknowledgedAnswer(
  elsewhere: AlertElsewhere & { byName: string },
  names: Names,
  { now }: Pick<Reader, 'now'>,
): Answer {
  const { alert, title, byName } = elsewhere;
  const { strong, rest } = alertElsewhere([alert], title, { names, now });
  const state = `Acknowledged by ${byName}, ${stamp(alert.acknowledgement?.at ?? now, now)}`;
  return {
    verdict: {
      strong: '',
      rest: [{ inNotification: `${state}: ` }, strong, rest],
      lines: [alertPlace(elsewhere, names)],
    },
    notes: [state],
  };
}

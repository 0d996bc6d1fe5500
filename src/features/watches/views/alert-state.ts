import type { Reader } from '../../../messages/message.ts';
import { escaped } from '../../../messages/mrkdwn.ts';
import { stamp } from './event-text.ts';

/** What became of the alerts that a message shows. Names are not escaped. */
export interface ShownAlertState {
  total: number;
  /** Those that nobody has acknowledged. */
  open: number;
  /** The last to acknowledge one. */
  acknowledged?: { name: string; at: Date };
  assignee?: string;
}

/** `Acknowledged by Ann, Mon 23 Nov 09:12 UTC`, escaped. People of other organisations see no names. */
export function stateNotes(
  { total, open, acknowledged, assignee }: ShownAlertState,
  { now, audience }: Pick<Reader, 'now' | 'audience'>,
): string[] {
  const showsNames = audience !== 'outside';
  if (acknowledged && open === 0) {
    const by = showsNames ? ` by ${escaped(acknowledged.name)}` : '';
    return [`Acknowledged${by}, ${stamp(acknowledged.at, now)}`];
  }
  return [
    ...(assignee === undefined ? [] : [showsNames ? `Assigned to ${escaped(assignee)}` : 'Assigned']),
    ...(open < total ? [`${total - open} of ${total} acknowledged`] : []),
  ];
}

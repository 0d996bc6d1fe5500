import type { Button, Overflow } from '@slack/types';
import type { Reader } from '../../../answers/message.ts';
import { actionIds, button, escaped, formActionId, overflow } from '../../../answers/slack/blocks.ts';
import type { Locode } from '../../../reference/codes.ts';
import { portName } from '../../../reference/ports.ts';
import { stamp } from '../../rules/event-text.ts';
import type { WatchEvent } from '../../rules/list.ts';
import { watchActionIds } from '../action-ids.ts';

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

/** None once everything is acknowledged. `messageId`: the outbox id of the message that shows the alerts. */
export const acknowledgeButton = ({ open }: ShownAlertState, messageId: string): Button[] =>
  open === 0
    ? []
    : [button({ id: watchActionIds.acknowledgeMessage, label: 'Acknowledge', value: messageId })];

/** [Acknowledge] [Assign …], while something is open. */
export function stateButtons(
  state: ShownAlertState,
  { messageId, isShared }: { messageId: string; isShared: boolean },
): Button[] {
  const isAssignable = isShared && state.open > 0;
  const label = state.assignee === undefined ? 'Assign …' : 'Reassign …';
  const assign = button({ id: formActionId('assign'), label, value: JSON.stringify({ messageId }) });
  return [...acknowledgeButton(state, messageId), ...(isAssignable ? [assign] : [])];
}

/** [History] [⋯ Next ports, Who is coming to the port], if the events are about one vessel. */
export function eventButtons(events: readonly WatchEvent[]): (Button | Overflow)[] {
  const [imo, ...otherImos] = new Set(events.flatMap((event) => ('imo' in event ? [event.imo] : [])));
  if (imo === undefined || otherImos.length > 0) return [];
  const [port] = events.flatMap(portIn);
  const history = button({ id: actionIds.apart(0), label: 'History', value: `nextport ${imo} history` });
  if (port === undefined) return [history];
  const menu = overflow(actionIds.apartMenu, [
    { label: `Who is coming to ${portName(port)}`, value: `portcalls ${port}` },
    { label: 'All next ports', value: `nextport ${imo}` },
  ]);
  return [history, menu];
}

/** The port that the vessel is coming to according to the event, or was before. */
function portIn(event: WatchEvent): Locode[] {
  const prospect =
    ('next' in event && event.next) || ('now' in event && event.now) || ('was' in event && event.was);
  return prospect ? [prospect.port] : [];
}

import {
  type Answer,
  type AnswerButton,
  callsAt,
  copyForCustomer,
  historyOf,
  nextPortsOf,
  type Section,
  type Verdict,
} from '../../../answers/answer.ts';
import { counted, referenceNote, referencesInCell } from '../../../answers/formatting/words.ts';
import * as kinds from '../../../answers/kinds.ts';
import { clip, type Reader } from '../../../answers/message.ts';
import { table } from '../../../answers/table.ts';
import { forMembers, joined, type Text } from '../../../answers/text.ts';
import type { Locode } from '../../../reference/codes.ts';
import { portName } from '../../../reference/ports.ts';
import type { Alert } from '../../alerts/index.ts';
import { titleAtStart, vesselsTitle, watchActionIds } from '../../polling/index.ts';
import {
  alertInWords,
  type EventWords,
  eventInWords,
  stamp,
  type VesselNames,
  type WatchEvent,
} from '../../rules/index.ts';

/** What became of the alerts that a message shows. */
export interface ShownAlertState {
  total: number;
  /** Those that nobody has acknowledged. */
  open: number;
  /** The last to acknowledge one. */
  acknowledged?: { name: string; at: Date };
  assignee?: string;
}

interface Shown {
  /** The outbox id of the message. */
  messageId: string;
  state: ShownAlertState;
  /** What else is to be known of the message, such as that it is late. */
  firstNotes?: readonly string[];
}

interface WatchReply extends Shown {
  title: string;
  events: readonly WatchEvent[];
  /** How many changes follow in further replies of the thread. */
  more?: number;
  /** In the thread of the card, which says what is watched. Otherwise in the channel too, or only there. */
  isInThread: boolean;
  /** The watch is of one vessel. */
  isOfOneVessel: boolean;
  /** Others than the owner read it, so it can be assigned to them. */
  isShared: boolean;
  /** Slack's link to the card, if that isn't the first message of its thread. */
  cardUrl?: string | undefined;
}

/** A change of a vessel, or of what its watch is called; with a link to its thread. */
interface Change extends EventWords {
  name: string;
  url?: string | undefined;
}

/** From this many changes on, those of one vessel are a table too. */
const minOfVesselInTable = 4;

/** An alert: the events of one poll, or of several if Slack took them late. */
export function replyAnswer(reply: WatchReply, names: VesselNames, { now }: Pick<Reader, 'now'>): Answer {
  const { messageId, title, events, more = 0, isInThread, isOfOneVessel, isShared, state, cardUrl } = reply;
  const all = events.map((event): Change => {
    const words = eventInWords(event, names, now);
    return { ...words, name: words.vessel ?? clip(titleAtStart(title), 150) };
  });
  const isNamedAbove = isInThread && isOfOneVessel;
  const isOfOne = new Set(all.map(({ name }) => name)).size === 1;
  const isOfSeveral = !isNamedAbove && !isOfOne;
  const isTable = isOfSeveral || all.length >= minOfVesselInTable;
  return {
    ...(isTable
      ? tableOf(all, { isNamedAbove, title: isInThread ? undefined : title })
      : { verdict: verdictOf(all, isNamedAbove) }),
    firstNotes: [
      ...(more > 0 ? [`${counted(more, 'more change follows', 'more changes follow')} in this thread`] : []),
      ...stateNotes(state, now),
      ...(reply.firstNotes ?? []),
    ],
    notes: cardUrl === undefined ? [] : [{ link: cardUrl, label: 'Its card' }],
    actions: {
      isLasting: true,
      about: isOfOne ? all[0]?.name : title,
      ...eventActions(events, [
        ...acknowledgeButton(state, messageId),
        ...(isShared ? assignButton(state, messageId) : []),
      ]),
    },
  };
}

/** One below the other. Several changes of a vessel name its references once. */
function verdictOf(all: readonly Change[], isNamedAbove: boolean): Verdict {
  const first = new Map(all.toReversed().map((change) => [change.vessel, change]));
  const [{ strong, rest, lines } = nothing, ...others] = all.map((change) => {
    const references = first.get(change.vessel) === change ? change.references : [];
    return alertInWords({ ...change, references }, isNamedAbove ? { known: change.name } : change.name);
  });
  const below = others.flatMap((other) => [[{ strong: other.strong }, other.rest], ...other.lines]);
  return { strong, rest, lines: [...lines, ...below] };
}

const nothing = { strong: '', rest: '', lines: [] };

function tableOf(
  all: readonly Change[],
  { isNamedAbove, title }: { isNamedAbove: boolean; title: string | undefined },
): Pick<Answer, 'verdict' | 'sections'> {
  const attention = all.filter(needsAttention);
  const routine = all.filter((change) => !needsAttention(change));
  // A table of one row reads worse than the alert.
  return attention.length === 1
    ? { verdict: verdictOf(attention, isNamedAbove), sections: routineSection(routine) }
    : { verdict: verdictOfSeveral(all, title), sections: changeSections(attention, routine) };
}

const needsAttention = ({ marker }: EventWords): boolean => marker !== '⚪';

/** `🔴 2 need attention · 6 routine`. `title`: what is watched, unless the card says so. */
function verdictOfSeveral(all: readonly EventWords[], title?: string): Verdict {
  const attention = all.filter(needsAttention).length;
  const routine = all.length - attention;
  const name = title === undefined ? '' : `${clip(titleAtStart(title), 150)}: `;
  if (attention === 0) return { strong: `⚪ ${name}${counted(routine, 'routine change')}` };
  const worst = all.some(({ marker }) => marker === '🔴') ? '🔴' : '🟠';
  return {
    strong: `${worst} ${name}${attention.toLocaleString('en')} ${attention === 1 ? 'needs' : 'need'} attention`,
    rest: routine > 0 ? ` · ${routine.toLocaleString('en')} routine` : '',
  };
}

/** A table of the changes that need attention, and the routine ones below it, which open with a click. */
const changeSections = (attention: readonly Change[], routine: readonly Change[]): Section[] =>
  attention.length === 0 ? tableSections(routine) : [...tableSections(attention), ...routineSection(routine)];

function routineSection(routine: readonly Change[]): Section[] {
  const title = counted(routine.length, 'routine change');
  return routine.length === 0
    ? []
    : [{ kind: 'details', title, sections: tableSections(routine, maxRoutineRows) }];
}

// Together they leave room for the rest of a message.
const maxRows = 25;
const maxRoutineRows = 12;

function tableSections(rows: readonly Change[], max = maxRows) {
  const rest = rows.length - max;
  const lines = rest > 0 ? [`… and ${rest} more, each in its thread`] : [];
  return [
    changesTable.of({ caption: 'Changes', rows, shown: rows.slice(0, max), inWords: changeInWords }),
    { kind: 'text' as const, lines },
  ];
}

/** As the alert itself says it, so that a notification has all of it. */
function changeInWords(change: Change): Text {
  const { name, figures = [], references, url } = change;
  const { strong, rest } = alertInWords(change, name);
  const details = [...figures, ...referenceNote(references)].map((detail) => ` · ${detail}`);
  return [strong, rest, ...details, ...(url === undefined ? [] : [' · ', { link: url, label: 'Thread' }])];
}

const changesTable = table<Change>({
  name: 'changes',
  about: 'A change',
  columns: {
    vessel: kinds.shown('Vessel', ({ name, url }) => ({
      text: url === undefined ? name : { link: url, label: name },
    })),
    what: kinds.shown('What', ({ marker, what }) => `${marker} ${what}`),
    change: kinds.shown('Was → Now', ({ change = '' }) => change),
    eta: kinds.shown('ETA', ({ eta = '' }) => eta),
    references: kinds.shown('Ref', ({ references }) => ({ text: referencesInCell(references) }), {
      membersOnly: true,
    }),
  },
});

interface WatchSummary extends Shown {
  items: readonly WatchSummaryItem[];
}

export interface WatchSummaryItem extends Pick<WatchReply, 'title' | 'events' | 'more'> {
  watchId: string;
  /** Slack's link to the message in the watch's thread. */
  url?: string;
}

/** Many watches of one channel in one message, each change with a link to its thread. */
export function summaryAnswer(
  { messageId, items, state, firstNotes = [] }: WatchSummary,
  names: VesselNames,
  { now }: Pick<Reader, 'now'>,
): Answer {
  const all = items.flatMap(({ title, events, url }) =>
    events.map((event): Change => {
      const words = eventInWords(event, names, now);
      return { ...words, name: words.vessel ?? clip(titleAtStart(title), 80), url };
    }),
  );
  const more = items.reduce((sum, item) => sum + (item.more ?? 0), 0);
  const watches = counted(new Set(items.map(({ watchId }) => watchId)).size, 'watch', 'watches');
  return {
    verdict: verdictOfSeveral(all),
    sections: changeSections(
      all.filter(needsAttention),
      all.filter((change) => !needsAttention(change)),
    ),
    firstNotes: [...stateNotes(state, now), ...firstNotes],
    notes: [
      `${watches}, each with its thread in this channel`,
      ...(more > 0 ? [`${more} more in the threads`] : []),
    ],
    actions: { isLasting: true, about: watches, runs: acknowledgeButton(state, messageId) },
  };
}

/** `Acknowledged by Ann, Mon 23 Nov 09:12 UTC`. */
function stateNotes({ total, open, acknowledged, assignee }: ShownAlertState, now: Date): Text[] {
  if (acknowledged && open === 0)
    return [['Acknowledged', forMembers(` by ${acknowledged.name}`), `, ${stamp(acknowledged.at, now)}`]];
  return [
    ...(assignee === undefined ? [] : [['Assigned', forMembers(` to ${assignee}`)]]),
    ...(open < total ? [`${total - open} of ${total} acknowledged`] : []),
  ];
}

/** None once everything is acknowledged. */
const acknowledgeButton = ({ open }: ShownAlertState, messageId: string): AnswerButton[] =>
  open === 0 ? [] : [{ label: 'Acknowledge', press: watchActionIds.acknowledgeMessage, value: messageId }];

const assignButton = ({ open, assignee }: ShownAlertState, messageId: string): AnswerButton[] =>
  open === 0
    ? []
    : [
        {
          label: assignee === undefined ? 'Assign …' : 'Reassign …',
          form: 'assign',
          target: { messageId },
          isForAll: true,
        },
      ];

/** [History] [⋯ Copy for the customer, Who is coming to the port, All next ports], if the events are about one vessel. */
function eventActions(events: readonly WatchEvent[], before: readonly AnswerButton[]): Answer['actions'] {
  const [imo, ...otherImos] = new Set(events.flatMap((event) => ('imo' in event ? [event.imo] : [])));
  if (imo === undefined || otherImos.length > 0) return { runs: before };
  const [port] = events.flatMap(portIn);
  const [was] = events.flatMap((event) => ('was' in event && event.was) || []);
  const former = was && { was: { port: was.port, eta: was.eta?.toISOString() ?? null } };
  return {
    runs: [...before, { label: 'History', intent: historyOf(imo) }],
    more:
      port === undefined
        ? []
        : [
            copyForCustomer({ imo, ...former }),
            { label: `Who is coming to ${portName(port)}`, intent: callsAt(port) },
            { label: 'All next ports', intent: nextPortsOf(imo) },
          ],
  };
}

/** The port that the vessel is coming to according to the event, or was before. */
function portIn(event: WatchEvent): Locode[] {
  const prospect =
    ('next' in event && event.next) || ('now' in event && event.now) || ('was' in event && event.was);
  return prospect ? [prospect.port] : [];
}

/** An alert away from its thread. */
export interface AlertElsewhere {
  alert: Alert;
  /** The watch's title. */
  title: string;
  channelId: string;
  isPersonal: boolean;
  /** Slack's link to the message that shows it. */
  url?: string | undefined;
}

/** `🔴 DS CYPRESS: Rotterdam → Antwerp, 80%` in bold, ` (was 82%) and 2 more changes`, and its figures below. */
export function alertElsewhere(
  alerts: readonly Pick<Alert, 'events'>[],
  title: string,
  { names, now, withFigures = true }: { names: VesselNames; now: Date; withFigures?: boolean },
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
  { alert, title, channelId, isPersonal, url }: AlertElsewhere,
  { nameOf }: Pick<VesselNames, 'nameOf'>,
  /** For the beginning of a line. */
  { isFirst = false } = {},
): Text {
  const [imo] = alert.events.flatMap((event) => ('imo' in event ? [event.imo] : []));
  const isNamed = imo === undefined || title === vesselsTitle([imo], { nameOf });
  return joined([
    [
      isNamed ? (isFirst ? 'In ' : 'in ') : `${clip(title, 60)} in `,
      isPersonal ? 'a direct message' : { channel: channelId },
    ],
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
  names: VesselNames,
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
  names: VesselNames,
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
      about: title,
      runs: [{ label: 'Acknowledge', press: watchActionIds.acknowledgeAlert, value: alert.id }],
    },
  };
}

/** Replaces a reminder, and is the answer on the Home tab. `byName`: the first to acknowledge it. */
export function acknowledgedAnswer(
  elsewhere: AlertElsewhere & { byName: string },
  names: VesselNames,
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

import { counted } from '../../../answers/formatting/words.ts';
import {
  blocksOf,
  clip,
  joinWithin,
  type Message,
  type Piece,
  type Reader,
} from '../../../answers/message.ts';
import { inventedNotes, inventedSuffix, smallPrint } from '../../../answers/slack/answer-message.ts';
import { actions, context, escaped, link, sections } from '../../../answers/slack/blocks.ts';
import {
  alertLines,
  alertText,
  type EventWords,
  eventInWords,
  type WatchNames,
} from '../../rules/event-words.ts';
import type { WatchEvent } from '../../rules/list.ts';
import { titleAtStart } from '../store/watch-list.ts';
import {
  acknowledgeButton,
  eventButtons,
  type ShownAlertState,
  stateButtons,
  stateNotes,
} from './alert-state.ts';
import { changesBody, needsAttention, verdictOfSeveral } from './changes-table.ts';
import { maxListText } from './short-message.ts';

interface WatchReply {
  /** Its outbox id. */
  messageId: string;
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
  state: ShownAlertState;
  /** Slack's link to the card, if that isn't the first message of its thread. */
  cardUrl?: string | undefined;
}

/** From this many changes on, those of one vessel are a table too. */
const minOfVesselInTable = 4;

/** An alert: the events of one poll, or of several if Slack took them late. */
export function watchReplyView(reply: WatchReply, names: WatchNames, reader: Reader): Message {
  const { messageId, events, title, more = 0, isInThread, isOfOneVessel, isShared, state } = reply;
  const all = events.map((event) => eventInWords(event, names, reader.now));
  const isNamedAbove = isInThread && isOfOneVessel;
  const titleShown = clip(titleAtStart(title), 150);
  const nameOf = ({ vessel }: EventWords) => (isNamedAbove ? undefined : (vessel ?? titleShown));
  const moreFollow =
    more > 0 ? [`${counted(more, 'more change follows', 'more changes follow')} in this thread`] : [];
  const states = stateNotes(state, reader);
  const card = reply.cardUrl === undefined ? [] : [link(reply.cardUrl, 'Its card')];
  const notes = [...states, ...card, ...(isInThread ? [] : inventedNotes(reader))];
  const isTable = all.length >= minOfVesselInTable || new Set(all.map(nameOf)).size > 1;
  const heading = isTable ? [verdictOfSeveral(all, isInThread ? undefined : title)] : [];
  // A phone's notification shows only the text, so it names the vessel always.
  const once = withoutRepeatedReferences(all);
  const texts = once.map((words) => alertText(words, escaped(words.vessel ?? titleShown)));
  return {
    text: `${joinWithin([...heading.map(unmarked), ...texts, ...moreFollow, ...states], '. ', maxListText)}${isInThread ? '' : inventedSuffix(reader)}`,
    ...blocksOf([
      ...(isTable ? tableOf(all, { heading, nameOf, title }) : alerts(once, nameOf)),
      ...moreFollow.map(context),
      ...smallPrint(notes),
      ...actions([...stateButtons(state, { messageId, isShared }), ...eventButtons(events)]),
    ]),
  };
}

/** Several changes of a vessel name its references once. */
function withoutRepeatedReferences(all: readonly EventWords[]): EventWords[] {
  const first = new Map(all.toReversed().map((words) => [words.vessel, words]));
  return all.map((words) => (first.get(words.vessel) === words ? words : { ...words, references: [] }));
}

const unmarked = (mrkdwn: string): string => mrkdwn.replaceAll('*', '');

const alerts = (all: readonly EventWords[], nameOf: (words: EventWords) => string | undefined): Piece[] =>
  sections(all.map((words) => alertLines(words, nameOf(words)).join('\n')));

function tableOf(
  all: readonly EventWords[],
  {
    heading,
    nameOf,
    title,
  }: { heading: readonly string[]; nameOf: (words: EventWords) => string | undefined; title: string },
): Piece[] {
  const [first, ...others] = all.filter(needsAttention);
  const rows = all.map((words) => ({ ...words, name: words.vessel ?? titleAtStart(title) }));
  // A table of one row reads worse than the alert.
  const isOneToCheck = first !== undefined && others.length === 0;
  return [
    ...sections(isOneToCheck ? alertLines(first, nameOf(first)) : heading),
    ...changesBody(isOneToCheck ? rows.filter((row) => !needsAttention(row)) : rows, {
      isCollapsed: isOneToCheck,
    }),
  ];
}

interface WatchSummary extends Pick<WatchReply, 'messageId' | 'state'> {
  items: readonly WatchSummaryItem[];
}

export interface WatchSummaryItem extends Pick<WatchReply, 'title' | 'events' | 'more'> {
  watchId: string;
  /** Slack's link to the message in the watch's thread. */
  url?: string;
}

/** Many watches of one channel in one message, each change with a link to its thread. */
export function watchSummaryView(
  { messageId, items, state }: WatchSummary,
  names: WatchNames,
  reader: Reader,
): Message {
  const rows = items.flatMap(({ title, events, url }) =>
    events.map((event) => {
      const words = eventInWords(event, names, reader.now);
      return {
        ...words,
        name: words.vessel ?? clip(titleAtStart(title), 80),
        ...(url !== undefined && { url }),
      };
    }),
  );
  const heading = verdictOfSeveral(rows);
  const more = items.reduce((sum, item) => sum + (item.more ?? 0), 0);
  const texts = rows.map((row) => alertText(row, escaped(row.name)));
  const states = stateNotes(state, reader);
  const titles = items
    .filter(({ events }) => events.length === 0)
    .map(({ title }) => escaped(clip(titleAtStart(title), 80)));
  return {
    text: `${joinWithin([unmarked(heading), ...texts, ...titles, ...states], '. ', maxListText)}${inventedSuffix(reader)}`,
    ...blocksOf([
      ...sections([heading]),
      ...changesBody(rows),
      ...smallPrint([
        `${counted(new Set(items.map(({ watchId }) => watchId)).size, 'watch', 'watches')}, each with its thread in this channel`,
        ...(more > 0 ? [`${more} more in the threads`] : []),
        ...states,
        ...inventedNotes(reader),
      ]),
      ...actions(acknowledgeButton(state, messageId)),
    ]),
  };
}

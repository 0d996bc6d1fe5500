import { context, sections } from '../../../messages/blocks.ts';
import { inventedSuffix } from '../../../messages/frame/answer-message.ts';
import { clip, joinWithin, limits } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { escaped, link } from '../../../messages/mrkdwn.ts';
import type { WatchEvent } from '../rules/index.ts';
import { type EventWords, eventInWords, type WatchFrame } from './watch-events.ts';

interface WatchReply {
  events: readonly WatchEvent[];
  /** Changes that follow in further replies. */
  more?: number;
  /** Of the watch, for events that are about no vessel. */
  title: string;
  /** The message is in the thread of one vessel's card, where its name needs no repeating. */
  isNamedAbove: boolean;
}

/**
 * What has changed, against the baseline: a reply in the card's thread. Several events are one reply, as
 * many as the outbox puts into one.
 */
export function watchReplyView(
  { events, title, isNamedAbove, more = 0 }: WatchReply,
  frame: WatchFrame,
  reader: Reader,
): Message {
  const all = events.map((event) => eventInWords(event, frame, reader.now));
  const follow =
    more > 0 ? [`${counted(more, 'more change follows', 'more changes follow')} in this thread`] : [];
  return {
    text: `${[textOf(all, title), ...follow].join(' ')}${inventedSuffix(reader)}`,
    blocks: [
      ...sections(all.map((words) => paragraph(words, isNamedAbove))),
      ...follow.map((line) => context(`_${line}_`)),
      ...(reader.source === 'sandbox' ? [context('_invented data_')] : []),
    ],
  };
}

export interface WatchSummaryItem {
  title: string;
  events: readonly WatchEvent[];
  /** In the thread, beside these. */
  more?: number;
  /** Of the message in the watch's thread, as Slack gave it. */
  url?: string;
}

const itemsShown = 20;

/** Many watches of one channel in one message, each with a link to its thread. */
export function watchSummaryView(
  items: readonly WatchSummaryItem[],
  frame: WatchFrame,
  reader: Reader,
): Message {
  const lines = items.map((item) => summaryLine(item, frame, reader.now));
  const heading = counted(items.length, 'watch has news', 'watches have news');
  const rest = lines.length - itemsShown;
  return {
    text: `${joinWithin([`${heading}: ${lines[0]?.text ?? ''}`, ...lines.slice(1).map(({ text }) => text)], '; ', limits.messageText - 200)}${inventedSuffix(reader)}`,
    blocks: [
      ...sections([`*${heading}*`, ...lines.slice(0, itemsShown).map(({ shown }) => `• ${shown}`)]),
      ...sections(rest > 0 ? [`… and ${rest} more, each in its own thread in this channel`] : []),
      ...(reader.source === 'sandbox' ? [context('_invented data_')] : []),
    ],
  };
}

/** `*DS CYPRESS: next port …*; Rotterdam (NLRTM) 15%.` and its details below. */
function paragraph({ vessel, headline, rest, details }: EventWords, isNamedAbove: boolean): string {
  const name = isNamedAbove || vessel === undefined || headline.includes(vessel) ? '' : `${vessel}: `;
  return [`*${name}${headline}*${rest}`, ...details].join('\n');
}

const counted = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`;

function textOf(all: readonly EventWords[], title: string): string {
  const parts = all.map((words) => {
    const { vessel, headline, rest, details } = words;
    const name = vessel ?? escaped(clip(title, 150));
    const lead = headline.includes(name) ? headline : `${name}: ${lowered(words)}`;
    return `${lead}${rest}${details.map((detail) => ` ${detail}`).join('')}`;
  });
  return joinWithin(parts, ' ', limits.messageText - 200);
}

function summaryLine({ title, events, more = 0, url }: WatchSummaryItem, frame: WatchFrame, now: Date) {
  const name = clip(title, 80);
  const linked = url === undefined ? `*${escaped(name)}*` : `*${link(url, name)}*`;
  const words = events.map((event) => eventInWords(event, frame, now));
  const [first] = words;
  if (!first) return { text: escaped(name), shown: linked };
  const { vessel, headline } = first;
  const isOther = vessel !== undefined && vessel !== escaped(title) && !headline.includes(vessel);
  const what = `${isOther ? `${vessel}, ` : ''}${lowered(first)}${first.rest}`;
  const others = words.length - 1 + more;
  const rest = others > 0 ? ` And ${others} more in its thread.` : '';
  return { text: `${escaped(name)}: ${what}${rest}`, shown: `${linked}: ${what}${rest}` };
}

/** In the middle of a sentence. */
const lowered = ({ headline, startsWithName }: EventWords): string =>
  startsWithName ? headline : headline.charAt(0).toLowerCase() + headline.slice(1);

import { context, sections } from '../../../messages/blocks.ts';
import { vesselShort } from '../../../messages/formatting/vessel-label.ts';
import { counted } from '../../../messages/formatting/words.ts';
import { inventedSuffix } from '../../../messages/frame/answer-message.ts';
import { inventedNotes, smallPrint } from '../../../messages/frame/small-print.ts';
import { clip, joinWithin } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { escaped, link } from '../../../messages/mrkdwn.ts';
import { knownVessel } from '../../run-context.ts';
import type { WatchEvent } from '../rules/index.ts';
import { watchRules } from '../rules/registry.ts';
import type { EventText, EventTextContext } from './event-text.ts';
import { maxListText, shortMessage } from './short-message.ts';

/** The names that a watch's message needs, not escaped. */
export interface WatchNames extends Pick<EventTextContext, 'nameOf'> {
  ownerName?: string;
  acknowledgedBy?: string;
}

/** An event's text with its defaults filled in. */
export interface EventWords extends Required<EventText> {
  /** Undefined if the event isn't about a vessel. */
  vessel: string | undefined;
}

export function eventInWords(event: WatchEvent, names: WatchNames, now: Date): EventWords {
  const text = watchRules.ruleOf(event).view(event, { now, nameOf: names.nameOf });
  const vessel = 'imo' in event ? escaped(vesselShort(knownVessel(event.imo, names))) : undefined;
  return { vessel, startsWithName: false, rest: '.', details: [], isAboutEta: false, ...text };
}

interface WatchReply {
  title: string;
  events: readonly WatchEvent[];
  /** How many changes follow in further replies of the thread. */
  more?: number;
}

/** A reply in the card's thread. `isNamedAbove`: the card already names the vessel. */
export function watchReplyView(
  { events, title, isNamedAbove, more = 0 }: WatchReply & { isNamedAbove: boolean },
  names: WatchNames,
  reader: Reader,
): Message {
  const all = events.map((event) => eventInWords(event, names, reader.now));
  const moreFollow =
    more > 0 ? [`${counted(more, 'more change follows', 'more changes follow')} in this thread`] : [];
  return {
    text: `${[textOf(all, title), ...moreFollow].join(' ')}${inventedSuffix(reader)}`,
    blocks: [
      ...sections(all.map((words) => paragraph(words, isNamedAbove))),
      ...moreFollow.map((line) => context(`_${line}_`)),
      ...smallPrint(inventedNotes(reader)),
    ],
  };
}

export interface WatchSummaryItem extends WatchReply {
  /** Slack's link to the message in the watch's thread. */
  url?: string;
}

const maxItemsShown = 20;

/** Many watches of one channel in one message, each with a link to its thread. */
export function watchSummaryView(
  items: readonly WatchSummaryItem[],
  names: WatchNames,
  reader: Reader,
): Message {
  const lines = items.map((item) => summaryLine(item, names, reader.now));
  const texts = lines.map(({ text }) => text);
  const heading = counted(items.length, 'watch has news', 'watches have news');
  const rest = lines.length - maxItemsShown;
  return shortMessage(
    {
      text: `${heading}: ${joinWithin(texts, '; ', maxListText - heading.length)}`,
      lines: [
        `*${heading}*`,
        ...lines.slice(0, maxItemsShown).map(({ shown }) => `• ${shown}`),
        ...(rest > 0 ? [`… and ${rest} more, each in its own thread in this channel`] : []),
      ],
    },
    reader,
  );
}

/** `*DS CYPRESS: next port …*; Rotterdam (NLRTM) 15%.`, and its details below. */
function paragraph({ vessel, headline, rest, details }: EventWords, isNamedAbove: boolean): string {
  const name = isNamedAbove || vessel === undefined || headline.includes(vessel) ? '' : `${vessel}: `;
  return [`*${name}${headline}*${rest}`, ...details].join('\n');
}

function textOf(all: readonly EventWords[], title: string): string {
  const parts = all.map((words) => {
    const { vessel, headline, rest, details } = words;
    const name = vessel ?? escaped(clip(title, 150));
    const lead = headline.includes(name) ? headline : `${name}: ${withinSentence(words)}`;
    return [`${lead}${rest}`, ...details].join(' ');
  });
  return joinWithin(parts, ' ', maxListText);
}

function summaryLine({ title, events, more = 0, url }: WatchSummaryItem, names: WatchNames, now: Date) {
  const name = clip(title, 80);
  const linked = url === undefined ? `*${escaped(name)}*` : `*${link(url, name)}*`;
  const [first, ...others] = events.map((event) => eventInWords(event, names, now));
  if (!first) return { text: escaped(name), shown: linked };
  const { vessel, headline } = first;
  const isUnnamed = vessel !== undefined && vessel !== escaped(title) && !headline.includes(vessel);
  const count = others.length + more;
  const rest = count > 0 ? ` And ${count} more in its thread.` : '';
  const what = `${isUnnamed ? `${vessel}, ` : ''}${withinSentence(first)}${first.rest}${rest}`;
  return { text: `${escaped(name)}: ${what}`, shown: `${linked}: ${what}` };
}

const withinSentence = ({ headline, startsWithName }: EventWords): string =>
  startsWithName ? headline : headline.charAt(0).toLowerCase() + headline.slice(1);

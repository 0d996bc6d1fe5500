import { actions, context, sections } from '../../messages/blocks.ts';
import { utcTime, zonedTime } from '../../messages/formatting/times.ts';
import { counted } from '../../messages/formatting/words.ts';
import { lineButtons } from '../../messages/frame/answer-actions.ts';
import { pageButtons, shownNote } from '../../messages/frame/paging.ts';
import { smallPrint } from '../../messages/frame/small-print.ts';
import { clip, joinWithin, limits, type PageNumbers, paged } from '../../messages/limits.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { channelMention, escaped, personMention } from '../../messages/mrkdwn.ts';
import { changeDetails, changeInWords, type Detail, type Item, type ShownChange } from './change-words.ts';

export type AuditAnswer = AuditListAnswer | AuditEntryAnswer;

export interface AuditListAnswer extends PageNumbers {
  kind: 'audit';
  line: string;
  /** Only the changes in this channel. */
  channelId?: string;
  /** Only the changes by this person. */
  actorId?: string;
  changes: readonly ShownChange[];
}

interface AuditEntryAnswer {
  kind: 'audit-entry';
  line: string;
  page: number;
  change: ShownChange;
}

export const changesPerPage = 10;
const itemsPerPage = 15;
const maxText = limits.messageText - 100;

/** Maximum characters in the list, before escaping, which can make them five times as many. `side`: all items of one. */
const listLimits = { subject: 60, label: 20, item: 60, side: 160, details: 350 };
const unlimited = { ...listLimits, item: Infinity, side: Infinity, details: Infinity };

/** Who changed what and when, newest first. Only for admins. */
export function auditView(answer: AuditListAnswer, reader: Reader): Message {
  const { line, total, changes } = answer;
  const filter = filterInWords(answer);
  if (total === 0) return noChanges(filter);
  const heading = `${counted(total, 'change')}${filter}`;
  const entries = changes.map((change, index) => {
    const details = changeDetails(change, reader.now);
    const brief = detailsInWords(details, listLimits);
    return {
      id: change.id,
      number: (answer.page - 1) * changesPerPage + index + 1,
      head: headOf(change, reader),
      brief,
      isComplete: brief === detailsInWords(details, unlimited),
    };
  });
  const showInFull = entries
    .filter(({ isComplete }) => !isComplete)
    .map(({ id, number }) => ({ label: `Show ${number} in full`, line: `landfall audit entry ${id}` }));
  const notes = ['newest first', ...shownNote(answer, changesPerPage)];
  return {
    text: joinWithin([`${heading}, newest first`, ...entries.map(({ head }) => head)], '; ', maxText),
    blocks: [
      ...sections([
        `*${heading}*`,
        ...entries.map(
          ({ number, head, brief }) => `*${number}* ${head}${brief === '' ? '' : `\n      ${brief}`}`,
        ),
      ]),
      ...smallPrint(notes),
      ...actions(lineButtons([...pageButtons(line, answer, changesPerPage), ...showInFull])),
    ],
  };
}

export function auditEntryView({ line, page: number, change }: AuditEntryAnswer, reader: Reader): Message {
  const page = paged(itemLines(changeDetails(change, reader.now)), number, itemsPerPage);
  const head = headOf(change, reader);
  const notes = shownNote(page, itemsPerPage);
  const buttons = [
    ...pageButtons(line, page, itemsPerPage),
    { label: 'All changes', line: 'landfall audit' },
  ];
  return {
    text: joinWithin([head, ...page.items], '; ', maxText),
    blocks: [
      ...sections([`*${head}*`, ...page.items]),
      ...smallPrint(notes),
      ...actions(lineButtons(buttons)),
    ],
  };
}

function noChanges(filter: string): Message {
  const text = `No changes${filter} yet`;
  const note = 'of watches, digests, names, fleets, settings and tokens will be listed here';
  return {
    text: `${text}: changes ${note}`,
    blocks: [...sections([`*${text}*`]), context(`Changes ${note}`)],
  };
}

function filterInWords({ channelId, actorId }: AuditListAnswer): string {
  const by = actorId === undefined ? '' : ` by ${personMention(actorId)}`;
  return `${placeOf(channelId)}${by}`;
}

const placeOf = (channelId: string | undefined): string =>
  channelId === undefined ? '' : ` in ${channelMention(channelId)}`;

/** `Sat 21 Nov 10:05 (09:05 UTC) · Ada stopped the watch of DS CYPRESS in #ops`, escaped. */
function headOf({ subject, ...change }: ShownChange, { now, zone }: Reader): string {
  const { at, actorId, channelId } = change;
  const when = zone === 'UTC' ? utcTime(at, now) : `${zonedTime(at, zone, now)} (${utcTime(at, at)})`;
  // The bot itself names the vessels of the sandbox.
  const who = actorId === 'landfall' ? 'Landfall' : personMention(actorId);
  const what = escaped(changeInWords({ ...change, subject: clip(subject, listLimits.subject) }));
  return `${when} · ${who} ${what}${placeOf(channelId)}`;
}

/** `owner: Ada → Ben · rules: …`, escaped: each detail with its sides, before and after the change. */
function detailsInWords(details: readonly Detail[], max: typeof listLimits): string {
  const itemInWords = (item: Item) =>
    typeof item === 'string' ? escaped(clip(item, max.item)) : personMention(item.person);
  const side = (items: readonly Item[] | undefined) =>
    items && (joinWithin(items.map(itemInWords), ', ', max.side) || 'nothing');
  const parts = details.map(({ label, before, after }) => {
    const sides = [side(before), side(after)].filter((words) => words !== undefined);
    return `${escaped(clip(label, max.label))}: ${sides.join(' → ')}`;
  });
  return joinWithin(parts, ' · ', max.details);
}

/** A line for each item, escaped. A long item takes several lines. */
function itemLines(details: readonly Detail[]): string[] {
  const side = (label: string, word: string, items: readonly Item[] = []) =>
    items.flatMap(piecesOf).map((piece) => `${escaped(clip(label, listLimits.label))}, ${word}: ${piece}`);
  return details.flatMap(({ label, before, after }) => [
    ...side(label, 'before', before),
    ...side(label, 'after', after),
  ]);
}

/** In characters. A page of such pieces fits into a message, even if every character is escaped. */
const pieceLength = 100;

function piecesOf(item: Item): string[] {
  if (typeof item !== 'string') return [personMention(item.person)];
  const letters = [...item];
  const count = Math.max(1, Math.ceil(letters.length / pieceLength));
  return Array.from({ length: count }, (_, index) =>
    escaped(letters.slice(index * pieceLength, (index + 1) * pieceLength).join('')),
  );
}

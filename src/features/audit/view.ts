import { actions, context, sections } from '../../messages/blocks.ts';
import { utcTime, zonedTime } from '../../messages/formatting/times.ts';
import { lineButtons } from '../../messages/frame/answer-actions.ts';
import { pageButtons, shownNote } from '../../messages/frame/paging.ts';
import { clip, joinWithin, limits, type Page, paged } from '../../messages/limits.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { channelMention, escaped, personMention } from '../../messages/mrkdwn.ts';
import { changeDetails, changeInWords, type Detail, type Item, type ShownChange } from './change-words.ts';

export type AuditAnswer = AuditListAnswer | AuditEntryAnswer;

export interface AuditListAnswer {
  kind: 'audit';
  line: string;
  /** Of one channel, by one person. */
  channelId?: string;
  actorId?: string;
  page: number;
  /** Of all pages. */
  total: number;
  changes: readonly ShownChange[];
}

/** One change with all that was stored of it. */
interface AuditEntryAnswer {
  kind: 'audit-entry';
  line: string;
  page: number;
  change: ShownChange;
}

export const changesPerPage = 10;
const itemsPerPage = 15;
/** Of an entry in the list: escaping may make its words five times as long. */
const longest = { subject: 60, label: 20, item: 60, side: 160, details: 350 };

/** For admins: who changed what and when, newest first. Private: it names people. */
export function auditView(answer: AuditListAnswer, reader: Reader): Message {
  const { line, total, changes } = answer;
  if (total === 0) return noChanges(answer);
  const from = (answer.page - 1) * changesPerPage;
  const page: Page<ShownChange> = {
    items: changes,
    page: answer.page,
    pages: Math.ceil(total / changesPerPage),
    total,
    after: total - from - changes.length,
  };
  const heading = `${total.toLocaleString('en')} ${total === 1 ? 'change' : 'changes'}${of(answer)}`;
  const entries = changes.map((change, index) => ({
    change,
    number: from + index + 1,
    ...briefDetails(changeDetails(change, reader.now)),
  }));
  const notes = ['newest first', ...shownNote(page, changesPerPage)];
  return {
    text: joinWithin(
      [`${heading}, newest first`, ...changes.map((change) => headOf(change, reader))],
      '; ',
      limits.messageText - 100,
    ),
    blocks: [
      ...sections([
        `*${heading}*`,
        ...entries.map(({ change, number, brief }) =>
          [`*${number}* ${headOf(change, reader)}`, ...(brief === '' ? [] : [`      ${brief}`])].join('\n'),
        ),
      ]),
      context(`_${notes.join(' · ')}_`),
      ...actions(
        lineButtons([
          ...pageButtons(line, page, changesPerPage),
          ...entries
            .filter(({ isWhole }) => !isWhole)
            .map(({ change, number }) => ({
              label: `Show ${number} in full`,
              line: `landfall audit entry ${change.id}`,
            })),
        ]),
      ),
    ],
  };
}

export function auditEntryView({ line, page: asked, change }: AuditEntryAnswer, reader: Reader): Message {
  const page = paged(wholeDetails(changeDetails(change, reader.now)), asked, itemsPerPage);
  const head = headOf(change, reader);
  const notes = shownNote(page, itemsPerPage);
  return {
    text: joinWithin([head, ...page.items], '; ', limits.messageText - 100),
    blocks: [
      ...sections([`*${head}*`, ...page.items]),
      ...(notes.length > 0 ? [context(`_${notes.join(' · ')}_`)] : []),
      ...actions(
        lineButtons([
          ...pageButtons(line, page, itemsPerPage),
          { label: 'All changes', line: 'landfall audit' },
        ]),
      ),
    ],
  };
}

function noChanges(answer: AuditListAnswer): Message {
  const text = `No changes${of(answer)} yet`;
  return {
    text: `${text}: changes of watches, digests, names, fleets and settings will be listed here`,
    blocks: [
      ...sections([`*${text}*`]),
      context('_Changes of watches, digests, names, fleets and settings will be listed here_'),
    ],
  };
}

function of({ channelId, actorId }: Pick<AuditListAnswer, 'channelId' | 'actorId'>): string {
  return [
    ...(channelId === undefined ? [] : [` in ${channelMention(channelId)}`]),
    ...(actorId === undefined ? [] : [` by ${personMention(actorId)}`]),
  ].join('');
}

/** `Sat 21 Nov 10:05 (09:05 UTC) · Ada stopped the watch of DS CYPRESS in #ops`, escaped. */
function headOf({ subject, ...change }: ShownChange, { now, zone }: Reader): string {
  const { at, actorId, channelId } = change;
  const when = zone === 'UTC' ? utcTime(at, now) : `${zonedTime(at, zone, now)} (${utcTime(at, at)})`;
  const who = actorId === 'landfall' ? 'Landfall' : personMention(actorId);
  const what = escaped(changeInWords({ ...change, subject: clip(subject, longest.subject) }));
  return `${when} · ${who} ${what}${placeOf(channelId)}`;
}

function placeOf(channelId: string | undefined): string {
  return channelId === undefined ? '' : ` in ${channelMention(channelId)}`;
}

/** What fits into the list, and whether that is all. */
function briefDetails(details: readonly Detail[]): { brief: string; isWhole: boolean } {
  const items = details.flatMap(({ before = [], after = [] }) => [...before, ...after]);
  const parts = details.map((detail) => `${escaped(clip(detail.label, longest.label))}: ${arrow(detail)}`);
  const brief = joinWithin(parts, ' · ', longest.details);
  const isWhole =
    brief === parts.join(' · ') &&
    items.every((item) => typeof item !== 'string' || item.length <= longest.item) &&
    details.every(({ before = [], after = [] }) => [before, after].every(fits));
  return { brief, isWhole };
}

function arrow({ before, after }: Detail): string {
  const [was, is] = [before, after].map(
    (items) => items && (joinWithin(items.map(briefItem), ', ', longest.side) || 'nothing'),
  );
  if (was === undefined || is === undefined) return was ?? is ?? '';
  return `${was} → ${is}`;
}

const fits = (items: readonly Item[]): boolean => {
  const whole = items.map(briefItem).join(', ');
  return joinWithin(items.map(briefItem), ', ', longest.side) === whole;
};

const briefItem = (item: Item): string =>
  typeof item === 'string' ? escaped(clip(item, longest.item)) : personMention(item.person);

/** A line for each item, escaped; a long one in several, none of them cut. */
function wholeDetails(details: readonly Detail[]): string[] {
  const side = (label: string, word: string, items: readonly Item[] | undefined) =>
    (items ?? []).flatMap((item) =>
      piecesOf(item).map((piece) => `${escaped(clip(label, longest.label))}, ${word}: ${piece}`),
    );
  return details.flatMap(({ label, before, after }) => [
    ...side(label, 'before', before),
    ...side(label, 'after', after),
  ]);
}

/** So long that fifteen of them fit into one message, whatever is escaped in them. */
const pieceLength = 100;

function piecesOf(item: Item): string[] {
  if (typeof item !== 'string') return [personMention(item.person)];
  const letters = [...item];
  const count = Math.max(1, Math.ceil(letters.length / pieceLength));
  return Array.from({ length: count }, (_, index) =>
    escaped(letters.slice(index * pieceLength, (index + 1) * pieceLength).join('')),
  );
}

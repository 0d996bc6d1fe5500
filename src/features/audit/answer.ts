import { type Answer, lines } from '../../answers/answer.ts';
import { periodName, utcTime, zonedTime } from '../../answers/formatting/times.ts';
import { counted } from '../../answers/formatting/words.ts';
import { field } from '../../answers/kinds.ts';
import { clip, type PageNumbers, paged, type Reader } from '../../answers/message.ts';
import { table } from '../../answers/table.ts';
import { joined, present, type Text, toMrkdwn } from '../../answers/text.ts';
import { ownLines } from '../../errors.ts';
import type { Imo } from '../../reference/codes.ts';
import { changeDetails, changeInWords, type Detail, type Item, type ShownChange } from './change-words.ts';

/** For files and programs: the answer shows the changes in lines. */
export const auditTable = table<ShownChange>({
  name: 'audit',
  about: 'A change, the newest first',
  columns: {
    at: field('instant', 'when, in UTC', ({ at }) => at),
    actor_id: field(
      'text',
      "Slack's id of the person; `landfall` for the bot itself, `forgotten` for someone who was forgotten",
      ({ actorId }) => actorId,
    ),
    action: field('text', 'such as `watch.stop`', ({ action }) => action),
    subject: field('text', 'what was changed', ({ subject }) => subject),
    channel_id: field('text', "Slack's id of the channel", ({ channelId }) => channelId),
    change: field('text', 'in words', changeInWords),
    details: field('text', 'what was before, and what is after it', detailsForFile),
  },
});

/** `owner: U1 → U2; alerts: in the thread only → …`. Times in it are relative to the change. */
function detailsForFile(change: ShownChange): string {
  const side = (items: readonly Item[]) =>
    items.map((item) => (typeof item === 'string' ? item : item.person)).join(', ') || 'nothing';
  return changeDetails(change, change.at)
    .map(({ label, before, after }) => `${label}: ${sidesOf([before, after]).map(side).join(' → ')}`)
    .join('; ');
}

const sidesOf = (sides: readonly (readonly Item[] | undefined)[]) =>
  sides.filter((items) => items !== undefined);

export const changesPerPage = 10;
const itemsPerPage = 15;

export interface Filter {
  /** Only the changes in this channel. */
  channelId?: string;
  /** Only the changes by this person. */
  actorId?: string;
  /** Only the changes of this vessel. */
  imo?: Imo | undefined;
  /** Only the changes of the digest with this number in the channel, or here. */
  digest?: number | undefined;
}

interface ShownFilter extends Filter {
  /** Only the changes from then on. */
  since?: Date | undefined;
}

/** Who changed what and when, newest first. Only for admins. `lineOf`: the line that shows one change in full. */
export function changesAnswer(
  { changes, ...page }: PageNumbers & { changes: readonly ShownChange[] },
  { channelId, actorId, imo, since }: ShownFilter,
  { reader, about = '', lineOf }: { reader: Reader; about?: string; lineOf: (id: string) => string },
): Answer {
  const by = actorId === undefined ? '' : [' by ', { person: actorId }];
  const when = since ? ` since ${zonedTime(since, reader.zone, reader.now)}` : '';
  const filter = [about === '' ? '' : ` of ${about}`, placeOf(channelId), by, when];
  if (page.total === 0)
    return {
      isOwn: true,
      verdict: { strong: ['No changes', filter, since ? '' : ' yet'] },
      notes: ['Changes of watches, digests, names, fleets, settings and tokens will be listed here'],
    };
  const rows = changes.map((change, index) => {
    const number = String((page.page - 1) * changesPerPage + index + 1);
    const details = changeDetails(change, reader.now);
    const { text, isWhole } = inBrief(details, reader, briefLimits);
    const head: Text = [{ strong: number }, ' ', headOf(change, reader)];
    const spoken = inBrief(details, reader, spokenLimits).text;
    return {
      lines: [head, text],
      text: spoken === '' ? head : [head, ', ', spoken],
      ...(!isWhole && { button: { label: 'Show in full', line: lineOf(change.id) } }),
    };
  });
  const period = since && periodName({ begin: since, end: reader.now }, reader.zone);
  const data = auditTable.of({ caption: 'Changes', rows: changes, total: page.total, period });
  return {
    isOwn: true,
    verdict: { strong: [counted(page.total, 'change'), filter] },
    sections: [{ kind: 'rows', rows, data }],
    notes: present('newest first', imo !== undefined && withoutPrivate),
    page: { ...page, size: changesPerPage },
  };
}

const withoutPrivate =
  "without private channels that you or Landfall aren't in, and what people have set up for themselves";

export function changeAnswer(
  change: ShownChange,
  { page: asked, reader }: { page: number; reader: Reader },
): Answer {
  const { items, ...page } = paged(itemLines(changeDetails(change, reader.now)), asked, itemsPerPage);
  return {
    isOwn: true,
    verdict: { strong: headOf(change, reader) },
    sections: lines(items),
    page: { ...page, size: itemsPerPage },
    actions: { runs: [{ label: 'All changes', line: ownLines.audit }] },
  };
}

const placeOf = (channelId: string | undefined, isPersonal = false): Text =>
  channelId === undefined ? '' : [' in ', isPersonal ? 'a direct message' : { channel: channelId }];

/** `Sat 21 Nov 10:05 (09:05 UTC) · Ada stopped the watch of DS CYPRESS in #ops`. */
function headOf({ subject, ...change }: ShownChange, { now, zone }: Reader): Text {
  const { at, actorId, channelId, isPersonal } = change;
  const when = zone === 'UTC' ? utcTime(at, now) : `${zonedTime(at, zone, now)} (${utcTime(at, at)})`;
  // The bot itself names the vessels of the sandbox.
  const who = actorId === 'landfall' ? 'Landfall' : { person: actorId };
  const what = changeInWords({ ...change, subject: clip(subject, 60) });
  return [`${when} · `, who, ` ${what}`, placeOf(channelId, isPersonal)];
}

/** In characters; `side`: all items of one. */
const briefLimits = { label: 20, item: 60, side: 160, details: 350 };
/** The fallback text has room for less of each change. */
const spokenLimits = { label: 20, item: 30, side: 60, details: 160 };

/** `owner: Ada → Ben · rules: …`: each detail with its sides, before and after the change. */
function inBrief(
  details: readonly Detail[],
  reader: Reader,
  max: typeof briefLimits,
): { text: Text; isWhole: boolean } {
  let isWhole = true;
  const fitting = (texts: readonly Text[], separator: string, room: number): Text => {
    let length = 0;
    const shown = texts.filter((text) => {
      // Escaped, since that is what a message has room for.
      length += toMrkdwn(text, reader).length + separator.length;
      return length <= room;
    });
    if (shown.length === texts.length) return joined(texts, separator);
    isWhole = false;
    return [joined(shown, separator), ` (and ${texts.length - shown.length} more)`];
  };
  const itemOf = (item: Item): Text => {
    if (typeof item !== 'string' || item.length <= max.item) return item;
    isWhole = false;
    return clip(item, max.item);
  };
  const sideOf = (items: readonly Item[]): Text =>
    items.length === 0 ? 'nothing' : fitting(items.map(itemOf), ', ', max.side);
  const parts = details.map(({ label, before, after }): Text => {
    const sides = sidesOf([before, after]).map(sideOf);
    return [`${clip(label, max.label)}: `, joined(sides, ' → ')];
  });
  const text = parts.length === 0 ? '' : fitting(parts, ' · ', max.details);
  return { text, isWhole };
}

/** A line for each item. A long item takes several lines. */
const itemLines = (details: readonly Detail[]): Text[] =>
  details.flatMap(({ label, before = [], after = [] }) => {
    const side = (word: string, items: readonly Item[]) =>
      items.flatMap(piecesOf).map((piece): Text => [`${clip(label, briefLimits.label)}, ${word}: `, piece]);
    return [...side('before', before), ...side('after', after)];
  });

/** In characters. A page of such pieces fits into a message, even if every character is escaped. */
const pieceLength = 80;

function piecesOf(item: Item): Text[] {
  if (typeof item !== 'string') return [item];
  const letters = [...item];
  const count = Math.max(1, Math.ceil(letters.length / pieceLength));
  return Array.from({ length: count }, (_, index) =>
    letters.slice(index * pieceLength, (index + 1) * pieceLength).join(''),
  );
}

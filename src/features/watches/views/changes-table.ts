import { counted, newestReferences } from '../../../answers/formatting/words.ts';
import { clip, linesWithin, type Piece } from '../../../answers/message.ts';
import { escaped, link, sections } from '../../../answers/slack/blocks.ts';
import { type Cell, container, dataTable } from '../../../answers/slack/rich-blocks.ts';
import { alertText, type EventWords, type Marker } from '../../rules/event-words.ts';
import { titleAtStart } from '../store/watch-list.ts';

/** A change of a vessel, or of what its watch is called; with a link to its thread. */
export interface ChangeRow extends EventWords {
  name: string;
  url?: string;
}

export const needsAttention = ({ marker }: EventWords): boolean => marker !== '⚪';

/** `🔴 *2 need attention* · 6 routine`, in mrkdwn. `title`: what is watched, unless the card says so. */
export function verdictOfSeveral(all: readonly EventWords[], title?: string): string {
  const attention = all.filter(needsAttention).length;
  const routine = all.length - attention;
  const name = title === undefined ? '' : `${escaped(clip(titleAtStart(title), 150))}: `;
  if (attention === 0) return `⚪ *${name}${counted(routine, 'routine change')}*`;
  const needed = `${attention.toLocaleString('en')} ${attention === 1 ? 'needs' : 'need'} attention`;
  const rest = routine > 0 ? ` · ${routine.toLocaleString('en')} routine` : '';
  return `${worst(all)} *${name}${needed}*${rest}`;
}

const worst = (all: readonly EventWords[]): Marker =>
  all.some(({ marker }) => marker === '🔴') ? '🔴' : '🟠';

// Together they leave room for the rest of a message.
const maxRows = 25;
const maxRoutineText = 1_800;

/**
 * A table of the changes that need attention, and the routine ones below it, which open with a click. Without changes
 * that need attention the routine ones are the table, unless `isCollapsed`.
 */
export function changesBody(all: readonly ChangeRow[], { isCollapsed = false } = {}): Piece[] {
  const attention = all.filter(needsAttention);
  const routine = all.filter((row) => !needsAttention(row));
  if (attention.length === 0 && !isCollapsed) return table(routine);
  return [...table(attention), ...routineContainer(routine)];
}

function table(all: readonly ChangeRow[]): Piece[] {
  const rows = all.slice(0, maxRows);
  const rest = all.length - rows.length;
  const hasReferences = rows.some(({ references }) => references.length > 0);
  const headers = ['Vessel', 'What', 'Was → Now', 'ETA', ...(hasReferences ? ['Ref'] : [])];
  return [
    ...dataTable({
      caption: 'Changes',
      columns: headers.map((header) => ({ header })),
      rows: rows.map((row) => [
        nameCell(row),
        `${row.marker} ${row.what}`,
        row.change ?? '–',
        row.eta ?? '–',
        ...(hasReferences ? [newestReferences(row.references) || '–'] : []),
      ]),
      lines: rows.map(lineOf),
    }),
    ...sections(rest > 0 ? [`… and ${rest} more, each in its thread`] : []),
  ];
}

function nameCell({ name, url }: ChangeRow): Cell {
  const isLink = url !== undefined && link(url, name).startsWith('<');
  return isLink ? { url, text: name } : name;
}

function routineContainer(routine: readonly ChangeRow[]): Piece[] {
  const lines = routine.map(lineOf);
  const shown = linesWithin(lines, maxRoutineText);
  const rest = lines.length - shown.length;
  return container({
    title: counted(routine.length, 'routine change'),
    body: sections([...shown, ...(rest > 0 ? [`… and ${rest} more, each in its thread`] : [])]),
  });
}

const lineOf = ({ name, url, ...words }: ChangeRow): string =>
  alertText(words, url === undefined ? escaped(name) : link(url, name));

import { type Answer, type AnswerButton, lines, nextPortsOf, type Section } from '../../answers/answer.ts';
import { counted, figure } from '../../answers/formatting/words.ts';
import { shown } from '../../answers/kinds.ts';
import { clip } from '../../answers/message.ts';
import { table } from '../../answers/table.ts';
import { present } from '../../answers/text.ts';
import { quote } from '../../grammar/line.ts';
import type { Imo } from '../../reference/codes.ts';
import { promisesInWords, roomNotes, tooLargeInWords } from './import-answer.ts';
import type { ColumnUse } from './import-columns.ts';
import {
  importedInWords,
  type RefusedReference,
  refusedInWords,
  replacedPromises,
  skippedInWords,
} from './import-words.ts';
import type { Importable } from './pending-imports.ts';
import type { LeftOut } from './vessel-references.ts';

export const importActionId = 'vessel:import';

export interface ImportPreview
  extends Pick<Importable, 'source' | 'totalRows' | 'usedRows' | 'skippedRows' | 'isEncodingGuessed'> {
  /** For the button; undefined if nothing would be new. */
  id: string | undefined;
  /** The sheet, if the file has several. */
  sheet?: string;
  columns: readonly ColumnUse[];
  /** What would be new. */
  added: { names: number; references: number; fleets: number; promises: number };
  refused: readonly RefusedReference[];
  /** References that have no room, and the number of promises that are left out with them. */
  leftOut: readonly LeftOut[];
  unnamedPromises: number;
  promisesLeftOut: number;
  /** The number of references past the most that a file can add. */
  unread: number;
  tooLarge: readonly string[];
  /** The name of a file with all skipped rows, if it was sent. */
  skippedFile: string | undefined;
  /** A date that can be read in two ways, where nothing says which number is the month. */
  dateExample?: string;
  /** In words. */
  firstPromise?: string;
  /** The stored promises that get other dates, in words; if a date can be read in two ways, those that may. */
  replaced: readonly string[];
  /** Vessels that a pasted table may only ask about. */
  asked?: readonly Imo[];
}

/** What was read, before anything is stored. */
export function previewAnswer(found: ImportPreview): Answer {
  const { id, columns, refused, skippedRows, skippedFile, isEncodingGuessed, dateExample } = found;
  const news = importedInWords(found.added);
  const isTooMuch =
    found.unread > 0 && `${counted(found.unread, 'reference')} past the most that a file can add.`;
  return {
    isOwn: true,
    verdict: {
      strong: verdictOf(found),
      lines: present(
        id !== undefined && (news !== '' || found.replaced.length === 0) && `New: ${news || 'promises'}.`,
        found.firstPromise !== undefined && `First promise: ${found.firstPromise}.`,
        replacedPromises(found.replaced, () =>
          dateExample === undefined ? 'will be replaced' : 'may be replaced',
        ),
        isEncodingGuessed && 'Read as Windows-1252: please check the names.',
        isTooMuch,
        ...roomNotes({ ...found, unread: 0 }, { isPreview: true }),
        promisesInWords(found.promisesLeftOut),
        tooLargeInWords(found.tooLarge),
      ),
      ...(dateExample !== undefined && {
        warning: `${quote(dateExample)} can be read in two ways: which number is the month?`,
      }),
    },
    sections: [
      ...(columns.length > 0 ? [columnsSection(columns)] : []),
      ...lines([
        ...skippedInWords(skippedRows),
        ...present(
          skippedFile !== undefined &&
            `All ${figure(skippedRows.length)} are in ${skippedFile}, which I've sent you.`,
        ),
        ...refusedInWords(refused),
      ]),
    ],
    notes: present(
      id !== undefined && 'Nothing is saved yet. Only you can import this, within a day',
      columns.length === 0 && 'Without headings the columns are IMO number, name, fleets and references',
    ),
    actions: { runs: buttonsOf(found) },
  };
}

function verdictOf({ source, sheet, id, totalRows, usedRows }: ImportPreview): string {
  const from = `${clip(source, 100)}${sheet === undefined ? '' : `, sheet ${quote(clip(sheet, 40))}`}`;
  if (id !== undefined)
    return `${figure(usedRows)} of ${counted(totalRows, 'row')} can be imported from ${from}`;
  return usedRows === 0
    ? `No row of ${from} can be imported`
    : `Nothing new in ${from}, so nothing was changed`;
}

const columnsTable = table<ColumnUse>({
  name: 'import-columns',
  about: 'A column of the file',
  columns: {
    heading: shown('Column', ({ heading }) => ({ text: clip(heading, 60) })),
    use: shown('Read as', ({ as, why }) => ({
      text: as ?? (why === undefined ? 'not used' : `not used (${why})`),
    })),
  },
});

/** The used ones come first. */
const columnsSection = (columns: readonly ColumnUse[]): Section =>
  columnsTable.of({
    caption: 'What was read in each column',
    rows: [...columns.filter(({ as }) => as !== undefined), ...columns.filter(({ as }) => as === undefined)],
  });

const maxAsked = 20;

function buttonsOf({ id, usedRows, dateExample, asked = [] }: ImportPreview): AnswerButton[] {
  const press = (label: string, value: string): AnswerButton => ({ label, press: importActionId, value });
  const rows = counted(usedRows, 'row');
  const imports =
    id === undefined
      ? []
      : dateExample === undefined
        ? [press(`Import ${rows}`, id)]
        : [
            press(`Import ${rows}, day first`, `${id} day`),
            press(`Import ${rows}, month first`, `${id} month`),
          ];
  const [first, ...others] = asked;
  const isOffered = first !== undefined && others.length < maxAsked;
  const vessels = isOffered ? { kind: 'vessels' as const, imos: [first, ...others] as const } : undefined;
  return [
    ...imports,
    ...(vessels ? [{ label: 'Only show where they are', intent: nextPortsOf(vessels) }] : []),
  ];
}

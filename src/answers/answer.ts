import { z } from 'zod';
import type { Imo, Locode, PortOrGroup, VesselGroup } from '../reference/codes.ts';
import { imo, locode, type Provenance, prospect } from '../reference/prediction.ts';
import type { PageNumbers, Reader } from './message.ts';
import type { CellValue, FieldType, FieldValue, TableSection } from './table.ts';
import type { Text } from './text.ts';

/** What a command answers, as plain data. Renderers make of it what a surface shows, a file holds or a program reads. */
export interface Answer {
  /** The line that it answers, if the service spells it otherwise than it was typed. */
  line?: string | undefined;
  /** Above the verdict. `brief`: before the verdict in the fallback text. */
  title?: { text: string; brief: string };
  verdict: Verdict;
  sections?: readonly Section[];
  /** Small print. Renderers add the age of the answer and what it lacks. */
  notes?: readonly Text[];
  /** Small print that matters more than the age. */
  firstNotes?: readonly Text[];
  /** Left out if nothing of it comes from the service. */
  provenance?: Provenance | undefined;
  /** It predicts something, which the small print says once. */
  isForecast?: boolean;
  /**
   * About the workspace or the bot, with nothing of the service: it is never called invented. It can't be refreshed or
   * shared, unless it is a `list`.
   */
  isOwn?: boolean | 'list';
  actions?: AnswerActions;
  page?: PageNumbers & { size: number };
  /** The tables of a file, if they aren't those that are shown. CSV and JSON hold the first, a workbook all. */
  files?: readonly TableSection[];
  /** What people of other organisations may not see, such as `API usage`: they see that instead of the answer. */
  membersOnly?: string;
  /** What a digest compares with its previous run. */
  comparison?: Comparison | null;
  /** The answer itself says what has changed, so a digest has news without comparing. */
  hasNews?: boolean;
  /** The line that gives this answer outside of its digest, if it is another. */
  lineOutside?: string | undefined;
  nextCall?: NextCall | undefined;
  /** What a line has done, or what sums up all rows, for programs: in the shape that its tool declares. */
  outcome?: Readonly<Record<string, unknown>>;
}

/** A part of the Home tab, without a table. `heading`: in large letters. */
export type HomePart = { heading?: string } & Partial<
  Pick<Answer, 'verdict' | 'sections' | 'notes' | 'actions'>
>;

export interface Verdict {
  /** It alone answers the question. */
  strong: Text;
  rest?: Text;
  /** What belongs to it, below. */
  lines?: readonly Text[];
  /** It is drawn as a card: its title, then the first line, then as many of the others as fit. */
  isCard?: boolean;
  /** What qualifies it, such as two periods that overlap. */
  warning?: Text | undefined;
}

/** A predicted call, for workflows. */
export interface NextCall {
  /** The port's name. */
  port: string;
  locode: Locode;
  /** From 0 to 1. */
  probability: number;
  eta?: Date;
}

export type Section =
  | TextSection
  | TableSection
  | ChartSection
  | LinesSection
  | ImageSection
  | RowsSection
  | CodeSection
  | DetailsSection;

export interface TextSection {
  kind: 'text';
  lines: readonly Text[];
}

/** Bars side by side, of one series or several. A single category would compare nothing, so it isn't drawn. */
export interface ChartSection {
  kind: 'bars';
  /** It names the unit. */
  title: string;
  /** At most 20, of at most 20 characters. */
  categories: readonly string[];
  /** With a bar for each category. `text`: the value in words. */
  series: readonly { name: string; bars: readonly { value: number; text: string }[] }[];
  /** A table of the answer shows the figures, so without charts its lines say them. */
  isInTable?: boolean;
  /** The figures for assistants and workbooks, where no table has them. */
  data?: TableSection;
}

/** Lines over the same labels. */
export interface LinesSection {
  kind: 'lines';
  /** At most 50 characters each. The title names the unit. */
  title: string;
  yLabel: string;
  /** At most 20, of at most 20 characters. */
  labels: readonly string[];
  /** At most 6, with a value for each label: Slack draws no gaps. */
  lines: readonly { name: string; values: readonly number[] }[];
  data?: TableSection;
}

/** A picture. `alt` says all that it shows, in at most 2,000 characters. */
export interface ImageSection {
  kind: 'image';
  url: string;
  alt: string;
  data?: TableSection;
}

/** A list. `data`: the same as a table. */
export interface RowsSection {
  kind: 'rows';
  rows: readonly Row[];
  data?: TableSection;
}

/**
 * An entry with a menu or a button; only the person who asks sees one that runs no line, unless it `isForAll`. `text`: in the
 * fallback text; left out, the first line.
 */
export interface Row {
  lines: readonly Text[];
  text?: Text;
  button?: AnswerButton | undefined;
  /** What the button acts on, for screen readers. Default: the row, if other buttons are called the same. */
  about?: string;
  menu?: readonly AnswerButton[];
}

/** Lines to copy. */
interface CodeSection {
  kind: 'code';
  lines: readonly string[];
}

/** What one opens to see. A table in it is shown as lines if the answer has another one. */
export interface DetailsSection {
  kind: 'details';
  title: string;
  sections: readonly (TextSection | TableSection)[];
}

/** Each answer can be refreshed and shared as well. */
export interface AnswerActions {
  /** The vessel, port or the like that they act on, for screen readers. */
  about?: Text | undefined;
  /** The button Watch. */
  watch?: Intent | undefined;
  /** A vessel without a name, for the button Name it. */
  unnamed?: Imo | undefined;
  /** Buttons: other lines, such as the month before, or what the answer lets one do. */
  runs?: readonly (AnswerButton | AnswerMenu)[];
  /** The menu at the end. */
  more?: readonly AnswerButton[];
  /** The message stays: what its lines answer never takes its place. */
  isLasting?: boolean;
}

/** A menu that shows its name. A choice does what the button of an action does, with the option's value. */
export interface AnswerMenu {
  label: string;
  press: string;
  options: readonly { label: string; value: string }[];
}

/** Runs another line. */
export type AnswerAction = { label: string } & ({ line: string } | { intent: Intent });

/** It runs a line, does what the button of an action does, or opens a form. */
export type AnswerButton =
  | AnswerAction
  | {
      label: string;
      press: string;
      value: string;
      isDangerous?: boolean;
      /** Slack asks it first. */
      confirm?: { title: string; question: string; yes: string };
    }
  | {
      label: string;
      form: string;
      target: object;
      isPrimary?: boolean;
      /** Anybody who reads the entry beside it may open the form. */
      isForAll?: boolean;
    };

/** What a text for the customer is about. */
export const customerCopy = z.object({
  imo,
  /** The port that was asked about; left out: the next one. */
  at: z.exactOptional(locode),
  /** The one that was typed; left out: those of the vessel. */
  reference: z.exactOptional(z.string()),
  /** The call that was predicted before. `eta`: in ISO format. */
  was: z.exactOptional(z.object({ port: locode, eta: z.string().nullable() })),
});
export type CustomerCopy = z.infer<typeof customerCopy>;

/** Opens a text to copy. Nothing is sent. */
export const copyForCustomer = (target: CustomerCopy): AnswerButton => ({
  label: 'Copy for the customer …',
  form: 'customer',
  target,
});

export const lines = (texts: readonly Text[]): TextSection[] =>
  texts.length === 0 ? [] : [{ kind: 'text', lines: texts }];

/**
 * The tables of an answer that have fields: those that are shown, then the figures of its charts, pictures and tables that
 * are only shown. Sections of one table follow each other.
 */
export function tablesOf({ sections = [] }: Pick<Answer, 'sections'>): TableSection[] {
  const inSections = (section: Section): TableSection[] => {
    switch (section.kind) {
      case 'table':
        return [section];
      case 'details':
        return section.sections.flatMap(inSections);
      default:
        return [];
    }
  };
  const figures = sections.flatMap((section) => ('data' in section && section.data ? [section.data] : []));
  return [...sections.flatMap(inSections), ...figures].filter(({ shape }) => shape.columns.length > 0);
}

/** What an answer offers without knowing which command does it. One feature fulfils each kind. */
export type Intent =
  | { kind: 'calls-at'; port: PortOrGroup }
  | { kind: 'next-ports-of'; vessels: VesselGroup | 'watched' }
  /** `at`: only their calls at that port. */
  | { kind: 'watch-these'; vessels: VesselGroup; at?: PortOrGroup }
  | { kind: 'watch-port'; port: PortOrGroup }
  | { kind: 'add-to-fleet'; fleet: string; imos: readonly [Imo, ...Imo[]] }
  | { kind: 'add-reference'; imo: Imo; reference: string }
  | { kind: 'stability-of'; imo: Imo }
  /** What was predicted for the vessel in the past. */
  | { kind: 'history-of'; imo: Imo }
  | { kind: 'map-of'; imo: Imo }
  /** The calls that the bot itself has used. */
  | { kind: 'own-usage' }
  | { kind: 'promises' }
  /** The list of watches; `channelId`: of another channel. */
  | { kind: 'watches-in'; scope: 'channel' | 'mine' | 'all'; channelId?: string | undefined };

export const addToFleet = (fleet: string, imos: readonly [Imo, ...Imo[]]): Intent => ({
  kind: 'add-to-fleet',
  ...{ fleet, imos },
});

export const callsAt = (port: PortOrGroup): Intent => ({ kind: 'calls-at', port });

/** Of these vessels, or of those that are watched where it is asked. */
export const nextPortsOf = (of: Imo | VesselGroup | 'watched'): Intent => ({
  kind: 'next-ports-of',
  vessels: of === 'watched' ? of : groupOf(of),
});

const groupOf = (of: Imo | VesselGroup): VesselGroup =>
  typeof of === 'number' ? { kind: 'vessels', imos: [of] } : of;

export const historyOf = (imo: Imo): Intent => ({ kind: 'history-of', imo });

export const mapOf = (imo: Imo): Intent => ({ kind: 'map-of', imo });

export const ownUsage: Intent = { kind: 'own-usage' };

/** The list of promises. */
export const allPromises: Intent = { kind: 'promises' };

export const watchesIn = (of: Omit<Extract<Intent, { kind: 'watches-in' }>, 'kind'>): Intent => ({
  kind: 'watches-in',
  ...of,
});

export const watchPort = (port: PortOrGroup): Intent => ({ kind: 'watch-port', port });

export const watchThese = (of: Imo | VesselGroup, at?: PortOrGroup): Intent => ({
  kind: 'watch-these',
  vessels: groupOf(of),
  ...(at !== undefined && { at }),
});

/** The line that does it; undefined if it would be too long, or nothing fulfils it. */
export type LineOf = (intent: Intent) => string | undefined;

/** By kind: the line of an intent. */
export type Fulfils = { [Kind in Intent['kind']]?: (intent: Extract<Intent, { kind: Kind }>) => string };

/** What a line asked the service, such as the calls at a port. */
const comparedQuestion = z.object({
  /** The same in the next answer to the line. */
  id: z.string(),
  /** Rows come and go, such as the calls at a port, and that is news. A vessel's next call is no list. */
  isList: z.boolean(),
  /** Those that the answer doesn't show included. Null: no answer, so the rows of the previous run stay. */
  rows: z
    .array(
      z.object({
        /** The same in the next answer to the question. */
        id: z.string(),
        /** The vessel whose call it is; left out for other rows. */
        imo: z.exactOptional(imo),
        call: z.exactOptional(prospect),
        /** The ETA is before, within or after the period; `unknown` without an ETA. Only what is within is shown. */
        when: z.exactOptional(z.enum(['before', 'within', 'after', 'unknown'])),
      }),
    )
    .readonly()
    .nullable(),
});

/** What a digest compares with its previous run. */
export const comparison = z.object({
  questions: z.array(comparedQuestion).readonly(),
  /** As it is typed; left out: all days. */
  period: z.exactOptional(z.string()),
  /** The minimum probability, 0..1. */
  from: z.exactOptional(z.number()),
});
export type Comparison = z.infer<typeof comparison>;

/** A table to be written to a file, with all rows of the answer. */
export interface ExportTable {
  /** The table's name and what it is about, for the name of the file: `port-calls`, `NLRTM`. */
  nameParts: readonly string[];
  /** The days that the rows are about, also for that name: `2026-11-24-to-2026-11-26`. */
  period?: string;
  columns: readonly string[];
  /** By column, for a workbook. */
  types?: readonly FieldType[];
  rowCount: number;
  /** The number of rows that there are, if the export has fewer. */
  total?: number;
  /** Computes the cells of one row at a time, so that a long table need not block the event loop. */
  rows(): Iterable<readonly CellValue[]>;
}

/** The tables of an answer. Sections of one table, such as ranked carriers and the others, are one. */
export const exportTables = (answer: Answer, reader: Reader): ExportTable[] =>
  exportGroups(answer, reader).map(({ first, same, rowCount }) => {
    const fields = first.fields(reader);
    const total = same.reduce((sum, each) => sum + each.total, 0);
    return {
      nameParts: [first.shape.name, ...first.subject],
      ...(first.period !== undefined && { period: first.period }),
      columns: fields.map(({ key }) => key),
      types: fields.map(({ type }) => type),
      rowCount,
      ...(total > rowCount && { total }),
      *rows() {
        for (const section of same)
          for (const values of section.records(reader, answer.provenance)) yield values.map(inOneCell);
      },
    };
  });

/** The first table has rows for a file. Every answer asks this, so no table is made for it. */
export const hasRows = (answer: Answer, reader: Reader): boolean =>
  (exportGroups(answer, reader)[0]?.rowCount ?? 0) > 0;

function exportGroups(answer: Answer, reader: Reader) {
  if (answer.membersOnly !== undefined && reader.audience === 'outside') return [];
  const groups = Map.groupBy(answer.files ?? tablesOf(answer), ({ shape }) => shape.name);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    return first ? { first, same, rowCount: same.reduce((sum, each) => sum + each.rowCount, 0) } : [];
  });
}

const inOneCell = (value: FieldValue): CellValue => (isList(value) ? value.join('; ') : value);

const isList = (value: FieldValue): value is readonly string[] => Array.isArray(value);

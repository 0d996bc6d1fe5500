import { z } from 'zod';
import type { Provenance } from '../reference/prediction.ts';
import { type Answer, type Section, tablesOf } from './answer.ts';
import type { Reader } from './message.ts';
import type { CellValue, FieldType, TableShape } from './table.ts';
import { type Text, toPlain } from './text.ts';

/** To the second: more would suggest a precision that no ETA has. */
const toTime = (time: Date): string => time.toISOString().replace(/\.\d{3}Z$/, 'Z');

// The schemas that zod has for times hold long patterns, which each assistant would read.
const time = z.string().meta({ format: 'date-time' });

const fieldSchemas: Record<FieldType, z.ZodType> = {
  text: z.string(),
  imo: z.int(),
  count: z.int(),
  number: z.number(),
  share: z.number().min(0).max(1),
  instant: time,
  'local time': z.string(),
  day: z.string(),
  boolean: z.boolean(),
};

const provenance = z
  .object({
    asOf: time.describe('The time of this answer, in UTC'),
    fetchedAt: time.describe('When the analytics service gave the data, in UTC').nullable(),
    ageSeconds: z.int().min(0).describe('The age of the data at `asOf`').nullable(),
    cached: z.boolean(),
    staleSince: time
      .describe('Set if the service has not answered since then, so that this is an older answer')
      .nullable(),
    isThrottled: z.boolean().describe('The older answer is shown since the service is limiting our calls'),
    faults: z.int().min(0).describe('Records of the service that could not be read and are left out'),
    source: z.enum(['service', 'sandbox']),
    invented: z.boolean().describe('All data is invented'),
    notice: z.string().describe('Say this to the person who asks').nullable(),
  })
  .describe('How old the data is, where it comes from, and what is missing in it');

/** What assistants get of an answer with these tables. `outcome`: the fields of a tool that changes something. */
export const structuredSchema = (tables: readonly TableShape[], outcome: z.ZodRawShape = {}) =>
  z.object({
    ...outcome,
    line: z.string().describe('The command line that was answered; in Slack it can be typed after a slash'),
    verdict: z.string().describe('The answer in one line'),
    tables: z.object(
      Object.fromEntries(
        tables.map((shape) => [shape.name, z.array(rowSchema(shape)).optional().describe(shape.about)]),
      ),
    ),
    notes: z.array(z.string()),
    provenance,
    page: z
      .object({ page: z.int(), pages: z.int(), total: z.int().describe('The number of rows on all pages') })
      .nullable(),
  });

/** The age and the source of a row stand in the answer's provenance. */
const rowSchema = ({ columns }: TableShape) =>
  z.object(
    Object.fromEntries(
      columns
        .filter(({ key }) => !inProvenance.has(key))
        .map(({ key, about, type }) => [key, fieldSchemas[type].describe(about).nullable()]),
    ),
  );

const inProvenance: ReadonlySet<string> = new Set(['fetched_at', 'source']);

/** An answer for programs: assistants, `ask --json`. */
export function toStructured(answer: Answer, { line, reader: given }: { line: string; reader: Reader }) {
  const reader: Reader = answer.isOwn ? { ...given, source: 'service' } : given;
  const isWithheld = answer.membersOnly !== undefined && reader.audience === 'outside';
  const withheld: Answer = {
    verdict: { strong: `${answer.membersOnly} isn't shown to people of other organisations` },
  };
  const { verdict, page, ...shown } = isWithheld ? withheld : answer;
  return {
    ...(isWithheld ? {} : answer.outcome),
    line,
    verdict: toPlain([verdict.strong, verdict.rest ?? ''], reader),
    tables: rowsOf(shown, reader),
    notes: [
      ...natureOf(shown),
      ...(verdict.lines ?? []),
      ...(verdict.warning ? [verdict.warning] : []),
      ...textsOf(shown.sections ?? []),
      ...(shown.firstNotes ?? []),
      ...(shown.notes ?? []),
    ]
      .map((text) => toPlain(text, reader).replace(/^• /, ''))
      .filter((text) => text !== ''),
    // Programs always learn which service the bot uses.
    provenance: provenanceOf(shown.provenance, given),
    page: page ? { page: page.page, pages: page.pages, total: page.total } : null,
  };
}

/** What a model must not confuse. */
function natureOf({ isForecast, provenance: given }: Omit<Answer, 'verdict'>): Text[] {
  if (isForecast) return ['predicted, not reported'];
  return given ? ['counted in the past, not predicted'] : [];
}

const textsOf = (sections: readonly Section[]): Text[] =>
  sections.flatMap((section) => {
    if (section.kind === 'text' || section.kind === 'code') return section.lines;
    return section.kind === 'details' ? textsOf(section.sections) : [];
  });

/** The rows of the page by the name of their table. What outsiders don't see is null. */
function rowsOf(answer: Pick<Answer, 'sections' | 'provenance'>, reader: Reader) {
  const tables: Record<string, Record<string, string | number | boolean | null>[]> = {};
  for (const section of tablesOf(answer)) {
    const { name } = section.shape;
    const at = new Map(section.fields(reader).map(({ key }, index) => [key, index]));
    const keys = section.shape.columns.map(({ key }) => key).filter((key) => !inProvenance.has(key));
    const rows = [...section.records(reader, answer.provenance, 'shown')].map((values) =>
      Object.fromEntries(keys.map((key) => [key, jsonValue(values[at.get(key) ?? -1])])),
    );
    tables[name] = [...(tables[name] ?? []), ...rows];
  }
  return tables;
}

export const jsonValue = (value: CellValue) => (value instanceof Date ? toTime(value) : (value ?? null));

function provenanceOf(given: Provenance | undefined, { now, source }: Reader) {
  const { fetchedAt, cached = false, staleSince, throttled = false, droppedRecords = 0 } = given ?? {};
  return {
    asOf: toTime(now),
    fetchedAt: fetchedAt ? toTime(fetchedAt) : null,
    ageSeconds: fetchedAt ? Math.max(0, Math.round((now.getTime() - fetchedAt.getTime()) / 1000)) : null,
    cached,
    staleSince: staleSince ? toTime(staleSince) : null,
    isThrottled: throttled,
    faults: droppedRecords,
    source,
    invented: source === 'sandbox',
    notice:
      source === 'sandbox'
        ? 'Invented data: it comes from the sandbox, not from the analytics service.'
        : null,
  };
}

import { z } from 'zod';
import { id, items, text } from './composition-schemas.ts';
import { richText } from './rich-text-schemas.ts';
import { textLength } from './text-length.ts';

/** In all cells of a table. */
const MAX_CHARACTERS = 10_000;
const MAX_COLUMNS = 20;

const cell = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('raw_text'), text: text(MAX_CHARACTERS) }),
    z.strictObject({ type: z.literal('raw_number'), value: z.number(), text: text(255) }),
    richText,
  ],
  'unsupported type',
);
type Rows = z.infer<typeof cell>[][];

const rows = (max: number, min: number) =>
  items(items(cell, MAX_COLUMNS), max, min).refine((given) => textLength(given) <= MAX_CHARACTERS, {
    message: `no more than ${MAX_CHARACTERS} characters allowed in all cells`,
    when: ({ value }) => Array.isArray(value),
  });

const column = z.strictObject({
  align: z.enum(['left', 'center', 'right'], 'must be left, center or right').optional(),
  is_wrapped: z.boolean().optional(),
});

/** https://docs.slack.dev/reference/block-kit/blocks/table-block */
export const table = z.strictObject({
  block_id: id,
  type: z.literal('table'),
  rows: rows(100, 1),
  column_settings: z.array(column.nullable()).max(MAX_COLUMNS, 'no more than 20 items allowed').optional(),
});

/** The first row is the header. https://docs.slack.dev/reference/block-kit/blocks/data-table-block */
export const dataTable = z
  .strictObject({
    block_id: id,
    type: z.literal('data_table'),
    caption: text(255),
    rows: rows(101, 2).superRefine(checkShape),
    page_size: z.number().int().min(1).max(100).optional(),
    row_header_column_index: z.number().int().min(0).optional(),
  })
  .refine(({ rows: [header = []], row_header_column_index: index = 0 }) => index < header.length, {
    message: 'must be the index of a column',
    path: ['row_header_column_index'],
  });

/** All rows must be as long as the header, which can't be formatted. */
function checkShape(given: Rows, context: z.RefinementCtx): void {
  const [header = []] = given;
  for (const [index, { length }] of given.entries()) {
    if (length === header.length) continue;
    context.addIssue({
      code: 'custom',
      message: 'all rows must have the same number of cells',
      path: [index],
    });
  }
  for (const [index, { type }] of header.entries()) {
    if (type !== 'rich_text') continue;
    context.addIssue({
      code: 'custom',
      message: 'rich_text is not allowed in a header',
      path: [0, index, 'type'],
    });
  }
}

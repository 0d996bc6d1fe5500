import { z } from 'zod';
import { FieldErrors } from '../../answers/fields.ts';
import { form } from '../feature.ts';
import { takeCells } from './import.ts';
import { importFormName } from './import-answer.ts';

/** Slack's limit. */
const maxCharacters = 3_000;

/** `cells`: a table that was pasted into a message. */
const Target = z.object({ cells: z.string().optional() });

/** For cells that are pasted where a message can't have them, such as beside a slash command. */
export const importForm = form<z.infer<typeof Target>, { cells: string }>({
  name: importFormName,
  target: Target,
  open: async ({ cells = '' }) => ({ cells }),
  instead: () => 'vessel import',
  view: ({ cells }) => ({
    title: 'Import cells',
    submit: 'Preview',
    parts: [
      {
        ...{ kind: 'input', id: 'cells', label: 'Cells with their headings', value: cells },
        ...{ isMultiline: true, maxLength: maxCharacters },
        placeholder: 'Vessel\tIMO\tBooking',
        hint: 'Copy them in the spreadsheet and paste them here. For more, paste them into a direct message with me, or share the file there.',
      },
    ],
  }),
  read: ({ text }) => ({ cells: text('cells') }),
  async submit({ cells }, ctx) {
    if (cells.trim() === '') throw new FieldErrors({ cells: 'Paste some cells first.' });
    return await takeCells(cells, ctx);
  },
});

import { z } from 'zod';
import { formatPage, joinWords } from '../../grammar/options.ts';
import { defineTool } from '../tool.ts';
import { pageField, textField } from '../tool-fields.ts';
import {
  pageFields,
  pageFor,
  predicted,
  prospectFields,
  sourceFields,
  timeField,
  toProspect,
  toSource,
  toTime,
  toVessel,
  vesselFields,
} from '../tool-output.ts';
import { stabilityFields, toStability } from '../watches/index.ts';
import type { NextportAnswer } from './answer-view.ts';
import { historyDays } from './history.ts';
import { stepsOf, stepsPerPage } from './history-view.ts';
import { type NextportArgs, vesselsOf } from './words.ts';

/** What was predicted for a vessel while it was watched. */
export const nextportHistoryTool = defineTool<NextportArgs, NextportAnswer>()({
  name: 'nextport_history',
  title: 'How the prediction for a vessel changed',
  description: `What was predicted for a vessel in the past ${historyDays} days, as far as the person, or one of their channels, watched it: each change of the likeliest port, of its ETA by an hour or more, or of its probability by ten points or more. These are past predictions; they say neither where the vessel was nor that it called.`,
  needsSlack: true,
  input: z.object({
    vessel: textField({
      description: 'One vessel by IMO number, name or reference',
      examples: ['9461477', 'MSC DIANA'],
    }),
    page: pageField,
  }),
  output: z.object({
    note: z.literal(predicted),
    vessel: vesselFields,
    since: timeField
      .nullable()
      .describe(
        'The first poll; null if neither the person nor one of their channels has watched the vessel',
      ),
    until: timeField.nullable().describe('The last poll'),
    changes: z
      .array(z.object({ at: timeField, prediction: prospectFields.nullable().describe('Null: none') }))
      .describe('The likeliest port from then on, the newest first'),
    stability: z.object(stabilityFields),
    ...pageFields,
    ...sourceFields,
  }),
  toLine: ({ vessel, page }) => joinWords('nextport', vessel, 'history', formatPage(page)),
  toFields: (args) => (args.kind === 'history' ? { vessel: vesselsOf(args), page: args.page } : undefined),
  toOutput(answer, reader) {
    if (answer.kind !== 'vessel-history')
      throw new Error(`the fields of the tool never ask for ${answer.kind}`);
    const { vessel, since, until, spells, stability } = answer;
    const { items, of } = pageFor(stepsOf(spells).reverse(), answer.page, stepsPerPage);
    return {
      note: predicted as typeof predicted,
      vessel: toVessel(vessel),
      since: since ? toTime(since) : null,
      until: until ? toTime(until) : null,
      changes: items.map(({ at, port, probability, eta }) => ({
        at: toTime(at),
        prediction: port && probability !== undefined ? toProspect({ port, probability, eta }) : null,
      })),
      stability: toStability(stability),
      ...of,
      ...toSource(reader),
    };
  },
});

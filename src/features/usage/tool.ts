import { z } from 'zod';
import { isoMonth } from '../../grammar/dates.ts';
import { formatPage, joinWords } from '../../grammar/options.ts';
import { formatPeriod, type Period } from '../../grammar/period.ts';
import { defineTool } from '../tool.ts';
import { pageField, textField } from '../tool-fields.ts';
import {
  answerOutput,
  countField,
  pageFields,
  pageFor,
  timeField,
  toAnswer,
  toTime,
} from '../tool-output.ts';
import type { BotUsageAnswer } from './bot/view.ts';
import { meaningOf, requestTotals, rowsOf } from './rows.ts';
import { rowsPerPage, type UsageAnswer } from './view.ts';

/** What the fields of the tool become in the line. */
interface Said {
  isBot?: true;
  month?: Period;
  page: number;
}

export const usageTool = defineTool<Said, UsageAnswer | BotUsageAnswer>()({
  name: 'usage',
  title: 'Usage of the API account',
  description:
    "What the account at the analytics service was used for in a month, from the provider's report: requests per endpoint, and containers, which must not be added to requests. `trend` has that month and the five before.",
  input: z.object({
    month: textField({
      description: 'A month; left out: the newest with entries',
      examples: ['2026-10', 'last month', 'october'],
    }).optional(),
    page: pageField,
  }),
  output: answerOutput({
    month: z.string().describe('YYYY-MM'),
    isRunning: z.boolean().describe('The month is not over'),
    updatedAt: timeField.nullable().describe('When the provider updated the report'),
    isTruncated: z.boolean().describe('There may be more entries than could be read'),
    requests: z
      .object({ all: countField, errors: countField })
      .nullable()
      .describe('Null: the report has no requests'),
    entries: z.array(
      z.object({
        group: z.string().describe('What is counted, such as Requests or Containers (PUSH)'),
        method: z.string().describe('HTTP method').nullable(),
        endpoint: z.string(),
        meaning: z.string().describe('What is counted, if the endpoint does not say it').nullable(),
        counts: z.record(z.string(), countField).describe('By status'),
      }),
    ),
    trend: z.array(z.object({ month: z.string(), requests: countField })),
    ...pageFields,
  }),
  toLine: ({ month, page }) => joinWords('usage', month, formatPage(page)),
  toFields: ({ isBot, month, page }) => (isBot ? undefined : { month: month && formatPeriod(month), page }),
  toOutput(answer, reader) {
    if (answer.kind !== 'usage') throw new Error('the fields of the tool never ask for it');
    // As in the view: people of other organisations see no usage.
    const records = reader.audience === 'outside' ? [] : answer.records;
    const { items, of } = pageFor(rowsOf(records), answer.page, rowsPerPage);
    return {
      ...toAnswer(answer, reader),
      month: isoMonth(answer),
      isRunning: answer.isRunning,
      updatedAt: answer.lastUpdatedAt ? toTime(answer.lastUpdatedAt) : null,
      isTruncated: answer.truncated,
      requests: requestTotals(records) ?? null,
      entries: items.map((row) => ({
        ...{ group: row.group, method: row.method, endpoint: row.endpoint },
        meaning: meaningOf(row) ?? null,
        counts: Object.fromEntries(row.counts),
      })),
      trend:
        reader.audience === 'outside'
          ? []
          : answer.trend.months.map((month) => ({ month: isoMonth(month), requests: month.requests })),
      ...of,
    };
  },
});

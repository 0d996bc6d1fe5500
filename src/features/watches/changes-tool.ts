import { z } from 'zod';
import { formatPage, joinWords } from '../../grammar/options.ts';
import { defineTool } from '../tool.ts';
import { pageField, textField } from '../tool-fields.ts';
import {
  countField,
  pageFields,
  pageFor,
  portFields,
  predicted,
  prospectFields,
  sourceFields,
  timeField,
  toPort,
  toProspect,
  toSource,
  toTime,
  toVessel,
  vesselFields,
} from '../tool-output.ts';
import { differenceKinds } from '../changes/index.ts';
import type { WatchArgs } from './commands/parse-watch-line.ts';
import { rowsPerPage } from './views/watch-changes.ts';
import type { WatchAnswer } from './views/watch-tables.ts';
import { formatSince } from '../changes/index.ts';

const sinceMidnight = 'today';

export const watchChangesTool = defineTool<WatchArgs, WatchAnswer>()({
  name: 'watch_changes',
  title: 'What has changed for my watches',
  description:
    'What has changed in the predictions for the vessels that the person who asks watches, what matters most first: diversions, ETAs that moved, predictions lost. Compares two moments; it reports no arrivals.',
  needsSlack: true,
  input: z.object({
    since: textField({
      description:
        'A past moment, by the clock of the person unless it has an offset; `today` is its midnight',
      examples: ['yesterday', 'monday', 'yesterday 18:00', '2026-11-20T08:00:00Z', '3 days', '12h'],
    }).default(sinceMidnight),
    page: pageField,
  }),
  output: z.object({
    note: z.literal(predicted),
    since: timeField,
    fetchedAt: timeField
      .nullable()
      .describe('The oldest of the latest answers of the service; null: there is none'),
    watches: countField.describe('Watches of the person'),
    compared: countField.describe('Vessels whose predictions were compared'),
    changes: z.array(
      vesselFields.extend({
        severity: z
          .enum(['act', 'check', 'information'])
          .describe('That of the change, or of the most severe alert in between'),
        change: z
          .enum(differenceKinds)
          .describe(
            '`lost`: nothing is predicted any more; `as-before`, `not-compared`: there were only alerts in between',
          ),
        expectedAt: portFields.nullable().describe('The watched port, if the change is about its calls'),
        was: prospectFields.nullable().describe('Null: nothing was predicted'),
        now: prospectFields.nullable().describe('Null: nothing is predicted'),
        alerts: countField.describe('Alerts sent in between'),
      }),
    ),
    late: z
      .array(z.object({ title: z.string(), since: timeField }))
      .describe('Compared with a later moment, since nothing older is on record'),
    unchecked: z.array(z.string()).describe('Vessels and ports without a forecast to compare with'),
    ...pageFields,
    ...sourceFields,
  }),
  toLine: ({ since, page }) => joinWords('watch changes', `since ${since}`, 'mine', formatPage(page)),
  toFields(args) {
    if (args.kind !== 'changes' || args.scope !== 'mine' || args.channelId !== undefined) return undefined;
    return { since: formatSince(args.since).replace(/^since /, '') || sinceMidnight, page: args.page };
  },
  toOutput(answer, reader) {
    if (answer.kind !== 'watch-changes')
      throw new Error(`the fields of the tool never ask for ${answer.kind}`);
    const { items, of } = pageFor(answer.changes, answer.page, rowsPerPage);
    return {
      note: predicted as typeof predicted,
      since: toTime(answer.since),
      fetchedAt: answer.checked ? toTime(answer.checked.first) : null,
      watches: answer.watches,
      compared: answer.compared,
      changes: items.map(({ imo, name, severity, kind, expectedAt, was, now, alerts }) => ({
        ...toVessel(name === undefined ? { imo } : { imo, name }),
        ...{ severity, change: kind, alerts: alerts.length },
        expectedAt: expectedAt ? toPort(expectedAt) : null,
        was: was && toProspect(was),
        now: now && toProspect(now),
      })),
      late: answer.late.map(({ title, since }) => ({ title, since: toTime(since) })),
      unchecked: [...answer.unchecked],
      ...of,
      ...toSource(reader),
    };
  },
});

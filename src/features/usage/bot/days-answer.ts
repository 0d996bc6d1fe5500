import { millisecondsInDay } from 'date-fns/constants';
import type { Answer, AnswerAction } from '../../../answers/answer.ts';
import { dateRange, fullDate } from '../../../answers/formatting/times.ts';
import { counted } from '../../../answers/formatting/words.ts';
import { paged } from '../../../answers/message.ts';
import type { TimeSpan } from '../../../grammar/resolve-period.ts';
import { type CallsOfMonth, dayOf } from '../../../workspaces/call-counts.ts';
import type { AskCtx } from '../../ctx.ts';
import { byKind, dayRows, daysChart, daysTable, retriesNote, rowsPerPage } from './answer.ts';
import { sumOf } from './read-usage.ts';

/** The requests that Landfall itself sent for the workspace on some days. */
export interface UsageOfDays {
  /** Whole days of UTC; some may be still to come. */
  span: TimeSpan;
  /** When it was read. */
  at: Date;
  counts: CallsOfMonth['days'];
  /** The first day that was counted; undefined if none was. */
  since: string | undefined;
}

export async function readUsageOfDays(span: TimeSpan, ctx: AskCtx): Promise<UsageOfDays> {
  const { calls } = ctx.services;
  const counts = await calls.ofPeriod(dayOf(+span.begin), dayOf(+span.end));
  return { span, at: ctx.now(), counts, since: await calls.since() };
}

/** `others`: the months that say more, and the days before and after. */
export function daysUsageAnswer(
  { span, at, counts, since }: UsageOfDays,
  { page: asked, others }: { page: number; others: readonly AnswerAction[] },
): Answer {
  const days = daysIn(span);
  const today = dayOf(+at);
  const rows = dayRows(
    days.filter((day) => since !== undefined && day >= since && day <= today),
    counts,
  );
  const { items, ...page } = paged(rows, asked, rowsPerPage);
  const byDay = daysTable.of({
    caption: 'Calls per day',
    rows,
    shown: items,
    subject: [...days.slice(0, 1)],
  });
  const isRunning = days.includes(today);
  const total = sumOf(counts);
  const made = `Landfall made ${total === 0 ? 'no calls' : counted(total, 'call')}${isRunning ? ' so far' : ''}`;
  const name = dateRange(span.begin, new Date(+span.end - 1), 'UTC');
  return {
    membersOnly: 'API usage',
    verdict: {
      strong: `${name}: ${rows.length > 0 ? made : "Landfall's calls weren't counted yet"}`,
      lines: byKind(counts),
    },
    sections: days.length > 1 && total > 0 ? [...daysChart(rows, at, { isInTable: true }), byDay] : [],
    files: [byDay],
    notes: [
      ...(rows.length > 0 ? [countedDays({ of: days.length, counted: rows.length, isRunning })] : []),
      ...(since !== undefined && since > (days[0] ?? '')
        ? [`counted since ${fullDate(new Date(since), 'UTC')}`]
        : []),
      retriesNote,
      'what caused them by name is stored by month',
    ],
    provenance: { fetchedAt: at, cached: false, droppedRecords: 0 },
    page: { ...page, size: rowsPerPage },
    actions: { runs: others },
  };
}

const daysIn = ({ begin, end }: TimeSpan): string[] =>
  Array.from({ length: Math.round((+end - +begin) / millisecondsInDay) }, (_, index) =>
    dayOf(+begin + index * millisecondsInDay),
  );

/** `5 of 7 days were counted, today so far` */
function countedDays({ of, counted: some, isRunning }: { of: number; counted: number; isRunning: boolean }) {
  if (of === 1) return isRunning ? 'the day is counted so far' : 'the whole day was counted';
  const days = some === of ? `all ${of} days` : `${some} of ${of} days`;
  return `${days} ${some === 1 ? 'was' : 'were'} counted${isRunning ? ', today so far' : ''}`;
}

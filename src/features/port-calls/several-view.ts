import { sections } from '../../messages/blocks.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { clockName, dayRange, isoDay, spanInWords } from '../../messages/formatting/times.ts';
import { counted } from '../../messages/formatting/words.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { type Cell, dataTable } from '../../messages/rich-blocks.ts';
import { portName, portOf } from '../../reference/ports.ts';
import { pageOf } from '../paged-answer.ts';
import { callLine, callRow, markerNotes } from './call-rows.ts';
import { inWords, likelyCalls } from './likely-calls.ts';
import { failedLine, failedNote, portNotes, portsAsked, watchChoices } from './port-notes.ts';
import type { SeveralPortCalls } from './several.ts';
import type { AnswerLines } from './words.ts';

export interface SeveralPortsAnswer extends SeveralPortCalls, AnswerLines {
  kind: 'several-port-calls';
}

type Call = SeveralPortsAnswer['calls'][number];
type Port = SeveralPortsAnswer['ports'][number];

/** Less than for one port, since a row also names its port. */
export const callsPerPageOfSeveral = 40;

export function severalPortsView(answer: SeveralPortsAnswer, reader: Reader): Message {
  const { ports, failed, calls } = answer;
  const { now } = reader;
  const page = pageOf(answer, calls, { size: callsPerPageOfSeveral, reader });
  const { bold, rest } = verdictOf(answer, now);
  const portLines = [...ports.map(portLine), ...failed.map(failedLine)];
  const lines = page.items.map((call) => {
    const also = call.alsoAt.length === 0 ? [] : [`also ${escaped(portsInWords(call.alsoAt))}`];
    return [callLine(call, now, portName(call.port)), ...also].join(' · ');
  });
  const likely = likelyCalls(ports, now);
  const hidden = ports.reduce((sum, port) => sum + port.hidden, 0);
  const overdueBefore = ports.reduce((sum, port) => sum + port.overdueBefore, 0);
  const minProbability = Math.max(...ports.map((port) => port.minProbability));
  const isByEta = ports.every(({ by }) => by === 'eta');
  const hasOthers = calls.some(({ alsoAt }) => alsoAt.length > 0);
  return page.message({
    texts: [[bold, ...rest].join(' · '), ...portLines, ...lines],
    body: [
      ...sections([[`*${bold}*`, ...rest].join(' · '), ...portLines]),
      ...likely.chart,
      ...dataTable({
        caption: `Vessels that may call at ${portsInWords(ports.map(({ port }) => port))}`,
        columns: ['ETA (LT), port', 'Vessel', '%', 'In', ...(hasOthers ? ['Also at'] : []), 'IMO'].map(
          (header) => ({ header }),
        ),
        rows: page.items.map((call) => row(call, { now, hasOthers })),
        lines,
      }),
    ],
    firstNotes: hidden > 0 ? [`${hidden} under ${percent(minProbability)} hidden`] : [],
    notes: [
      ports.map(({ port }) => port).join(', '),
      'port view',
      "times are each port's own",
      ...markerNotes(page.items),
      ...undatedNotes(ports),
      ...ports.flatMap(portNotes),
      ...failedNote(failed),
      ...likely.notes,
      ...page.shownNote,
    ],
    runs: [
      ...(calls.length > 1
        ? [{ label: isByEta ? 'By probability' : 'By ETA', line: answer.otherOrderLine }]
        : []),
      { label: 'By day', line: answer.byDayLine },
      ...(hidden > 0 ? [{ label: 'Show all', line: answer.showAllLine }] : []),
      ...(overdueBefore > 0 ? [{ label: 'All dates', line: answer.allDatesLine }] : []),
    ],
    more: watchChoices(ports),
  });
}

/** A vessel at several of the ports counts once. Escaped. */
function verdictOf(answer: SeveralPortsAnswer, now: Date): { bold: string; rest: string[] } {
  const { ports, failed, calls, vessels } = answer;
  const asked = portsAsked(ports, failed);
  const dates = datesOf(answer, now);
  const when = dates === undefined ? '' : ` ${dates}`;
  const overdue = new Set(calls.flatMap(({ eta, vessel }) => (eta && eta < now ? vessel.imo : []))).size;
  const atSeveral = new Set(calls.flatMap(({ alsoAt, vessel }) => (alsoAt.length > 0 ? vessel.imo : [])))
    .size;
  const overdueBefore = ports.reduce((sum, port) => sum + port.overdueBefore, 0);
  const rest = [
    ...(overdue > 0 ? [`${overdue === vessels ? '' : `${overdue} of them `}past ETA`] : []),
    ...(atSeveral > 0 ? [`${atSeveral} of them at more than one port`] : []),
    ...(overdueBefore > 0 ? [`${overdueBefore} past ETA not counted`] : []),
  ];
  if (vessels > 0) return { bold: `${asked}: ${counted(vessels, 'vessel')} may call${when}`, rest };
  const isHidden = ports.some(({ hidden }) => hidden > 0);
  const from = isHidden
    ? ` at ${percent(Math.max(...ports.map((port) => port.minProbability)))} or more`
    : '';
  return { bold: `${asked}: no vessel predicted${from}${when}`, rest };
}

/** `Rotterdam: 14 vessels, 9.2 likely calls`. */
function portLine({ port, listedCalls, isUnknown, expected }: Port): string {
  const name = escaped(portName(port));
  if (isUnknown) return `${name}: no predictions`;
  const likely = expected.days.reduce((sum, { calls }) => sum + calls, expected.overdue + expected.undated);
  return `${name}: ${counted(listedCalls, 'vessel')} (${inWords(likely)} likely calls)`;
}

/**
 * In each port's own days. Where these differ: in UTC for a period that ends everywhere at once, such as the next 3 days,
 * else as typed, such as `tomorrow` in Shanghai and Los Angeles.
 */
function datesOf({ ports, calls, periodInWords }: SeveralPortsAnswer, now: Date): string | undefined {
  const periods = ports.flatMap(({ port, period }) => (period ? [{ port, period }] : []));
  const [first] = periods;
  if (first) {
    const spans = periods.map(({ port, period }) => spanInWords(period, portOf(port)?.zone, now));
    if (new Set(spans).size === 1) return spans[0];
    const isOneTime = new Set(periods.map(({ period }) => period.end.getTime())).size === 1;
    return isOneTime ? spanInWords(first.period, undefined, now) : periodInWords;
  }
  const days = calls
    .flatMap(({ eta, port }) => (eta && eta >= now ? isoDay(eta, portOf(port)?.zone ?? 'UTC') : []))
    .sort();
  const [firstDay, lastDay] = [days[0], days.at(-1)];
  if (firstDay === undefined || lastDay === undefined) return undefined;
  return dayRange(new Date(firstDay), new Date(lastDay), 'UTC', now);
}

function row(call: Call, { now, hasOthers }: { now: Date; hasOthers: boolean }): Cell[] {
  const clock = portOf(call.port)?.zone === undefined ? `${clockName(undefined)} ` : '';
  const [time, vessel, share, left, imo] = callRow(call, now, `${clock}${portName(call.port)}`);
  return [time, vessel, share, left, ...(hasOthers ? [portsInWords(call.alsoAt)] : []), imo];
}

const portsInWords = (ports: readonly Port['port'][]): string => ports.map(portName).join(', ');

function undatedNotes(ports: readonly Port[]): string[] {
  const undated = ports.reduce((sum, { period, withoutEta }) => sum + (period ? withoutEta : 0), 0);
  return undated > 0 ? [`${undated} without an ETA left out: they may call in another period`] : [];
}

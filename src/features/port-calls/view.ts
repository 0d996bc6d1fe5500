import { sections } from '../../messages/blocks.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { clockName, dayRange, spanInWords } from '../../messages/formatting/times.ts';
import { vesselShort } from '../../messages/formatting/vessel-label.ts';
import { counted } from '../../messages/formatting/words.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { dataTable } from '../../messages/rich-blocks.ts';
import { portInCountry, portName, portOf } from '../../reference/ports.ts';
import { pageOf } from '../paged-answer.ts';
import type { PortCall, PortCalls } from './answer.ts';
import { callLine, callRow, markerNotes, offsetNotes } from './call-rows.ts';
import { likelyCalls } from './likely-calls.ts';
import { portNotes, unknownPort } from './port-notes.ts';
import type { AnswerLines } from './words.ts';

export interface PortCallsAnswer extends PortCalls, AnswerLines {
  kind: 'port-calls';
}

/** As many as fit in the plain message, with long names. Slack shows 20 at a time. */
export const callsPerPage = 60;

export function portCallsView(answer: PortCallsAnswer, reader: Reader): Message {
  const { port } = answer;
  const { now } = reader;
  const page = pageOf(answer, answer.calls, { size: callsPerPage, reader });
  const { bold, rest } = verdictOf(answer, now);
  const lines = page.items.map((call) => callLine({ ...call, port }, now));
  const likely = likelyCalls([answer], now);
  return page.message({
    texts: [[bold, ...rest].join(' · '), ...lines],
    body: [
      ...sections([[`*${bold}*`, ...rest].join(' · ')]),
      ...likely.chart,
      ...dataTable({
        caption: `Vessels that may call at ${portName(port)}`,
        columns: [`ETA, ${clockName(portOf(port)?.zone)}`, 'Vessel', '%', 'In', 'IMO'].map((header) => ({
          header,
        })),
        rows: page.items.map((call) => callRow({ ...call, port }, now)),
        lines,
      }),
    ],
    firstNotes: answer.hidden > 0 ? [`${answer.hidden} under ${percent(answer.minProbability)} hidden`] : [],
    notes: [...notes(answer, page.items, now), ...likely.notes, ...page.shownNote],
    ...(!answer.isUnknown && { watch: `watch port ${port}` }),
    runs: [
      ...(answer.calls.length > 1
        ? [{ label: answer.by === 'eta' ? 'By probability' : 'By ETA', line: answer.otherOrderLine }]
        : []),
      ...(answer.isUnknown ? [] : [{ label: 'By day', line: answer.byDayLine }]),
      ...(answer.hidden > 0 ? [{ label: 'Show all', line: answer.showAllLine }] : []),
      ...(answer.overdueBefore > 0 ? [{ label: 'All dates', line: answer.allDatesLine }] : []),
      ...answer.also
        .slice(0, 3)
        .map((other) => ({ label: `Also: ${portInCountry(other)} (${other})`, line: `portcalls ${other}` })),
    ],
    more: page.items.slice(0, 5).map(({ vessel }) => ({
      label: `Next ports of ${vesselShort(vessel)}`,
      line: `nextport ${vessel.imo}`,
    })),
  });
}

/** Counts the vessels that are listed, on all pages. Escaped. */
function verdictOf(answer: PortCallsAnswer, now: Date): { bold: string; rest: string[] } {
  const { calls, hidden, overdueBefore, minProbability } = answer;
  const port = escaped(portName(answer.port));
  if (answer.isUnknown) return unknownPort(answer.port);
  const dates = datesOf(answer, now);
  const when = dates === undefined ? '' : ` ${dates}`;
  const overdue = calls.filter(({ eta }) => eta && eta < now).length;
  const rest = [
    ...(overdue > 0 ? [`${overdue === calls.length ? '' : `${overdue} of them `}past ETA`] : []),
    ...(overdueBefore > 0 ? [`${overdueBefore} past ETA not counted`] : []),
  ];
  if (calls.length > 0) return { bold: `${port}: ${counted(calls.length, 'vessel')} may call${when}`, rest };
  const from = hidden > 0 ? ` at ${percent(minProbability)} or more` : '';
  return { bold: `${port}: no vessel predicted${from}${when}`, rest };
}

/** The period; without one, the days from the first ETA that hasn't passed to the last. */
function datesOf({ period, calls, port }: PortCallsAnswer, now: Date): string | undefined {
  const zone = portOf(port)?.zone;
  if (period) return spanInWords(period, zone, now);
  const times = calls.flatMap(({ eta }) => (eta && eta >= now ? [eta.getTime()] : []));
  if (times.length === 0) return undefined;
  return dayRange(new Date(Math.min(...times)), new Date(Math.max(...times)), zone ?? 'UTC', now);
}

function notes(answer: PortCallsAnswer, shown: readonly PortCall[], now: Date): string[] {
  const port = portOf(answer.port);
  return [
    ...(port ? [answer.port] : []),
    'port view',
    ...(port?.zone ? offsetNotes(port.zone, shown, now) : []),
    ...markerNotes(shown),
    ...(answer.period && answer.withoutEta > 0
      ? [`${answer.withoutEta} without an ETA left out: they may call in another period`]
      : []),
    ...portNotes(answer),
  ];
}

import { sections } from '../../messages/blocks.ts';
import { percent } from '../../messages/formatting/probability.ts';
import {
  clockName,
  dayRange,
  shortPortTime,
  shortTime,
  spanInWords,
  untilEta,
  utcOffset,
} from '../../messages/formatting/times.ts';
import { vesselListed, vesselShort } from '../../messages/formatting/vessel-label.ts';
import { counted } from '../../messages/formatting/words.ts';
import { otherCodeNote } from '../../messages/frame/small-print.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { type Cell, dataTable } from '../../messages/rich-blocks.ts';
import { hasValidCheckDigit } from '../../reference/imo.ts';
import type { Locode } from '../../reference/locode.ts';
import { portInCountry, portName, portOf } from '../../reference/ports.ts';
import { type PagedAnswer, pageOf } from '../paged-answer.ts';
import type { PortCall, PortCalls } from './answer.ts';
import { likelyCalls } from './likely-calls.ts';

export interface PortCallsAnswer extends PortCalls, PagedAnswer {
  kind: 'port-calls';
  /** As it can be typed. */
  periodInWords?: string;
  /** The same line in the other order, without a minimum probability, and without its period. */
  otherOrderLine: string;
  showAllLine: string;
  allDatesLine: string;
}

/** As many as fit in the plain message, with long names. Slack shows 20 at a time. */
const pageSize = 60;

export function portCallsView(answer: PortCallsAnswer, reader: Reader): Message {
  const { port } = answer;
  const page = pageOf(answer, answer.calls, { size: pageSize, reader });
  const { bold, rest } = verdictOf(answer, reader.now);
  const lines = page.items.map((call) => callLine(port, call, reader.now));
  const likely = likelyCalls(answer, reader.now);
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
        rows: page.items.map((call) => callRow(port, call, reader.now)),
        lines,
      }),
    ],
    firstNotes: answer.hidden > 0 ? [`${answer.hidden} under ${percent(answer.minProbability)} hidden`] : [],
    notes: [...notes(answer, page.items, reader.now), ...likely.notes, ...page.shownNote],
    ...(!answer.isUnknown && { watch: `watch port ${port}` }),
    runs: [
      ...(answer.calls.length > 1
        ? [{ label: answer.by === 'eta' ? 'By probability' : 'By ETA', line: answer.otherOrderLine }]
        : []),
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
  if (answer.isUnknown)
    return {
      bold: `No predictions for ${port}`,
      rest: ['none expected, or the service does not know the port'],
    };
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

function callRow(port: Locode, { vessel, probability, eta, etaZone }: PortCall, now: Date): Cell[] {
  const { imo } = vessel;
  const name = `${markerOf(probability)}${vesselShort(vessel)}`;
  const rest = [
    { value: Math.round(probability * 1000) / 10, text: percent(probability) },
    eta ? { value: minutesUntil(eta, now), text: untilEta(eta, now) } : '–',
    `${imo}${hasValidCheckDigit(imo) ? '' : ' (check digit wrong)'}`,
  ];
  if (!eta) return ['not given', name, ...rest];
  const time = `${shortTime(eta, portOf(port)?.zone, now)}${zoneNote(etaZone)}`;
  return [{ value: eta.getTime(), text: time }, name, ...rest];
}

function callLine(port: Locode, { vessel, probability, eta, etaZone }: PortCall, now: Date): string {
  const time = eta && `${shortPortTime(eta, portOf(port)?.zone, now)}${zoneNote(etaZone)}`;
  const marked = `${markerOf(probability)}${time ?? 'ETA not given'}`;
  return [
    ...[marked, escaped(vesselListed(vessel)), percent(probability)],
    ...(eta ? [untilEta(eta, now)] : []),
  ].join(' · ');
}

const zoneNote = (etaZone: PortCall['etaZone']): string =>
  etaZone === 'assumed-utc' ? ' (zone assumed UTC)' : '';

const minutesUntil = (eta: Date, now: Date): number => Math.round((eta.getTime() - now.getTime()) / 60_000);

/** In whole percent, as the figure beside the marker. */
function markerOf(probability: number): string {
  const figure = Math.round(probability * 100);
  if (figure >= 70) return '';
  return figure >= 30 ? '🟠 ' : '⚪ ';
}

function notes(answer: PortCallsAnswer, shown: readonly PortCall[], now: Date): string[] {
  const port = portOf(answer.port);
  const marked = new Set(shown.map(({ probability }) => markerOf(probability)));
  return [
    ...(port ? [answer.port] : []),
    'port view',
    ...(port?.zone ? offsetNotes(port.zone, shown, now) : []),
    ...(marked.has('🟠 ') ? ['🟠 30–69%'] : []),
    ...(marked.has('⚪ ') ? ['⚪ under 30%'] : []),
    ...(answer.period && answer.withoutEta > 0
      ? [`${answer.withoutEta} without an ETA left out: they may call in another period`]
      : []),
    ...(answer.insteadOf ? [otherCodeNote(answer.insteadOf, answer.port)] : []),
    ...(port === undefined ? ['name and zone not known here: times are UTC'] : []),
    ...(port !== undefined && port.zone === undefined ? ['zone not known here: times are UTC'] : []),
  ];
}

/** `LT is UTC+1`; both offsets if the clocks change before the last ETA. */
function offsetNotes(zone: string, calls: readonly PortCall[], now: Date): string[] {
  const times = calls.flatMap(({ eta }) => eta ?? []).toSorted((a, b) => a.getTime() - b.getTime());
  const offsets = [...new Set([now, ...times].map((time) => utcOffset(time, zone)))];
  return times.length === 0 ? [] : [`LT is ${offsets.join(', later ')}`];
}

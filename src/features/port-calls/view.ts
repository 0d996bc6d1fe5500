import { sections } from '../../messages/blocks.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { dayLabel, dayRange, shortPortTime, untilEta } from '../../messages/formatting/times.ts';
import { vesselListed } from '../../messages/formatting/vessel-label.ts';
import { counted } from '../../messages/formatting/words.ts';
import { otherCodeNote } from '../../messages/frame/small-print.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { hasValidCheckDigit } from '../../reference/imo.ts';
import type { Locode } from '../../reference/locode.ts';
import { portLabel, portOf } from '../../reference/ports.ts';
import { type PagedAnswer, pageOf } from '../paged-answer.ts';
import type { PortCall, PortCalls } from './answer.ts';

export interface PortCallsAnswer extends PortCalls, PagedAnswer {
  kind: 'port-calls';
  /** As it can be typed. */
  periodInWords?: string;
  /** The same line in the other order, without a minimum probability, and without its period. */
  otherOrderLine: string;
  showAllLine: string;
  allDatesLine: string;
}

const maxDaysShown = 10;

export function portCallsView(answer: PortCallsAnswer, reader: Reader): Message {
  const page = pageOf(answer, answer.calls, { size: 8, reader });
  const label = escaped(portLabel(answer.port));
  const subject = answer.isUnknown ? `No predictions for ${label}` : label;
  const verdict = answer.isUnknown
    ? 'none expected, or the service does not know the port'
    : verdictOf(answer, reader.now);
  const lines = page.items.map((call) => callLine(answer.port, call, reader.now));
  return page.message({
    texts: [`${subject}: ${verdict}`, ...lines],
    body: sections([
      `*${subject}*${answer.isUnknown ? ':' : ' ·'} ${verdict}`,
      ...expectedLine(answer, reader.now),
      ...lines,
    ]),
    notes: notes(answer, page.shownNote),
    runs: [
      ...(answer.calls.length > 1
        ? [{ label: answer.by === 'eta' ? 'By probability' : 'By ETA', line: answer.otherOrderLine }]
        : []),
      ...(answer.hidden > 0 ? [{ label: 'Show all', line: answer.showAllLine }] : []),
      ...(answer.overdueBefore > 0 ? [{ label: 'All dates', line: answer.allDatesLine }] : []),
      ...answer.also
        .slice(0, 3)
        .map((port) => ({ label: `Also: ${alsoLabel(port)}`, line: `portcalls ${port}` })),
    ],
    more: page.items.slice(0, 5).map(({ vessel }) => ({
      label: `Next ports of ${vesselListed(vessel)}`,
      line: `nextport ${vessel.imo}`,
    })),
  });
}

function verdictOf(answer: PortCallsAnswer, now: Date): string {
  const { calls, hidden, overdueBefore } = answer;
  const total = calls.length + hidden;
  const zone = portOf(answer.port)?.zone;
  const dates = datesOf(answer, zone ?? 'UTC', now);
  const when = dates === undefined ? '' : `, ${dates}, ${zone === undefined ? 'UTC' : 'port time'}`;
  const passed = overdueBefore === 1 ? 'its ETA has passed' : 'their ETAs have passed';
  if (total === 0) {
    const others = overdueBefore === 0 ? '' : `, but ${overdueBefore} may: ${passed}`;
    return `no vessel is predicted to call${when}${others}`;
  }
  const unlikely = calls.length > 0 ? '' : `, all under ${percent(answer.minProbability)}`;
  const others = overdueBefore === 0 ? '' : `; ${overdueBefore} more, ${passed}`;
  return `${counted(total, 'vessel')} may call${when}${unlikely}${others}`;
}

/** The period; without one, from the first to the last ETA. */
function datesOf({ period, expected: { days } }: PortCallsAnswer, zone: string, now: Date) {
  if (period) return dayRange(period.begin, new Date(period.end.getTime() - 1), zone, now);
  const [first, last] = [days[0], days.at(-1)];
  return first && last && dayRange(new Date(first.day), new Date(last.day), 'UTC', now);
}

function expectedLine({ port, expected: { days, undated } }: PortCallsAnswer, now: Date): string[] {
  const zone = portOf(port)?.zone;
  const later = days.slice(maxDaysShown).reduce((total, { calls }) => total + calls, 0);
  const parts = [
    ...days.slice(0, maxDaysShown).map(({ day, calls }) => `${dayLabel(day, zone, now)} ${tenths(calls)}`),
    ...(days.length > maxDaysShown ? [`later ${tenths(later)}`] : []),
    ...(undated > 0 ? [`without ETA ${tenths(undated)}`] : []),
  ];
  return parts.length === 0 ? [] : [`Likely calls (sum of probabilities): ${parts.join(' · ')}`];
}

/** Never 0.0, since a call is possible. */
const tenths = (calls: number): string => (calls < 0.05 ? 'under 0.1' : calls.toFixed(1));

function callLine(port: Locode, { vessel, probability, eta, etaZone }: PortCall, now: Date): string {
  const name = escaped(vesselListed(vessel));
  if (!eta) return `ETA not given · ${name} · ${percent(probability)}`;
  const zone = etaZone === 'assumed-utc' ? ' (zone assumed UTC)' : '';
  const time = shortPortTime(eta, portOf(port)?.zone, now);
  return `${time}${zone} · ${name} · ${percent(probability)} · ${untilEta(eta, now)}`;
}

function notes(answer: PortCallsAnswer, shownNote: readonly string[]): string[] {
  const invalid = answer.calls.filter(({ vessel }) => !hasValidCheckDigit(vessel.imo)).length;
  const port = portOf(answer.port);
  return [
    'Predicted, not reported',
    'port view',
    ...shownNote,
    ...(answer.hidden > 0 ? [`${answer.hidden} under ${percent(answer.minProbability)} hidden`] : []),
    ...(answer.period && answer.withoutEta > 0
      ? [`${answer.withoutEta} without an ETA left out: they may call in another period`]
      : []),
    ...(answer.insteadOf ? [otherCodeNote(answer.insteadOf, answer.port)] : []),
    ...(port === undefined ? ['name and zone not known here'] : []),
    ...(port !== undefined && port.zone === undefined ? ['zone not known here: times are UTC'] : []),
    ...(invalid > 0 ? [`${invalid} with an invalid check digit, as given by the service`] : []),
  ];
}

/** `Rotterdam, US (USRAJ)`. */
function alsoLabel(locode: Locode): string {
  const port = portOf(locode);
  return port ? `${[port.name, port.region, port.country].filter(Boolean).join(', ')} (${locode})` : locode;
}

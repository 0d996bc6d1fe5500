import { sections } from '../../../messages/blocks.ts';
import { counted } from '../../../messages/formatting/words.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { escaped } from '../../../messages/mrkdwn.ts';
import { type Cell, dataTable } from '../../../messages/rich-blocks.ts';
import { portInCountry, portName, portOf } from '../../../reference/ports.ts';
import { pageOf } from '../../paged-answer.ts';
import { dayChartOfTable, inWords } from '../likely-calls.ts';
import { portNotes, unknownPort } from '../port-notes.ts';
import type { AnswerLines } from '../words.ts';
import {
  aboveNorm,
  busiestOf,
  dayName,
  daysInWords,
  furtherNotes,
  likelyCell,
  likelyInWords,
  methodNotes,
  normNotes,
} from './day-rows.ts';
import type { PortDay, PortDays } from './days.ts';
import type { LikelyCalls } from './spread.ts';

export interface PortDaysAnswer extends PortDays, AnswerLines {
  kind: 'port-days';
}

/** Slack's charts have as many bars. */
export const daysPerPage = 20;

/** The likely calls of each day, with their range and the port's norm. */
export function portDaysView(answer: PortDaysAnswer, reader: Reader): Message {
  const { port, isUnknown, overdue, undated, norm } = answer;
  const { now } = reader;
  const page = pageOf(answer, answer.days, { size: daysPerPage, reader });
  const { bold, rest } = isUnknown ? unknownPort(port) : verdictOf(answer, now);
  const days = isUnknown ? [] : page.items;
  const apart = [
    { name: 'Past ETA', calls: overdue },
    { name: 'No ETA', calls: undated },
  ].filter(({ calls }) => calls.vessels > 0);
  const hasNorm = norm?.kind === 'known';
  const lines = [
    ...days.map((day) => dayLine(day, now)),
    ...apart.map(({ name, calls }) => apartLine(name, calls)),
  ];
  const zone = portOf(port)?.zone;
  return page.message({
    texts: [[bold, ...rest].join(' · '), ...lines],
    body: [
      ...sections([[`*${bold}*`, ...rest].join(' · ')]),
      ...(days.length > 1
        ? dayChartOfTable(
            days.map(({ day }) => day),
            [{ port, calls: days.map(({ likely }) => likely) }],
            { zone, now },
          )
        : []),
      ...dataTable({
        caption: `Likely calls at ${portName(port)} by day`,
        columns: ['Day', 'Likely calls', ...(hasNorm ? ['Norm'] : []), 'Vessels'].map((header) => ({
          header,
        })),
        rows: [
          ...days.map((day) => dayRow(day, { now, hasNorm })),
          ...apart.map(({ name, calls }) => apartRow(name, calls, hasNorm)),
        ],
        lines,
      }),
    ],
    notes: [
      ...(portOf(port) ? [port] : []),
      'port view',
      ...(isUnknown ? [] : [...methodNotes, ...normNotes([answer]), ...furtherNotes([answer], now)]),
      ...portNotes(answer),
      ...page.shownNote,
    ],
    ...(!isUnknown && { watch: `watch port ${port}` }),
    runs: [
      ...(isUnknown ? [] : [{ label: 'By ETA', line: answer.otherOrderLine }]),
      ...answer.also.slice(0, 3).map((other) => ({
        label: `Also: ${portInCountry(other)} (${other})`,
        line: `portcalls ${other} by day`,
      })),
    ],
  });
}

/** Escaped. */
function verdictOf({ port, days, total }: PortDaysAnswer, now: Date): { bold: string; rest: string[] } {
  const name = escaped(portName(port));
  const dates = daysInWords(days, now);
  const busiest = busiestOf(days);
  if (!busiest) return { bold: `${name}: no likely calls ${dates}`, rest: [] };
  const above = aboveNorm(days, now);
  if (days.length === 1) return { bold: `${name}: ${likelyInWords(busiest)} ${dates}`, rest: above };
  return {
    bold: `${name}: busiest ${dayName(busiest.day, now)}, ${likelyInWords(busiest)}`,
    rest: [`${dates}: ${likelyInWords(total)}`, ...above],
  };
}

function dayRow(day: PortDay, { now, hasNorm }: { now: Date; hasNorm: boolean }): Cell[] {
  const name = `${markerOf(day)}${dayName(day.day, now)}`;
  return [
    { value: Date.parse(day.day), text: name },
    likelyCell(day),
    ...(hasNorm ? [normCell(day)] : []),
    { value: day.vessels, text: String(day.vessels) },
  ];
}

const apartRow = (name: string, calls: LikelyCalls, hasNorm: boolean): Cell[] => [
  name,
  likelyCell(calls),
  ...(hasNorm ? ['–'] : []),
  { value: calls.vessels, text: String(calls.vessels) },
];

const normCell = ({ norm }: PortDay): Cell =>
  norm ? { value: Math.round(norm.median * 100) / 100, text: inWords(norm.median) } : '–';

function dayLine(day: PortDay, now: Date): string {
  const norm = day.norm ? [`norm ${inWords(day.norm.median)}`] : [];
  return [
    `${markerOf(day)}${dayName(day.day, now)}`,
    likelyInWords(day),
    ...norm,
    counted(day.vessels, 'vessel'),
  ].join(' · ');
}

const apartLine = (name: string, calls: LikelyCalls): string =>
  [name, likelyInWords(calls), counted(calls.vessels, 'vessel')].join(' · ');

const markerOf = ({ isAbove }: PortDay): string => (isAbove ? '🟠 ' : '');

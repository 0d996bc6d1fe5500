import { sections } from '../../../messages/blocks.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { escaped } from '../../../messages/mrkdwn.ts';
import { type Cell, dataTable } from '../../../messages/rich-blocks.ts';
import { portName, portOf } from '../../../reference/ports.ts';
import type { Provenance } from '../../../reference/provenance.ts';
import { pageOf } from '../../paged-answer.ts';
import { dayChartOfTable, inWords } from '../likely-calls.ts';
import { failedLine, failedNote, portNotes, portsAsked, watchChoices } from '../port-notes.ts';
import type { FailedPort } from '../several.ts';
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
  withRange,
} from './day-rows.ts';
import type { PortDays } from './days.ts';
import { daysPerPage } from './days-view.ts';
import type { LikelyCalls } from './spread.ts';

export interface SeveralPortDaysAnswer extends AnswerLines, Provenance {
  kind: 'several-port-days';
  /** In the typed order. */
  ports: readonly PortDays[];
  failed: readonly FailedPort[];
}

/** A day, or vessels that may call on any day. */
interface Row {
  name: string;
  /** If it is a day. */
  day?: string;
  /** The sum for all ports. */
  likely: number;
  /** In the order of the ports; undefined if the port's days don't include this one. */
  cells: readonly { calls: LikelyCalls | undefined; isAbove: boolean }[];
}

/** A column for each port. */
export function severalPortDaysView(answer: SeveralPortDaysAnswer, reader: Reader): Message {
  const { ports, failed } = answer;
  const { now } = reader;
  const known = ports.filter(({ isUnknown }) => !isUnknown);
  const page = pageOf(answer, daysOfAll(known, now), { size: daysPerPage, reader });
  const rows = [...page.items, ...apartRows(known)];
  const { bold, rest } = verdictOf(answer, now);
  const portLines = [...ports.map((port) => portLine(port, now)), ...failed.map(failedLine)];
  const lines = rows.map((row) => lineOf(row, known));
  const [first] = known;
  return page.message({
    texts: [[bold, ...rest].join(' · '), ...portLines, ...lines],
    body: [
      ...sections([[`*${bold}*`, ...rest].join(' · '), ...portLines]),
      ...(page.items.length > 1
        ? dayChartOfTable(
            page.items.map(({ day = '' }) => day),
            known.map(({ port }, index) => ({
              port,
              calls: page.items.map(({ cells }) => cells[index]?.calls?.likely ?? 0),
            })),
            { zone: first && portOf(first.port)?.zone, now },
          )
        : []),
      ...dataTable({
        caption: `Likely calls by day at ${known.map(({ port }) => portName(port)).join(', ')}`,
        columns: ['Day', 'All', ...known.map(({ port }) => portName(port))].map((header) => ({ header })),
        rows: rows.map(cellsOf),
        lines,
      }),
    ],
    notes: [
      ports.map(({ port }) => port).join(', '),
      'port view',
      "days are each port's own",
      ...methodNotes,
      ...normNotes(known),
      ...furtherNotes(known, now),
      ...ports.flatMap(portNotes),
      ...failedNote(failed),
      ...page.shownNote,
    ],
    runs: [{ label: 'By ETA', line: answer.otherOrderLine }],
    more: watchChoices(ports),
  });
}

/** The days of each port's calendar, from the first to the last of all. */
function daysOfAll(ports: readonly PortDays[], now: Date): Row[] {
  const days = [...new Set(ports.flatMap((port) => port.days.map(({ day }) => day)))].sort();
  return days.map((day) => {
    const found = ports.map((port) => port.days.find((each) => each.day === day));
    return {
      name: dayName(day, now),
      day,
      likely: sumOf(found),
      cells: found.map((calls) => ({ calls, isAbove: calls?.isAbove ?? false })),
    };
  });
}

function apartRows(ports: readonly PortDays[]): Row[] {
  const rows = [
    { name: 'Past ETA', found: ports.map(({ overdue }) => overdue) },
    { name: 'No ETA', found: ports.map(({ undated }) => undated) },
  ];
  return rows
    .filter(({ found }) => found.some(({ vessels }) => vessels > 0))
    .map(({ name, found }) => ({
      name,
      likely: sumOf(found),
      cells: found.map((calls) => ({ calls, isAbove: false })),
    }));
}

const sumOf = (all: readonly (LikelyCalls | undefined)[]): number =>
  all.reduce((sum, calls) => sum + (calls?.likely ?? 0), 0);

/** Escaped. */
function verdictOf({ ports, failed }: SeveralPortDaysAnswer, now: Date): { bold: string; rest: string[] } {
  const name = portsAsked(ports, failed);
  const rows = daysOfAll(ports, now);
  const busiest = busiestOf(rows);
  const dates = daysInWords(
    rows.flatMap(({ day }) => (day === undefined ? [] : { day })),
    now,
  );
  if (!busiest) return { bold: `${name}: no likely calls ${dates}`, rest: [] };
  const figure = `${inWords(busiest.likely)} likely calls`;
  if (rows.length === 1) return { bold: `${name}: ${figure} ${dates}`, rest: [] };
  const likely = rows.reduce((sum, row) => sum + row.likely, 0);
  return {
    bold: `${name}: busiest ${busiest.name}, ${figure}`,
    rest: [`${dates}: ${inWords(likely)} likely calls`],
  };
}

/** `Rotterdam: busiest Wed 25 Nov, 12 likely calls (9–14) · 🟠 above the norm: Wed 25 Nov`. */
function portLine({ port, isUnknown, days }: PortDays, now: Date): string {
  const name = escaped(portName(port));
  const busiest = busiestOf(days);
  if (isUnknown) return `${name}: no predictions`;
  if (!busiest) return `${name}: no likely calls`;
  const when = days.length === 1 ? '' : `busiest ${dayName(busiest.day, now)}, `;
  return [`${name}: ${when}${likelyInWords(busiest)}`, ...aboveNorm(days, now)].join(' · ');
}

const cellsOf = ({ name, day, likely, cells }: Row): Cell[] => [
  day === undefined ? name : { value: Date.parse(day), text: name },
  { value: Math.round(likely * 100) / 100, text: inWords(likely) },
  ...cells.map(({ calls, isAbove }) => (calls ? likelyCell(calls, isAbove ? '🟠 ' : '') : '–')),
];

const lineOf = ({ name, likely, cells }: Row, ports: readonly PortDays[]): string =>
  [
    name,
    `${inWords(likely)} likely calls`,
    ...cells.flatMap(({ calls, isAbove }, index) => {
      const port = ports[index];
      return port && calls && calls.vessels > 0
        ? [`${isAbove ? '🟠 ' : ''}${escaped(portName(port.port))} ${withRange(calls)}`]
        : [];
    }),
  ].join(' · ');

import type { ExportTable } from '../../../answers/export-table.ts';
import { sections } from '../../../messages/blocks.ts';
import { percent } from '../../../messages/formatting/probability.ts';
import {
  dateRange,
  portTimeInColumn,
  roundedDuration,
  unbroken,
} from '../../../messages/formatting/times.ts';
import { type KnownVessel, vesselShort } from '../../../messages/formatting/vessel-label.ts';
import { counted } from '../../../messages/formatting/words.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { channelMention, escaped } from '../../../messages/mrkdwn.ts';
import { type Cell, dataTable } from '../../../messages/rich-blocks.ts';
import {
  calibrationOf,
  type FinishedCall,
  hasStayed,
  type Lane,
  type Lead,
  leads,
  mainLead,
  minutesMoved,
  type StabilityRow,
  stabilityOf,
  stabilityRows,
} from '../../../predictions/stability.ts';
import type { Locode } from '../../../reference/locode.ts';
import { portName, portOf } from '../../../reference/ports.ts';
import type { Scope } from '../../owned.ts';
import { pageOf } from '../../paged-answer.ts';
import { type Column, defineServiceTable, portColumns, vesselColumns } from '../../table.ts';
import {
  calibrationLines,
  calibrationNote,
  movedInWords,
  shareInWords,
  spreadInWords,
  stayedInWords,
} from '../../stability/index.ts';
import { noWatches } from './watch-list.ts';

export interface StabilityAnswer {
  kind: 'watch-stability';
  line: string;
  /** The line that lists the watches of the same place. */
  listLine: string;
  page: number;
  scope: Scope;
  /** Set if the watches are in another channel. */
  channelId?: string;
  about:
    | { kind: 'watched' }
    | { kind: 'group'; title: string }
    | { kind: 'vessel'; vessel: KnownVessel }
    | ({ kind: 'lane' } & Lane);
  /** How many vessels were looked at. */
  vessels: number;
  /** The newest first. */
  calls: readonly StabilityCall[];
}

export type StabilityCall = FinishedCall & KnownVessel;

export const rowsPerPage = 25;

/** The lead of the verdict comes first, since a phone shows two columns. */
const shownLeads = [mainLead, 72, 24] as const satisfies readonly Lead[];

/** How often the port on top stayed on top. A table of vessels and lanes, or of the calls of one of them. */
export function stabilityView(answer: StabilityAnswer, reader: Reader): Message {
  const { about, calls, listLine, line, page } = answer;
  if (about.kind === 'watched' && answer.vessels === 0) return noWatches(answer, reader);
  const provenance = { fetchedAt: reader.now, cached: false, droppedRecords: 0 };
  const isOfOne = about.kind === 'vessel' || about.kind === 'lane';
  const names = new Map(calls.map((call) => [call.imo, nameOf(call)]));
  const items = isOfOne
    ? calls.map((call) => callRow(call, answer, reader.now))
    : stabilityRows(calls).map((row) => groupRow(row, names));
  const paged = pageOf({ line, page, ...provenance }, items, { size: rowsPerPage, reader });
  const stability = stabilityOf(calls);
  const title = titleOf(answer);
  const verdict =
    calls.length === 0 ? `${title}: no call has ended yet` : `${title}: ${stayedInWords(stability)}`;
  const bins = calibrationLines(calibrationOf(calls));
  const moved = movedInWords(stability);
  const rest = calls.length === 0 ? [whyNone(answer)] : [];
  return paged.message({
    texts: [[verdict, ...moved].join(' · '), ...rest, ...bins, ...paged.items.map(({ text }) => text)],
    body: [
      ...sections([[`*${verdict}*`, ...moved].join(' · '), ...rest]),
      ...dataTable({
        caption: isOfOne
          ? 'The port on top, hours before the last ETA of each call'
          : 'Calls in which the port on top stayed on top, hours before the last ETA',
        columns: (isOfOne ? callColumns(about) : groupColumns).map((header) => ({ header })),
        rows: paged.items.map(({ cells }) => cells),
        lines: paged.items.map(({ text }) => text),
      }),
      ...sections(bins),
    ],
    notes: [...notesOf(answer, bins.length > 0), ...paged.shownNote],
    isForecast: false,
    runs: [
      ...(about.kind === 'vessel'
        ? [{ label: 'History', line: `nextport ${about.vessel.imo} history` }]
        : []),
      ...(about.kind === 'watched' ? [{ label: 'List the watches', line: listLine }] : []),
      ...(isOfOne ? [{ label: 'All watched here', line: 'watch stability' }] : []),
    ],
  });
}

/** In mrkdwn. */
function titleOf({ about, scope, channelId }: StabilityAnswer): string {
  switch (about.kind) {
    case 'watched':
      return channelId === undefined ? places[scope] : `Watched in ${channelMention(channelId)}`;
    case 'group':
      return escaped(about.title);
    case 'vessel':
      return escaped(vesselShort(about.vessel));
    case 'lane':
      return escaped(laneName(about));
  }
}

const places: Record<Scope, string> = {
  channel: 'Watched here',
  mine: 'Your watches',
  all: 'Your channels',
};

const laneName = ({ origin, destination }: Lane): string => `${portName(origin)} → ${portName(destination)}`;
const nameOf = ({ imo, name }: KnownVessel): string =>
  vesselShort({ imo, ...(name !== undefined && { name }) });

const whyNone = ({ about }: StabilityAnswer): string =>
  about.kind === 'lane'
    ? 'No watched vessel has made this leg, from one call that ended while watched to the next.'
    : 'A call counts once its port leaves the predictions at its ETA, while the vessel is watched.';

interface Row {
  cells: Cell[];
  /** In mrkdwn. */
  text: string;
}

const leadHeaders = shownLeads.map((lead) => `${lead} h before`);
const groupColumns = ['Vessel or lane', ...leadHeaders, 'ETA moved', 'Calls'];

function groupRow(row: StabilityRow, names: ReadonlyMap<number, string>): Row {
  const { onTop, etaMoved, calls } = row;
  const name = row.kind === 'vessel' ? (names.get(row.imo) ?? '') : laneName(row);
  const shares = shownLeads.map((lead) => ({ lead, ...onTop[lead], text: shareInWords(onTop[lead]) }));
  const moved = etaMoved ? spreadInWords(etaMoved) : '–';
  return {
    cells: [
      name,
      ...shares.map(({ count, of, text }) => (of === 0 ? text : { value: count / of, text })),
      etaMoved ? { value: etaMoved.median, text: moved } : moved,
      { value: calls, text: calls.toLocaleString('en') },
    ],
    text: escaped(
      [
        withLeads(
          name,
          shares.map(({ text }) => text),
        ),
        ...(etaMoved ? [`ETA moved ${moved}`] : []),
        counted(calls, 'call'),
      ].join(' · '),
    ),
  };
}

/** `DS CYPRESS: 48 h 84% (16 of 19), 24 h 1 of 1`: without the leads of which nothing is known. */
function withLeads(name: string, before: readonly string[]): string {
  const known = shownLeads.flatMap((lead, index) => {
    const text = before[index] ?? '–';
    return text === '–' ? [] : [`${lead} h ${text}`];
  });
  return known.length > 0 ? `${name}: ${known.join(', ')}` : name;
}

const callColumns = ({ kind }: StabilityAnswer['about']): string[] => [
  kind === 'lane' ? 'Vessel, last ETA (LT)' : 'Call, last ETA (LT)',
  ...leadHeaders,
  'ETA moved',
  ...(kind === 'lane' ? [] : ['From']),
];

function callRow(call: StabilityCall, { about }: StabilityAnswer, now: Date): Row {
  const { port, lastEta, previousPort, readings } = call;
  const eta = portTimeInColumn(lastEta, portOf(port)?.zone, now);
  const who = about.kind === 'lane' ? nameOf(call) : portName(port);
  const before = shownLeads.map((lead) => {
    const reading = readings[lead];
    if (!reading) return '–';
    const where = reading.port === port ? 'same' : portName(reading.port);
    return `${where} ${percent(reading.probability)}`;
  });
  const minutes = minutesMoved(call);
  const moved = minutes === null ? '–' : shiftInWords(minutes);
  return {
    cells: [
      `${who} · ${eta}`,
      ...before,
      minutes === null ? moved : { value: minutes, text: moved },
      ...(about.kind === 'lane' ? [] : [fromInWords(previousPort)]),
    ],
    text: escaped(
      [
        withLeads(`${who}, ${eta}`, before),
        ...(minutes === null ? [] : [`ETA ${moved}`]),
        ...(about.kind === 'lane' || previousPort === null ? [] : [`from ${portName(previousPort)}`]),
      ].join(' · '),
    ),
  };
}

const fromInWords = (port: Locode | null): string => (port === null ? '–' : portName(port));

/** `+5 h`, `−40 min`, `±0`. */
function shiftInWords(minutes: number): string {
  if (minutes === 0) return '±0';
  return unbroken(`${minutes > 0 ? '+' : '−'}${roundedDuration(Math.abs(minutes))}`);
}

/** Below, chance plays a large part. */
const someCalls = 10;

function notesOf({ calls }: StabilityAnswer, hasCalibration: boolean): string[] {
  const [newest, oldest] = [calls[0]?.endedAt, calls.at(-1)?.endedAt];
  if (!newest || !oldest) return [];
  return [
    `${counted(calls.length, 'call')} that ended ${dateRange(oldest, newest, 'UTC')}: the port left the predictions at its ETA`,
    ...(calls.length < someCalls ? ['so few that chance plays a large part'] : []),
    ...(hasCalibration ? [calibrationNote] : []),
    'stability, not accuracy',
  ].map(escaped);
}

/** Every call, also where the answer shows a row for each vessel. */
export const stabilityTable = ({ calls }: StabilityAnswer, reader: Reader): ExportTable =>
  finishedCalls.of({ rows: calls, fetchedAt: ({ endedAt }) => endedAt, reader });

const columnsAt = (lead: Lead): Column<StabilityCall>[] => [
  ...portColumns<StabilityCall>(({ readings }) => readings[lead]?.port, {
    prefix: `before_${lead}h_`,
    about: `port on top ${lead} h before the last ETA`,
  }),
  {
    key: `before_${lead}h_probability`,
    about: 'its probability then, from 0 to 1',
    value: ({ readings }) => readings[lead]?.probability,
  },
  { key: `before_${lead}h_eta`, about: 'its ETA then, in UTC', value: ({ readings }) => readings[lead]?.eta },
  {
    key: `stayed_${lead}h`,
    about: 'whether it was still on top at the end; empty if nothing is known of that time',
    value: (call) => (call.readings[lead] ? hasStayed(call, lead) : undefined),
  },
  {
    key: `eta_moved_${lead}h_minutes`,
    about: 'how much later the last ETA is, if the port stayed',
    value: (call) => minutesMoved(call, lead),
  },
];

export const finishedCalls = defineServiceTable<StabilityCall>({
  name: 'finished-calls',
  about:
    'A call that ended while its vessel was watched: its port left the predictions at its ETA; the newest first',
  columns: [
    ...vesselColumns<StabilityCall>(({ imo, name }) => ({ imo, ...(name !== undefined && { name }) })),
    ...portColumns<StabilityCall>(({ previousPort }) => previousPort ?? undefined, {
      prefix: 'previous_',
      about: 'port of the call before',
    }),
    ...portColumns<StabilityCall>(({ port }) => port, { about: 'port on top at the end' }),
    { key: 'last_eta', about: 'its last ETA, in UTC', value: ({ lastEta }) => lastEta },
    { key: 'ended_at', about: 'the first poll without the port, in UTC', value: ({ endedAt }) => endedAt },
    ...leads.flatMap(columnsAt),
  ],
});

import { z } from 'zod';
import { type Answer, type AnswerAction, historyOf, lines, watchesIn } from '../../answers/answer.ts';
import { dateRange, portTimeInColumn, roundedDuration, unbroken } from '../../answers/formatting/times.ts';
import {
  counted,
  type KnownVessel,
  percent,
  vesselShort,
  wilsonInterval,
} from '../../answers/formatting/words.ts';
import { count, field, number, port, share, shown, vessel } from '../../answers/kinds.ts';
import { paged } from '../../answers/message.ts';
import { type ColumnKind, table } from '../../answers/table.ts';
import { onlyInTable, type Text } from '../../answers/text.ts';
import {
  type CalibrationBin,
  calibration,
  calibrationOf,
  type FinishedCall,
  hasStayed,
  type Lane,
  type Lead,
  leads,
  mainLead,
  minutesMoved,
  type Spread,
  type Stability,
  type StabilityRow,
  stabilityOf,
  stabilityRows,
} from '../../predictions/stability.ts';
import { portName, portOf } from '../../reference/ports.ts';
import type { Scoped } from '../history/index.ts';
import type { Scope } from '../scope.ts';

export interface StabilityCall extends FinishedCall {
  vessel: KnownVessel;
}

export interface FoundCalls extends Scoped {
  about:
    | { kind: 'watched' }
    | { kind: 'group'; title: string }
    | { kind: 'vessel'; vessel: KnownVessel }
    | ({ kind: 'lane' } & Lane);
  /** The newest first. */
  calls: readonly StabilityCall[];
}

/** Below, there are no percentages. */
const fewCalls = 5;

const fieldsAt = (lead: Lead): Record<string, ColumnKind<ShownCall>> => ({
  [`before_${lead}h_port`]: port(
    null,
    `port on top ${lead} h before the last ETA`,
    ({ readings }) => readings[lead]?.port,
  ),
  [`before_${lead}h_probability`]: field(
    'share',
    'its probability then, from 0 to 1',
    ({ readings }) => readings[lead]?.probability,
  ),
  [`before_${lead}h_eta`]: field('instant', 'its ETA then, in UTC', ({ readings }) => readings[lead]?.eta),
  [`stayed_${lead}h`]: field(
    'boolean',
    'whether it was still on top at the end; empty if nothing is known of that time',
    (call) => (call.readings[lead] ? hasStayed(call, lead) : undefined),
  ),
  [`eta_moved_${lead}h_minutes`]: field(
    'number',
    'how much later the last ETA is, if the port stayed',
    (call) => minutesMoved(call, lead),
  ),
});

/** The port on top then: `same 82%`. */
const portBefore = (lead: Lead): ColumnKind<ShownCall> =>
  shown(`${lead} h before`, ({ readings, port: last }) => {
    const reading = readings[lead];
    if (!reading) return { text: none };
    const words = `${reading.port === last ? 'same' : portName(reading.port)} ${percent(reading.probability)}`;
    return { text: { inTable: words, inLine: `${lead} h ${words}` } };
  });

const none = onlyInTable('–');

type ShownCall = StabilityCall & { isOfLane: boolean };

/** Of one vessel or lane. */
export const callsTable = table<ShownCall>({
  name: 'finished-calls',
  about:
    'A call that ended while its vessel was watched: its port left the predictions at its ETA; the newest first',
  isOfService: true,
  columns: {
    vessel: vessel(null, (call) => call.vessel),
    previous_port: port(null, 'port of the call before', ({ previousPort }) => previousPort ?? undefined),
    port: port('{what}, last ETA (LT)', 'port on top at the end', (call) => call.port, {
      words: (call, { now }) => {
        const name = call.isOfLane ? vesselShort(call.vessel) : portName(call.port);
        const eta = portTimeInColumn(call.lastEta, portOf(call.port)?.zone, now);
        return { inTable: `${name} · ${eta}`, inLine: `${name}, ${eta}` };
      },
    }),
    last_eta: field('instant', 'its last ETA, in UTC', ({ lastEta }) => lastEta),
    ended_at: field('instant', 'the first poll without the port, in UTC', ({ endedAt }) => endedAt),
    ...fieldsAt(72),
    ...fieldsAt(48),
    ...fieldsAt(24),
    shown_72h: portBefore(72),
    shown_48h: portBefore(48),
    shown_24h: portBefore(24),
    moved: shown('ETA moved', (call) => {
      const minutes = minutesMoved(call);
      if (minutes === null) return { text: none };
      const words = shiftInWords(minutes);
      return { sort: minutes, text: { inTable: words, inLine: `ETA ${words}` } };
    }),
    from: shown('From', ({ isOfLane, previousPort }) => {
      if (isOfLane) return '';
      if (previousPort === null) return { text: none };
      return { text: { inTable: portName(previousPort), inLine: `from ${portName(previousPort)}` } };
    }),
  },
});

/** `+5 h`, `−40 min`, `±0`. */
function shiftInWords(minutes: number): string {
  if (minutes === 0) return '±0';
  return unbroken(`${minutes > 0 ? '+' : '−'}${roundedDuration(Math.abs(minutes))}`);
}

type Row = StabilityRow & { vessel: KnownVessel | undefined };

const stayedAt = (lead: Lead): Record<string, ColumnKind<Row>> => ({
  [`stayed_${lead}h`]: share(
    `${lead} h before`,
    `in how many calls the port on top ${lead} h before the last ETA was still on top at the end`,
    ({ onTop }) => [onTop[lead].count, onTop[lead].of],
    { minimum: fewCalls, none: '–' },
  ),
  [`known_${lead}h`]: field(
    'count',
    'of so many calls with a prediction from then',
    ({ onTop }) => onTop[lead].of,
  ),
});

/** Of several vessels. */
export const stabilityTable = table<Row>({
  name: 'stability',
  about:
    'A vessel, or a lane of which they made several calls, and how its predictions held; the most calls first',
  isOfService: true,
  columns: {
    vessel: vessel('Vessel or lane', (row) => row.vessel, {
      words: (row) => (row.vessel ? vesselShort(row.vessel) : row.kind === 'lane' ? laneName(row) : ''),
    }),
    origin: port(null, 'port of the call before, for a lane', (row) =>
      row.kind === 'lane' ? row.origin : undefined,
    ),
    destination: port(null, 'port of a lane', (row) => (row.kind === 'lane' ? row.destination : undefined)),
    ...stayedAt(72),
    ...stayedAt(48),
    ...stayedAt(24),
    eta_moved_minutes: number(
      'ETA moved',
      'median from 48 h before to the end, earlier or later, where the port stayed',
      ({ etaMoved }) => etaMoved?.median,
      { words: ({ etaMoved }) => (etaMoved ? spreadInWords(etaMoved) : '–') },
    ),
    eta_moved_lower_minutes: field('number', 'lower quartile', ({ etaMoved }) => etaMoved?.lower),
    eta_moved_upper_minutes: field('number', 'upper quartile', ({ etaMoved }) => etaMoved?.upper),
    calls: count('Calls', 'calls that ended while watched', ({ calls }) => calls, {
      isLabelled: false,
      words: ({ calls }) => ({ inTable: calls.toLocaleString('en'), inLine: counted(calls, 'call') }),
    }),
  },
});

const total = z.int().min(0);
const share0to1 = z.number().min(0).max(1);

/** The figures of all calls together, for assistants. */
export const stabilityOutcome = {
  calls: total.describe('Calls that ended while watched; from few calls, chance plays a large part'),
  stayedOnTop: z
    .array(z.object({ hoursBefore: z.int(), stayed: total, of: total }))
    .describe(
      'In how many calls the likeliest port, so many hours before the last ETA, was still the likeliest at the end; `of`: those with a prediction from then',
    ),
  etaMovedMinutes: z
    .object({ median: total, lower: total, upper: total, of: total })
    .nullable()
    .describe('Earlier or later, from 48 hours before to the end, where the port stayed; with the quartiles'),
  calibration: z
    .array(z.object({ from: share0to1, to: share0to1, stayed: total, of: total }))
    .describe(
      'By what the service said 48 hours before, from `from` up to `to`: in how many calls the port stayed; empty for few calls',
    ),
};

export function outcomeOf(calls: readonly FinishedCall[]): z.output<z.ZodObject<typeof stabilityOutcome>> {
  const { onTop, etaMoved } = stabilityOf(calls);
  return {
    calls: calls.length,
    stayedOnTop: leads.map((lead) => ({
      hoursBefore: lead,
      stayed: onTop[lead].count,
      of: onTop[lead].of,
    })),
    etaMovedMinutes: etaMoved,
    calibration: calibrationOf(calls).map(({ count: stayed, ...bin }) => ({ ...bin, stayed })),
  };
}

const laneName = ({ origin, destination }: Lane): string => `${portName(origin)} → ${portName(destination)}`;

const rowsPerPage = 25;

/** How often the port on top stayed on top: vessels and lanes, or the calls of one of them. */
export function stabilityAnswer(
  found: FoundCalls,
  { now, page: asked, here }: { now: Date; page: number; here: string },
): Answer {
  const { about, calls } = found;
  const stability = stabilityOf(calls);
  const bins = calibrationLines(calibrationOf(calls));
  const verdict = calls.length === 0 ? 'no call has ended yet' : stayedInWords(stability);
  const isOfOne = about.kind === 'vessel' || about.kind === 'lane';
  const allCalls = calls.map((call) => ({ ...call, isOfLane: about.kind === 'lane' }));
  const rows = isOfOne ? [] : rowsOf(calls);
  const { items, ...page } = paged<ShownCall | Row>(isOfOne ? allCalls : rows, asked, rowsPerPage);
  const shownOf = <One extends ShownCall | Row>(all: readonly One[]) =>
    all.filter((one) => items.includes(one));
  const callsOf = (onPage: readonly ShownCall[]) =>
    callsTable.of({
      caption: 'The port on top, hours before the last ETA of each call',
      rows: allCalls,
      shown: onPage,
      words: { what: about.kind === 'lane' ? 'Vessel' : 'Call' },
      fetchedAt: ({ endedAt }) => endedAt,
    });
  const groups = stabilityTable.of({
    caption: 'Calls in which the port on top stayed on top, hours before the last ETA',
    rows,
    shown: shownOf(rows),
  });
  return {
    verdict: {
      strong: [titleOf(found), `: ${verdict}`],
      rest: movedInWords(stability).map((moved) => ` · ${moved}`),
      lines: calls.length === 0 ? [whyNone(about)] : [],
    },
    sections: [isOfOne ? callsOf(shownOf(allCalls)) : groups, ...lines(bins)],
    // A file has every call.
    files: isOfOne ? [callsOf(allCalls)] : [callsOf(allCalls), groups],
    notes: notesOf(calls, bins.length > 0),
    provenance: { fetchedAt: now, cached: false, droppedRecords: 0 },
    page: { ...page, size: rowsPerPage },
    outcome: outcomeOf(calls),
    actions: { about: titleOf(found), runs: actionsOf(found, here) },
  };
}

function rowsOf(calls: readonly StabilityCall[]): Row[] {
  const vessels = new Map(calls.map((call) => [call.imo, call.vessel]));
  return stabilityRows(calls).map((row) => ({
    ...row,
    vessel: row.kind === 'vessel' ? vessels.get(row.imo) : undefined,
  }));
}

function titleOf({ about, scope, channelId }: FoundCalls): Text {
  switch (about.kind) {
    case 'watched':
      return channelId === undefined ? places[scope] : ['Watched in ', { channel: channelId }];
    case 'group':
      return about.title;
    case 'vessel':
      return vesselShort(about.vessel);
    case 'lane':
      return laneName(about);
  }
}

const places: Record<Scope, string> = {
  channel: 'Watched here',
  mine: 'Your watches',
  all: 'Your channels',
};

const whyNone = ({ kind }: FoundCalls['about']): string =>
  kind === 'lane'
    ? 'No watched vessel has made this leg, from one call that ended while watched to the next.'
    : 'A call counts once its port leaves the predictions at its ETA, while the vessel is watched.';

/** Below, chance plays a large part. */
const someCalls = 10;

function notesOf(calls: readonly StabilityCall[], hasCalibration: boolean): string[] {
  const [newest, oldest] = [calls[0]?.endedAt, calls.at(-1)?.endedAt];
  if (!newest || !oldest) return [];
  return [
    `${counted(calls.length, 'call')} that ended ${dateRange(oldest, newest, 'UTC')}: the port left the predictions at its ETA`,
    ...(calls.length < someCalls ? ['so few that chance plays a large part'] : []),
    ...(hasCalibration ? [calibrationNote] : []),
    'stability, not accuracy',
  ];
}

/** `here`: the line about all vessels that are watched here. */
function actionsOf({ about, scope, channelId }: FoundCalls, here: string): AnswerAction[] {
  if (about.kind === 'watched')
    return [{ label: 'List the watches', intent: watchesIn({ scope, channelId }) }];
  return [
    ...(about.kind === 'vessel' ? [{ label: 'History', intent: historyOf(about.vessel.imo) }] : []),
    ...(about.kind === 'group' ? [] : [{ label: 'All watched here', line: here }]),
  ];
}

/** `the top port 48 h before stayed on top in 83% of calls (34 of 41)`. */
export function stayedInWords({ calls, onTop }: Stability): string {
  const { count, of } = onTop[mainLead];
  if (of === 0) return `${counted(calls, 'call')} ended while watched, none followed for ${mainLead} h`;
  const before = `the top port ${mainLead} h before stayed on top`;
  // A percentage of so few would look like more than it is.
  if (of < fewCalls) return `${before} in ${count} of ${counted(of, 'call')}`;
  return `${before} in ${percent(count / of)} of calls (${count} of ${of})`;
}

/** `ETA moved 5 h (median)`; nothing if no port stayed. */
export const movedInWords = ({ etaMoved }: Stability): string[] =>
  etaMoved ? [`ETA moved ${roundedDuration(etaMoved.median)}${etaMoved.of > 1 ? ' (median)' : ''}`] : [];

/** `5 h (2 h to 9 h)`: the median and the middle half. */
export function spreadInWords({ median, lower, upper, of }: Spread): string {
  const [shown, from, to] = [median, lower, upper].map(roundedDuration);
  return of < fewCalls || from === to ? `${shown}` : `${shown} (${from} to ${to})`;
}

/** `When the service said 80–90% 48 h before, the top port stayed in 83% of 41 calls (95%: 69–91%)`, the next ones shorter. */
const calibrationLines = (bins: readonly CalibrationBin[]): string[] =>
  bins.map(({ from, to, count, of }, index) => {
    const said = `${Math.round(from * 100)}–${Math.round(to * 100)}%`;
    const { low, high } = wilsonInterval(count, of);
    const stayed = `${percent(count / of)} of ${of} calls (95%: ${percent(low).replace('%', '')}–${percent(high)})`;
    return index === 0
      ? `When the service said ${said} ${mainLead} h before, the top port stayed in ${stayed}`
      : `${said}: ${stayed}`;
  });

const calibrationNote = `only where there are ${calibration.minPerBin} calls or more · 95%: Wilson interval`;

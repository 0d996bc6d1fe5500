import {
  type Answer,
  type AnswerAction,
  nextPortsOf,
  type Section,
  type Verdict,
} from '../../answers/answer.ts';
import {
  clockName,
  dayLabel,
  dayRange,
  isoDay,
  periodName,
  portTime,
  spansInWords,
  utcOffset,
} from '../../answers/formatting/times.ts';
import { counted, likelihoodMarker, percent, vesselShort } from '../../answers/formatting/words.ts';
import { eta, field, imo, port, probability, shown, text, timeLeft } from '../../answers/kinds.ts';
import { paged } from '../../answers/message.ts';
import { table } from '../../answers/table.ts';
import { thresholds } from '../../predictions/thresholds.ts';
import type { Locode } from '../../reference/codes.ts';
import { portName, portOf } from '../../reference/ports.ts';
import { inWords, likelyCallsChart, type PortAnswers, type PortCalls } from './ask.ts';
import { dayAfter, daysOf } from './days.ts';
import {
  type AskedLine,
  alsoActions,
  codeNotes,
  comparisonOf,
  hasGroup,
  onlyPort,
  portLines,
  portNames,
  portNotes,
  portsAsked,
  sumOf,
  unknownVerdict,
  watchActions,
} from './ports.ts';

type PortCall = PortCalls['calls'][number];

interface Call extends PortCall {
  /** Other ports in the line where the vessel is predicted. */
  alsoAt: readonly Locode[];
  /** Its port is named, since there are several. */
  isNamed: boolean;
}

/** A phone shows two or three columns, and a screen reader begins each row with the first: which vessel, and when. */
export const callsTable = table<Call>({
  name: 'port-calls',
  about: 'A vessel that may call at the port',
  isOfService: true,
  columns: {
    shown: shown('Vessel', ({ vessel, probability: share }) =>
      `${likelihoodMarker(share)} ${vesselShort(vessel)}`.trimStart(),
    ),
    port: port(null, 'port', (call) => call.port),
    eta: eta('{eta}', (call) => call),
    eta_zone: field(
      'text',
      '`given`, or `assumed-utc` where the service gave a time without a UTC offset',
      ({ eta: time, etaZone }) => time && etaZone,
    ),
    vessel: text(null, 'name in this workspace', ({ vessel }) => vessel.name),
    probability: probability('%', 'from 0 to 1', (call) => call.probability),
    left: timeLeft('In', (call) => call.eta),
    also_at: text(
      'Also at',
      'other ports in the line where the vessel is predicted, as UN/LOCODEs',
      ({ alsoAt }) => alsoAt.join(' ') || undefined,
      { words: ({ alsoAt }) => alsoAt.map(portName).join(', '), isLabelled: true },
    ),
    imo: imo('IMO', ({ vessel }) => vessel),
  },
});

/** As many as fit in the plain message, with long names. Slack shows 20 at a time. */
const callsPerPage = { ofOne: 50, ofSeveral: 30 };

interface Asked extends AskedLine {
  by: 'eta' | 'probability';
}

/** The vessels that may call at one port or several. A vessel may be predicted at several. */
export function callsAnswer(asked: PortAnswers<PortCalls>, of: Asked): Answer {
  const { ports } = asked;
  const { now } = of;
  const only = onlyPort(asked);
  const calls = callsIn(ports, { by: of.by, isNamed: only === undefined });
  const size = only ? callsPerPage.ofOne : callsPerPage.ofSeveral;
  const { items, ...page } = paged(calls, of.page, size);
  const likely = likelyCalls(ports, now);
  const hidden = sumOf(ports.map((each) => each.hidden));
  const [first] = ports;
  return {
    verdict: only?.isUnknown
      ? unknownVerdict(only)
      : {
          ...verdictOf(asked, calls, of),
          ...portLines(asked, lineOf),
          ...(hasGroup(of.typed) && { lines: [] }),
        },
    sections: [
      ...likely.chart,
      callsTable.of({
        caption: `Vessels that may call at ${portNames(ports)}`,
        rows: calls,
        shown: items,
        words: { eta: only ? `ETA, ${clockName(portOf(only.port)?.zone)}` : 'ETA (LT), port' },
        subject: ports.map((each) => each.port),
        period: first?.period && periodName(first.period, zoneOf(first) ?? 'UTC'),
        fetchedAt: (call) => ports.find((each) => each.port === call.port)?.fetchedAt,
      }),
    ],
    isForecast: true,
    provenance: asked,
    page: { ...page, size },
    firstNotes: hidden > 0 ? [`${hidden} under ${percent(minimumOf(ports))} hidden`] : [],
    notes: [
      ...codeNotes(ports),
      ...(only ? offsetNotes(only.port, items, now) : ["times are each port's own"]),
      ...markerNotes(items),
      ...undatedNotes(ports),
      ...portNotes(asked),
      ...likely.notes,
    ],
    actions: {
      about: portsAsked(asked, of),
      ...(only ? { more: items.slice(0, 5).map(nextPorts) } : {}),
      ...watchActions(asked, of),
      runs: [...otherOrders(asked, calls, of), ...alsoActions(asked, of)],
    },
    comparison: comparisonOf(asked, of),
  };
}

function callsIn(
  ports: readonly PortCalls[],
  { by, isNamed }: { by: Asked['by']; isNamed: boolean },
): Call[] {
  const all = ports.flatMap(({ calls }) => calls);
  const byVessel = Map.groupBy(all, ({ vessel }) => vessel.imo);
  const timeOf = (call: PortCall) => call.eta?.getTime() ?? Number.MAX_SAFE_INTEGER;
  const byEta = (one: PortCall, other: PortCall) =>
    timeOf(one) - timeOf(other) || other.probability - one.probability;
  const byProbability = (one: PortCall, other: PortCall) =>
    other.probability - one.probability || byEta(one, other);
  return all.toSorted(by === 'eta' ? byEta : byProbability).map((call) => {
    const others = (byVessel.get(call.vessel.imo) ?? []).filter((other) => other !== call);
    return { ...call, isNamed, alsoAt: others.map((other) => other.port) };
  });
}

/** Counts the vessels that are listed, on all pages. A vessel at several of the ports counts once. */
function verdictOf(asked: PortAnswers<PortCalls>, calls: readonly Call[], of: Asked): Verdict {
  const { ports } = asked;
  const count = (some: readonly Call[]) => new Set(some.map(({ vessel }) => vessel.imo)).size;
  const dates = datesOf(ports, calls, of);
  const when = dates === undefined ? '' : ` ${dates}`;
  const vessels = count(calls);
  const overdue = count(calls.filter((call) => call.eta && call.eta < of.now));
  const atSeveral = count(calls.filter(({ alsoAt }) => alsoAt.length > 0));
  const overdueBefore = sumOf(ports.map((each) => each.overdueBefore));
  const rest = [
    ...nextInWords(asked, calls, of.now),
    ...(overdue > 0 ? [`${overdue === vessels ? '' : `${overdue} of them `}past ETA`] : []),
    ...(atSeveral > 0 ? [`${atSeveral} of them at more than one port`] : []),
    ...(overdueBefore > 0 ? [`${overdueBefore} past ETA not counted`] : []),
  ];
  const from = ports.some(({ hidden }) => hidden > 0) ? ` at ${percent(minimumOf(ports))} or more` : '';
  const found = vessels > 0 ? `${counted(vessels, 'vessel')} may call` : `no vessel predicted${from}`;
  return {
    strong: `${portsAsked(asked, of)}: ${found}${when}`,
    rest: [...countsByPort(asked, of), ...rest.map((words) => ` · ${words}`)],
  };
}

/** `: Rotterdam 14, Antwerp 6, Amsterdam 3`, for a group. A vessel may be predicted at several. */
function countsByPort(asked: PortAnswers<PortCalls>, { typed }: Asked): string[] {
  if (!hasGroup(typed) || onlyPort(asked)) return [];
  const known = asked.ports.filter(({ isUnknown }) => !isUnknown);
  const counts = known.map(({ port: code, calls }) => `${portName(code)} ${calls.length}`);
  return counts.length > 0 ? [`: ${counts.join(', ')}`] : [];
}

/**
 * `next AMBER BEACON 90%, Tue 24 Nov 15:18 LT (14:18 UTC)`: the next likely one, else the next. Those that may come before it
 * are counted.
 */
function nextInWords(asked: PortAnswers<PortCalls>, calls: readonly Call[], now: Date): string[] {
  const ahead = calls
    .flatMap((call) => (call.eta && call.eta >= now ? [{ ...call, at: call.eta }] : []))
    .sort((one, other) => one.at.getTime() - other.at.getTime());
  const next = ahead.find(({ probability: share }) => share >= thresholds.alert.likely) ?? ahead[0];
  if (!next) return [];
  const where = onlyPort(asked) ? '' : `→ ${portName(next.port)} `;
  const when = portTime(next.at, portOf(next.port)?.zone, now);
  const before = ahead.indexOf(next);
  return [
    `next${before > 0 ? ' likely' : ''} ${vesselShort(next.vessel)} ${where}${percent(next.probability)}, ${when}`,
    ...(before > 0 ? [`${before} less likely before it`] : []),
  ];
}

const minimumOf = (ports: readonly PortCalls[]): number =>
  Math.max(...ports.map(({ minProbability }) => minProbability));

/**
 * The period; without one, the days from the first ETA that hasn't passed to the last. In each port's own days.
 */
function datesOf(
  ports: readonly PortCalls[],
  calls: readonly Call[],
  { now, periodInWords }: Asked,
): string | undefined {
  const periods = ports.flatMap((each) => (each.period ? [{ zone: zoneOf(each), span: each.period }] : []));
  if (periods.length > 0) return spansInWords(periods, { now, typed: periodInWords });
  const days = calls
    .flatMap((call) => (call.eta && call.eta >= now ? isoDay(call.eta, zoneOf(call) ?? 'UTC') : []))
    .sort();
  const [firstDay, lastDay] = [days[0], days.at(-1)];
  if (firstDay === undefined || lastDay === undefined) return undefined;
  return dayRange(new Date(firstDay), new Date(lastDay), 'UTC', now);
}

const zoneOf = ({ port: code }: { port: Locode }): string | undefined => portOf(code)?.zone;

/** `Rotterdam: 14 vessels (9.2 likely calls)`. */
function lineOf({ port: code, calls, expected }: PortCalls): string {
  const likely = sumOf([...expected.days.map((day) => day.calls), expected.overdue, expected.undated]);
  return `${portName(code)}: ${counted(calls.length, 'vessel')} (${inWords(likely)} likely calls)`;
}

const maxDays = 10;

/** The likely calls of each local day as a chart, and in notes what has no day or no room in it. */
function likelyCalls(
  ports: readonly Pick<PortCalls, 'port' | 'expected' | 'hidden'>[],
  now: Date,
): { chart: Section[]; notes: string[] } {
  const zone = ports[0] && zoneOf(ports[0]);
  const listed = ports.flatMap(({ expected }) => expected.days);
  const [first] = listed.map(({ day }) => day).sort();
  // Days without calls stand between others, but not at the end.
  const candidates = first === undefined ? [] : daysOf(first, dayAfter(first, maxDays - 1));
  const last = candidates.findLast((day) => listed.some((each) => each.day === day && each.calls > 0)) ?? '';
  const days = candidates.filter((day) => day <= last);
  const later = sumOf(listed.filter(({ day }) => day > last).map(({ calls }) => calls));
  const overdue = sumOf(ports.map(({ expected }) => expected.overdue));
  const undated = sumOf(ports.map(({ expected }) => expected.undated));
  const others = [
    ...(later > 0 ? [`${inWords(later)} after ${dayLabel(last, zone, now)}`] : []),
    ...(overdue > 0 ? [`${inWords(overdue)} past ETA`] : []),
    ...(undated > 0 ? [`${inWords(undated)} without ETA`] : []),
  ];
  const series = ports
    .filter(({ expected }) => expected.days.length > 0)
    .map(({ port: code, expected }) => ({
      port: code,
      calls: days.map((day) => expected.days.find((each) => each.day === day)?.calls ?? 0),
    }));
  // One day has no chart.
  const all = inWords(sumOf(series.flatMap(({ calls }) => calls)));
  const total = days.length === 1 ? `likely calls ${all}: ` : 'likely calls: ';
  return {
    chart: [likelyCallsChart(days, series, { zone, now })],
    notes: [
      ...(days.length === 0 ? [] : [`${total}sums of probabilities`]),
      ...(others.length > 0 ? [`further likely calls: ${others.join(', ')}`] : []),
      ...(ports.some(({ hidden }) => hidden > 0) && days.length > 0
        ? ['likely calls include the hidden vessels']
        : []),
    ],
  };
}

/** `LT is UTC+1`; both offsets if the clocks change before the last ETA. */
function offsetNotes(code: Locode, calls: readonly Call[], now: Date): string[] {
  const zone = portOf(code)?.zone;
  const times = calls.flatMap((call) => call.eta ?? []).toSorted((a, b) => a.getTime() - b.getTime());
  if (zone === undefined || times.length === 0) return [];
  return [`LT is ${[...new Set([now, ...times].map((time) => utcOffset(time, zone)))].join(', later ')}`];
}

/** What the markers mean that are shown. */
function markerNotes(shown: readonly Call[]): string[] {
  const marked = new Set(shown.map((call) => likelihoodMarker(call.probability)));
  return [...(marked.has('🟠') ? ['🟠 30–69%'] : []), ...(marked.has('⚪') ? ['⚪ under 30%'] : [])];
}

function undatedNotes(ports: readonly PortCalls[]): string[] {
  const undated = sumOf(ports.map(({ period, withoutEta }) => (period ? withoutEta : 0)));
  return undated > 0 ? [`${undated} without an ETA left out: they may call in another period`] : [];
}

const nextPorts = ({ vessel }: Call): AnswerAction => ({
  label: `Next ports of ${vesselShort(vessel)}`,
  intent: nextPortsOf(vessel.imo),
});

/** The same calls in another order, by day, or with those that are left out. */
function otherOrders(
  { ports }: PortAnswers<PortCalls>,
  calls: readonly Call[],
  { by, lineWith }: Asked,
): AnswerAction[] {
  const byEta = { label: 'By ETA', line: lineWith({ by: 'eta' }) };
  const byProbability = { label: 'By probability', line: lineWith({ by: 'probability' }) };
  const isIn = (some: (port: PortCalls) => boolean, action: AnswerAction) =>
    ports.some(some) ? [action] : [];
  return [
    ...(calls.length > 1 ? [by === 'eta' ? byProbability : byEta] : []),
    ...isIn((each) => !each.isUnknown, { label: 'By day', line: lineWith({ by: 'day' }) }),
    ...isIn(({ hidden }) => hidden > 0, { label: 'Show all', line: lineWith({ minProbability: 0 }) }),
    ...isIn(({ overdueBefore }) => overdueBefore > 0, {
      label: 'All dates',
      line: lineWith({ period: undefined }),
    }),
  ];
}

import type { Answer, Section, Verdict } from '../../answers/answer.ts';
import { dayNames, dayRange } from '../../answers/formatting/times.ts';
import { capitalised, counted } from '../../answers/formatting/words.ts';
import { count, field, number, port, shown } from '../../answers/kinds.ts';
import { paged } from '../../answers/message.ts';
import { type Cell, table } from '../../answers/table.ts';
import { maxPorts } from '../../grammar/port.ts';
import type { Locode } from '../../reference/codes.ts';
import { portName, portOf } from '../../reference/ports.ts';
import { inWords, likelyCallsChart, type PortAnswers } from './ask.ts';
import { type LikelyCalls, minDays, type PortDay, type PortDays } from './days.ts';
import {
  type AskedLine,
  alsoActions,
  codeNotes,
  comparisonOf,
  onlyPort,
  portLines,
  portNames,
  portNotes,
  portsAsked,
  sumOf,
  unknownVerdict,
  watchActions,
} from './ports.ts';

/** A day of a port, or its vessels that may call on any day. */
interface Row extends LikelyCalls, Partial<Pick<PortDay, 'norm' | 'isAbove'>> {
  port: Locode;
  /** Left out for those vessels. */
  date?: string;
  name: string;
}

export const daysTable = table<Row>({
  name: 'port-days',
  about: 'A day of the port',
  isOfService: true,
  columns: {
    port: port(null, 'port', (row) => row.port),
    name: shown('Day', (row) => dayCell(row, row.isAbove ? '🟠 ' : '')),
    day: field(
      'text',
      "day of the port's calendar; `past ETA` or `no ETA` for vessels that may call on any day",
      ({ date, name }) => date ?? name,
    ),
    likely_calls: number('Likely calls', 'sum of the probabilities', ({ likely }) => rounded(likely), {
      words: withRange,
    }),
    low: field('count', 'lower end of the range that holds in 8 of 10 cases', ({ low }) => low),
    high: field('count', 'upper end of that range', ({ high }) => high),
    norm: number(
      'Norm',
      'median of past days at the same notice; empty without 14 days of history',
      ({ norm }) => norm && rounded(norm.median),
      { words: ({ norm }) => (norm ? inWords(norm.median) : '') },
    ),
    norm_high: field('number', 'nine of ten past days had no more', ({ norm }) => norm && rounded(norm.high)),
    above_norm: field('boolean', 'whether the day has more', ({ norm, isAbove }) =>
      norm ? isAbove : undefined,
    ),
    vessels: count('Vessels', 'number of vessels that may call', ({ vessels }) => vessels),
  },
});

/** Without the digits that binary fractions add to a sum. */
const rounded = (calls: number): number => Math.round(calls * 1000) / 1000;

/** A day in the calendar of each port, or their vessels that may call on any day. */
interface SharedRow extends Pick<Row, 'date' | 'name'> {
  /** In the order of the ports; undefined if the port's days don't include this one. */
  ofPorts: readonly (Row | undefined)[];
}

/** Only shown: programs get `daysTable`. */
const sharedDays = table<SharedRow>({
  name: 'days-of-ports',
  about: 'A day of several ports',
  columns: {
    name: shown('Day', (row) => dayCell(row)),
    all: shown('All', (row) => ({ sort: likelyOn(row), text: inWords(likelyOn(row)) }), { isFigure: true }),
    ...Object.fromEntries(
      Array.from({ length: maxPorts }, (_, index) => [
        `port_${index}`,
        shown<SharedRow>(`{${index}}`, ({ ofPorts }) => portCell(ofPorts, index), { isFigure: true }),
      ]),
    ),
  },
});

function dayCell({ date, name }: Pick<Row, 'date' | 'name'>, marker = ''): Cell {
  const text = `${marker}${capitalised(name)}`;
  return date === undefined ? { text } : { text, sort: Date.parse(date) };
}

function portCell(ofPorts: SharedRow['ofPorts'], index: number): Cell {
  if (index >= ofPorts.length) return { text: '' };
  const calls = ofPorts[index];
  if (!calls) return { text: '–' };
  return { sort: calls.likely, text: `${calls.isAbove ? '🟠 ' : ''}${withRange(calls)}` };
}

const likelyOn = ({ ofPorts }: SharedRow): number => sumOf(ofPorts.map((calls) => calls?.likely ?? 0));

/** Slack's charts have as many bars. */
const daysPerPage = 20;

/** The likely calls of each day at one port or several, with their range and the ports' norms. */
export function daysAnswer(asked: PortAnswers<PortDays>, of: AskedLine): Answer {
  const { ports } = asked;
  const { now, lineWith } = of;
  const only = onlyPort(asked);
  const known = ports.filter(({ isUnknown }) => !isUnknown);
  const days = [...new Set(known.flatMap((each) => each.days.map(({ day }) => day)))].sort();
  const { items, ...page } = paged(days, of.page, daysPerPage);
  return {
    verdict: only?.isUnknown
      ? unknownVerdict(only)
      : {
          ...(only ? verdictOf(only, now) : sharedVerdict(asked, days, of)),
          ...portLines(asked, (each) => lineOf(each, now)),
        },
    sections: sectionsOf(known, items, { isOne: only !== undefined, now }),
    isForecast: true,
    provenance: asked,
    page: { ...page, size: daysPerPage },
    notes: [
      ...codeNotes(ports),
      ...(only ? [] : ["days are each port's own"]),
      ...(known.length > 0 ? methodNotes : []),
      ...normNotes(known),
      ...furtherNotes(known, now),
      ...portNotes(asked),
    ],
    actions: {
      about: portsAsked(asked, of),
      ...watchActions(asked, of),
      runs: [
        ...(known.length > 0 ? [{ label: 'By ETA', line: lineWith({ by: 'eta' }) }] : []),
        ...alsoActions(asked, of),
      ],
    },
    comparison: comparisonOf(asked, of),
  };
}

/** The chart, and a table with the days of the page; for several ports, with a column for each. */
function sectionsOf(
  ports: readonly PortDays[],
  days: readonly string[],
  { isOne, now }: { isOne: boolean; now: Date },
): Section[] {
  const isOnPage = ({ date }: Row) => date === undefined || days.includes(date);
  const rows = ports.map((each) => rowsOf(each, now));
  const ofDay = (date: string) => rows.map((ofPort) => ofPort.find((row) => row.date === date));
  const names = portNames(ports);
  const all = daysTable.of({
    caption: `Likely calls at ${names} by day`,
    rows: rows.flat(),
    shown: rows.flat().filter(isOnPage),
    subject: ports.map((each) => each.port),
    period: dayNames(ports[0]?.days[0]?.day ?? '', ports[0]?.days.at(-1)?.day ?? '') || undefined,
    fetchedAt: (row) => ports.find((each) => each.port === row.port)?.fetchedAt,
  });
  const chart = likelyCallsChart(
    days,
    ports.map(({ port: code }, index) => ({
      port: code,
      calls: days.map((day) => ofDay(day)[index]?.likely ?? 0),
    })),
    { zone: ports[0] && portOf(ports[0].port)?.zone, now },
  );
  if (isOne) return [{ ...chart, isInTable: true }, all];
  const shared = sharedDays.of({
    caption: `Likely calls by day at ${names}`,
    rows: [
      ...days.map((date) => ({ date, name: dayName(date, now), ofPorts: ofDay(date) })),
      ...sharedApart(ports),
    ],
    words: Object.fromEntries(ports.map(({ port: code }, index) => [index, portName(code)])),
  });
  return [{ ...chart, isInTable: true, data: all }, shared];
}

const apartNames = { overdue: 'past ETA', undated: 'no ETA' } as const;
const apartKinds = ['overdue', 'undated'] as const;

const apartRow = (of: PortDays, kind: (typeof apartKinds)[number]): Row => ({
  ...of[kind],
  ...{ port: of.port, name: apartNames[kind] },
});

const rowsOf = (of: PortDays, now: Date): Row[] => [
  ...of.days.map(({ day, ...likely }) => ({
    ...likely,
    ...{ port: of.port, date: day, name: dayName(day, now) },
  })),
  ...apartKinds.map((kind) => apartRow(of, kind)).filter(({ vessels }) => vessels > 0),
];

const sharedApart = (ports: readonly PortDays[]): SharedRow[] =>
  apartKinds
    .map((kind) => ({ name: apartNames[kind], ofPorts: ports.map((of) => apartRow(of, kind)) }))
    .filter(({ ofPorts }) => ofPorts.some(({ vessels }) => vessels > 0));

function verdictOf({ port: code, days, total }: PortDays, now: Date): Verdict {
  const name = portName(code);
  const dates = datesOf(
    days.map(({ day }) => day),
    now,
  );
  const busiest = busiestOf(days);
  const above = aboveNorm(days, now);
  if (!busiest) return { strong: `${name}: no likely calls ${dates}` };
  if (days.length === 1) return { strong: `${name}: ${likelyInWords(busiest)} ${dates}`, rest: above };
  return {
    strong: `${name}: busiest ${dayName(busiest.day, now)}, ${likelyInWords(busiest)}`,
    rest: [` · ${dates}: ${likelyInWords(total)}`, above],
  };
}

function sharedVerdict(
  asked: PortAnswers<PortDays>,
  days: readonly string[],
  { typed, now }: Pick<AskedLine, 'typed' | 'now'>,
): Verdict {
  const name = portsAsked(asked, { typed });
  const dates = datesOf(days, now);
  const sums = days.map((day) => ({
    day,
    likely: sumOf(asked.ports.map((of) => of.days.find((each) => each.day === day)?.likely ?? 0)),
  }));
  const busiest = busiestOf(sums);
  if (!busiest) return { strong: `${name}: no likely calls ${dates}` };
  const figure = `${inWords(busiest.likely)} likely calls`;
  if (days.length === 1) return { strong: `${name}: ${figure} ${dates}` };
  return {
    strong: `${name}: busiest ${dayName(busiest.day, now)}, ${figure}`,
    rest: ` · ${dates}: ${inWords(sumOf(sums.map(({ likely }) => likely)))} likely calls`,
  };
}

/** `Rotterdam: busiest Wed 25 Nov, 12 likely calls (9–14) · 🟠 above the norm: Wed 25 Nov`. */
function lineOf({ port: code, days }: PortDays, now: Date): string {
  const busiest = busiestOf(days);
  if (!busiest) return `${portName(code)}: no likely calls`;
  const when = days.length === 1 ? '' : `busiest ${dayName(busiest.day, now)}, `;
  return `${portName(code)}: ${when}${likelyInWords(busiest)}${aboveNorm(days, now)}`;
}

/** The day with the most likely calls, the first of equal ones; undefined if no day has any. */
const busiestOf = <Day extends { likely: number }>(days: readonly Day[]): Day | undefined =>
  days.reduce<Day | undefined>((best, day) => (day.likely > (best?.likely ?? 0) ? day : best), undefined);

/** ` · 🟠 above the norm: Wed 25 Nov, Thu 26 Nov`, if any day is. */
function aboveNorm(days: readonly PortDay[], now: Date): string {
  const above = days.filter(({ isAbove }) => isAbove);
  if (above.length === 0) return '';
  const named = above.slice(0, 4).map(({ day }) => dayName(day, now));
  const more = above.length > named.length ? [`${above.length - named.length} more`] : [];
  return ` · 🟠 above the norm: ${[...named, ...more].join(', ')}`;
}

/** `Wed 25 Nov`. */
const dayName = (day: string, now: Date): string => datesOf([day], now);

/** `21–30 Nov`, from the first day to the last. */
function datesOf(days: readonly string[], now: Date): string {
  const [first, last] = [days[0], days.at(-1)];
  return first && last ? dayRange(new Date(first), new Date(last), 'UTC', now) : '';
}

/** `4.2 (3–6)`; `0` if no vessel may call. */
function withRange(calls: LikelyCalls): string {
  return calls.vessels === 0 ? '0' : `${inWords(calls.likely)} (${rangeOf(calls)})`;
}

/** `4.2 likely calls (3–6)`. */
const likelyInWords = (calls: LikelyCalls): string =>
  `${inWords(calls.likely)} likely calls${calls.vessels === 0 ? '' : ` (${rangeOf(calls)})`}`;

const rangeOf = ({ low, high }: LikelyCalls): string => (low === high ? `${low}` : `${low}–${high}`);

/** How the figures are meant. */
const methodNotes: readonly string[] = [
  'likely calls: sums of probabilities, today from now on',
  'in brackets: 8 of 10 cases, if vessels call independently',
  "later days are incomplete: only each vessel's next port is predicted",
];

/** What has no day, or no room. */
function furtherNotes(ports: readonly Pick<PortDays, 'later' | 'days'>[], now: Date): string[] {
  const later = ports.map((each) => each.later);
  const vessels = sumOf(later.map((calls) => calls.vessels));
  const last = ports
    .flatMap(({ days }) => days.at(-1)?.day ?? [])
    .sort()
    .at(-1);
  if (vessels === 0 || last === undefined) return [];
  const likely = inWords(sumOf(later.map((calls) => calls.likely)));
  return [`${likely} more likely calls after ${dayName(last, now)} (${counted(vessels, 'vessel')})`];
}

/** What the norms of these ports are, or why there are none; the ports may have different histories. */
function normNotes(ports: readonly Pick<PortDays, 'port' | 'norm'>[]): string[] {
  const byNorm = Map.groupBy(ports, ({ norm }) => JSON.stringify(norm));
  return [...byNorm.values()].flatMap((alike) => {
    const codes = alike.map(({ port: code }) => code).join(', ');
    return normNote(
      alike[0]?.norm,
      byNorm.size > 1 ? { of: ` of ${codes}`, port: codes } : { of: '', port: 'the port' },
    );
  });
}

function normNote(norm: PortDays['norm'], { of, port: named }: { of: string; port: string }): string[] {
  switch (norm?.kind) {
    case undefined:
      return [];
    case 'known':
      return [`norm${of}: median of ${norm.days} past days at the same notice; 🟠 above 9 in 10 of them`];
    case 'unavailable':
      return [`the norm${of} can't be read at the moment`];
    case 'too-few': {
      const progress = `no norm${of} yet: ${norm.days} of ${minDays} days of history`;
      if (norm.isWatched) return [progress];
      return [
        norm.days > 0
          ? `${progress}; watch ${named} for more`
          : `no norm${of} yet: watch ${named} to learn it in ${minDays} days`,
      ];
    }
  }
}

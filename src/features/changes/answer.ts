import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import {
  type Answer,
  type AnswerAction,
  type AnswerActions,
  callsAt,
  type DetailsSection,
  historyOf,
  lines,
  nextPortsOf,
  watchesIn,
  watchPort,
  watchThese,
} from '../../answers/answer.ts';
import {
  periodName,
  roundedDuration,
  shortPortTime,
  utcTime,
  zonedTime,
} from '../../answers/formatting/times.ts';
import {
  capitalised,
  counted,
  type KnownVessel,
  percent,
  percentPair,
  uncapitalised,
  vesselShort,
} from '../../answers/formatting/words.ts';
import { eta, field, port, shown, text, vessel } from '../../answers/kinds.ts';
import { clip, joinWithin, paged } from '../../answers/message.ts';
import { toTime } from '../../answers/structured.ts';
import { table } from '../../answers/table.ts';
import { joined, onlyInTable, type Text } from '../../answers/text.ts';
import type { VesselDirectory } from '../../grammar/vessel-directory.ts';
import { etaShiftMs, type Severity, severities } from '../../predictions/changes.ts';
import { thresholds } from '../../predictions/thresholds.ts';
import type { Imo, Locode, PortOrGroup, VesselGroup } from '../../reference/codes.ts';
import { portLabel, portName, portOf } from '../../reference/ports.ts';
import type { Prospect } from '../../reference/prediction.ts';
import { knownVessel } from '../ctx.ts';
import { placeOf, type Scoped } from '../history/index.ts';
import type { FoundChanges } from './find-changes.ts';
import type { Wanted } from './narrow.ts';
import { differenceKinds, type NetChange, type SentAlert } from './net-changes.ts';

/** What was asked about; without `wanted`, everything that is watched. */
export interface AskedAbout {
  /** `Antwerp`, `EVER GIVEN`, `Fleet NORTH`; empty for everything. */
  title: string;
  wanted?: Wanted;
  ports?: readonly PortOrGroup[];
  group?: VesselGroup;
}

interface AskedSince extends Scoped {
  about: AskedAbout;
  since: Date;
  vessels: Pick<VesselDirectory, 'nameOf' | 'referencesOf'>;
}

/** What the answer says beside the changes. */
interface Asked extends AskedSince {
  line: string;
  otherTimes: readonly AnswerAction[];
  page: number;
  /** The IANA name of the zone that the typed time is in. */
  zone: string;
  now: Date;
}

interface Row extends NetChange {
  vessel: KnownVessel;
  /** The verdict says what has changed. */
  isAlone: boolean;
}

const signs: Record<Severity, string> = { act: '🔴', check: '🟠', information: '⚪' };

const time = z.string().meta({ format: 'date-time' });
const total = z.int().min(0);

/** What no change says, for assistants. */
export const changesOutcome = {
  since: time.describe('The moment that is compared with, in UTC'),
  oldestForecastAt: time.nullable().describe('The oldest forecast that was compared; null: there is none'),
  watches: total.describe('Watches in scope, including those beyond the limit, which are not compared'),
  compared: total.describe('Vessels whose predictions were compared'),
  comparedSinceLater: z
    .array(z.object({ title: z.string(), since: time }))
    .describe('Compared with a later moment than `since`, because nothing older is on record'),
  unchecked: z.array(z.string()).describe('Vessels and ports without a forecast to compare with'),
  unwatched: z.array(z.string()).describe('Vessels that were asked about, but are not watched'),
};

export const changesTable = table<Row>({
  name: 'watch-changes',
  about: 'A watched vessel whose prediction has changed, what matters most first',
  isOfService: true,
  columns: {
    vessel: vessel('Vessel', (row) => row.vessel, {
      words: (row) => ({
        inTable: vesselShort(row.vessel),
        inLine:
          row.isAlone && isCompared(row)
            ? ''
            : `${signs[row.severity]} ${vesselShort(row.vessel)}: ${whatOf(row)}`,
      }),
    }),
    severity: text(
      'What',
      '`act`, `check` or `information`: of the change, or of the most severe alert in between',
      ({ severity }) => severity,
      {
        values: severities,
        words: (row) => onlyInTable(`${signs[row.severity]} ${capitalised(whatOf(row))}`),
      },
    ),
    change: text(
      null,
      'such as `diverted`, `eta-moved`, `lost`; `as-before`, `not-compared`: only alerts in between',
      ({ kind }) => kind,
      { values: differenceKinds },
    ),
    expected_at: text(
      null,
      'UN/LOCODE of the watched port, if the change is about its calls',
      ({ expectedAt }) => expectedAt,
    ),
    was_port: port(null, 'port before', ({ was }) => was?.port),
    was_probability: field('share', 'before, from 0 to 1', ({ was }) => was?.probability),
    was_eta: field('instant', 'ETA before, in UTC', ({ was }) => was?.eta),
    port: port(null, 'port', ({ now }) => now?.port),
    probability: field('share', 'from 0 to 1', ({ now }) => now?.probability),
    calls: shown('Was → Now', (row) => ({ text: onlyInTable(isCompared(row) ? callsOf(row) : '–') })),
    eta: eta('ETA', ({ now }) => now ?? undefined, {
      words(row, { now }) {
        if (!isCompared(row)) return onlyInTable('–');
        const time = etaOf(row, now);
        return {
          inTable: time,
          inLine: `${row.isAlone ? `${signs[row.severity]} ` : ''}${callsOf(row)}, ${time}`,
        };
      },
    }),
    alerts: field('count', 'alerts sent in between', ({ alerts }) => alerts.length),
  },
});

const rowsPerPage = 25;

/** What has changed since a moment, what matters most first. */
export function changesAnswer(found: FoundChanges, asked: Asked): Answer {
  const { checked } = found;
  const { line, now, since, zone, vessels } = asked;
  const isAlone = vesselsIn(found) === 1 && found.changes.length === 1;
  const rows = found.changes.map(
    (change): Row => ({
      ...change,
      vessel: knownVessel(change.imo, vessels),
      isAlone,
    }),
  );
  const [row] = rows;
  const { items, ...page } = paged(rows, asked.page, rowsPerPage);
  const moment = momentOf(found, asked);
  const figures = isAlone && row && isCompared(row) ? ` · ${callsOf(row)}, ${etaOf(row, now)}` : '';
  return {
    line,
    lineOutside: line,
    verdict: {
      strong: isAlone && row ? aloneInWords(row, asked.about) : sumOf(found, asked.about),
      rest: [
        `${figures}${isAlone ? ' ·' : ''} since ${moment}`,
        ...marks(rows).map((words) => ` · ${words}`),
      ],
    },
    sections: [
      changesTable.of({
        caption: 'Changes',
        rows,
        shown: items,
        inVerdict: figures === '' || row?.vessel.references?.length ? 0 : 1,
        period: periodName({ begin: since, end: now }, zone),
      }),
      ...alertsInBetween(items, found.serviceAlerts, now),
    ],
    notes: notesOf(found, asked),
    isForecast: checked !== null,
    ...(checked && { provenance: { fetchedAt: checked.last, cached: false, droppedRecords: 0 } }),
    page: { ...page, size: rowsPerPage },
    hasNews: rows.length > 0,
    outcome: outcomeOf(found, asked),
    actions: actionsOf(rows, asked),
  };
}

function actionsOf(rows: readonly Row[], { about, scope, channelId, otherTimes }: Asked): AnswerActions {
  const [imo, ...others] = new Set([...rows.map((row) => row.imo), ...(oneVessel(about) ?? [])]);
  return {
    about: about.title,
    runs: [
      ...(imo !== undefined && others.length === 0 ? [{ label: 'History', intent: historyOf(imo) }] : []),
      ...predictionsOf(about),
      { label: 'List the watches', intent: watchesIn({ scope, channelId }) },
    ],
    more: otherTimes,
  };
}

/** The vessel if the line names a single one. */
const oneVessel = ({ group }: AskedAbout): readonly [Imo] | undefined => {
  if (group?.kind !== 'vessels') return undefined;
  const [imo, ...others] = group.imos;
  return others.length === 0 ? [imo] : undefined;
};

function predictionsOf({ ports, group }: AskedAbout): AnswerAction[] {
  if (ports) return ports.slice(0, maxOffered).map(calls);
  return group ? [{ label: 'Next ports', intent: nextPortsOf(group) }] : [];
}

const calls = (at: PortOrGroup): AnswerAction => ({
  label: `Who is coming to ${portName(at)}`,
  intent: callsAt(at),
});

const maxOffered = 2;

/** No watch is about what was asked. `lineInAll`: the same in all channels. */
export function unwatchedAnswer(
  found: FoundChanges,
  { lineInAll, ...asked }: AskedSince & { lineInAll: string | undefined },
): Answer {
  const { about } = asked;
  const { ports, group } = about;
  const [at, ...others] = ports ?? [];
  return {
    isOwn: true,
    verdict: {
      strong: ports ? `No watched vessel is expected at ${about.title}` : notWatched(asked),
    },
    actions: {
      about: about.title,
      watch: at === undefined ? group && watchThese(group) : others.length === 0 ? watchPort(at) : undefined,
      runs: [
        ...predictionsOf(about),
        ...(lineInAll === undefined ? [] : [{ label: 'In all my channels', line: lineInAll }]),
      ],
    },
    notes: skippedNote(found),
    outcome: outcomeOf(found, asked),
  };
}

/** `EVER GIVEN isn't watched in this channel`, `No vessel of fleet NORTH is watched in #ops`. */
function notWatched({ about, scope, channelId }: AskedSince): Text {
  const { title, group } = about;
  const isOne = oneVessel(about) !== undefined;
  if (scope === 'mine')
    return isOne ? `You don't watch ${title}` : `You watch none of ${namedVessels(title, group)}`;
  const place = placeOf({ scope, channelId });
  return isOne
    ? joined([`${title} isn't watched`, place], ' ')
    : joined([`None of ${namedVessels(title, group)} is watched`, place], ' ');
}

const namedVessels = (title: string, group: VesselGroup | undefined): string =>
  group?.kind === 'vessels' ? `these ${title}` : `the vessels of ${uncapitalised(title)}`;

/** `found` is omitted if nothing is watched. */
export function outcomeOf(
  found: FoundChanges | undefined,
  { since, vessels }: Pick<AskedSince, 'since' | 'vessels'>,
): z.output<z.ZodObject<typeof changesOutcome>> {
  const {
    checked = null,
    watches = 0,
    compared = 0,
    late = [],
    unchecked = [],
    unwatched = [],
  } = found ?? {};
  return {
    since: toTime(since),
    oldestForecastAt: checked && toTime(checked.first),
    ...{ watches, compared },
    comparedSinceLater: late.map(({ subject, since: at }) => ({
      title: titleOf(subject, vessels),
      since: toTime(at),
    })),
    unchecked: unchecked.map((subject) => titleOf(subject, vessels)),
    unwatched: unwatched.map((subject) => titleOf(subject, vessels)),
  };
}

const titleOf = (subject: Imo | Locode, vessels: Asked['vessels']): string =>
  typeof subject === 'string' ? portLabel(subject) : vesselShort(knownVessel(subject, vessels));

/** If nothing was checked before that time, the first check. */
function momentOf(found: FoundChanges, { since, zone, now }: Asked): string {
  if (!isOnlyLate(found)) return zonedTime(since, zone, now);
  const first = Math.min(...found.late.map(({ since: at }) => at.getTime()));
  return `the first check on record, ${zonedTime(new Date(first), zone, now)}`;
}

const isOnlyLate = ({ late, checks }: FoundChanges): boolean => checks > 0 && late.length === checks;

/** `Antwerp: 2 of 3 vessels changed`; some vessels that were named are just counted. */
function sumOf(found: FoundChanges, about: AskedAbout): string {
  const { title, group } = about;
  const isOne = oneVessel(about) !== undefined;
  if (title === '' || (group?.kind === 'vessels' && !isOne)) return countOf(found);
  // Two watched ports may expect it.
  const isTwice = isOne && found.changes.length > 1;
  return `${title}: ${isTwice ? counted(found.changes.length, 'change') : uncapitalised(countOf(found))}`;
}

function countOf(found: FoundChanges): string {
  const vessels = vesselsIn(found);
  if (vessels === 0) return 'Nothing to compare';
  const changed = found.changes.length;
  return changed === 0
    ? 'Nothing changed'
    : `${changed.toLocaleString('en')} of ${counted(vessels, 'vessel')} changed`;
}

/** `DS CYPRESS: ETA 5 h later`; for ports: `Antwerp: DS CYPRESS, ETA 5 h later`. */
function aloneInWords(row: Row, { title, ports }: AskedAbout): string {
  const name = vesselShort(row.vessel);
  return ports ? `${title}: ${name}, ${whatOf(row)}` : `${name}: ${whatOf(row)}`;
}

/** Those that were compared, and those with alerts only. */
const vesselsIn = ({ changes, compared }: FoundChanges): number =>
  compared + changes.filter((change) => !isCompared(change)).length;

const isCompared = ({ kind }: NetChange): boolean => kind !== 'not-compared';

/** `🔴 1 · 🟠 2`, unless there is a single row. */
function marks(changes: readonly NetChange[]): string[] {
  if (changes.length < 2) return [];
  return severities.flatMap((severity) => {
    const { length } = changes.filter((change) => change.severity === severity);
    return length > 0 ? [`${signs[severity]} ${length}`] : [];
  });
}

/** In small letters, since it may stand within a sentence. */
function whatOf(change: NetChange): string {
  const { headline } = change;
  if (!headline) return differenceInWords(change);
  const alert = uncapitalised(headline.what);
  return isCompared(change) ? `${differenceInWords(change)} (alert: ${alert})` : alert;
}

function differenceInWords({ kind, severity, was, now, expectedAt }: NetChange): string {
  const shift = roundedDuration(Math.round(Math.abs(etaShiftMs(was, now)) / millisecondsInMinute));
  const next = now ? portName(now.port) : '';
  const where = expectedAt === undefined ? '' : ` at ${portName(expectedAt)}`;
  const words: Record<NetChange['kind'], string> = {
    diverted: severity === 'act' ? `diverted to ${next}` : `${next} leads`,
    due: 'later than its due date',
    overdue: 'overdue',
    undecided: 'undecided',
    lost: 'no prediction now',
    unlikely: `only ${percentPair(was?.probability ?? 0, now?.probability ?? 0).now} now`,
    'eta-moved': `ETA ${shift} ${etaShiftMs(was, now) > 0 ? 'later' : 'earlier'}`,
    'next-leg': `next leg to ${next}`,
    predicted: 'prediction again',
    likelihood: (now?.probability ?? 0) > (was?.probability ?? 0) ? 'more likely' : 'less likely',
    'eta-given': 'ETA given',
    expected: `newly expected${where}`,
    'not-expected': `no longer expected${where}`,
    left: `left the list${where} at about its ETA`,
    'as-before': 'little changed',
    'not-compared': 'not compared',
  };
  return words[kind];
}

/** `Rotterdam 80% → Antwerp 90%`, `Rotterdam 80% → 74%`, `Rotterdam 80%`. */
function callsOf({ kind, was, now }: NetChange): string {
  const call = ({ port, probability }: Prospect) => `${portName(port)} ${percent(probability)}`;
  if (!was || !now) return `${was ? call(was) : 'none'} → ${now ? call(now) : 'none'}`;
  if (was.port !== now.port) return `${call(was)} → ${call(now)}`;
  // A decimal says why it counts as unlikely; elsewhere it would only look like a change.
  const shown =
    kind === 'unlikely'
      ? percentPair(was.probability, now.probability)
      : { was: percent(was.probability), now: percent(now.probability) };
  return shown.was === shown.now
    ? `${portName(now.port)} ${shown.now}`
    : `${portName(was.port)} ${shown.was} → ${shown.now}`;
}

/** `Mon 15:05 LT, was Sun 08:00`; the old one is left out if it was at another port, or hardly differs. */
function etaOf({ kind, was, now: current }: NetChange, now: Date): string {
  if (!current) return 'none';
  if (!current.eta) return 'ETA not given';
  const time = (eta: Date) => shortPortTime(eta, portOf(current.port)?.zone, now);
  const hours = Math.abs(etaShiftMs(was, current)) / millisecondsInHour;
  const isListed = kind === 'eta-moved' || (kind !== 'as-before' && hours >= thresholds.changes.etaHours);
  const isMoved = isListed && was?.port === current.port;
  return isMoved && was.eta
    ? `${time(current.eta)}, was ${time(was.eta).replace(/ LT$/, '')}`
    : time(current.eta);
}

/** What was notified of, since the net change doesn't show what came in between. */
function alertsInBetween(
  changes: readonly Row[],
  serviceAlerts: readonly SentAlert[],
  now: Date,
): DetailsSection[] {
  const inWords = (alerts: readonly SentAlert[]) =>
    joinWithin(
      alerts.map(({ at, headline }) => `${headline} (${utcTime(at, now)})`),
      '; ',
      600,
    );
  const ofVessels = changes
    .filter(({ alerts }) => alerts.length > 0)
    .map((change) => `${vesselShort(change.vessel)}: ${inWords(change.alerts)}`);
  const texts = [...ofVessels, ...(serviceAlerts.length > 0 ? [inWords(serviceAlerts)] : [])];
  if (texts.length === 0) return [];
  const count = changes.reduce((sum, { alerts }) => sum + alerts.length, serviceAlerts.length);
  return [{ kind: 'details', title: `${counted(count, 'alert')} in between`, sections: lines(texts) }];
}

const maxNamed = 3;

function notesOf(found: FoundChanges, { since, zone, now, vessels }: Asked): string[] {
  const { changes, compared, unchecked, unwatched, late, left, checked } = found;
  const inWords = (subject: Imo | Locode) => titleOf(subject, vessels);
  const unchanged = compared - changes.filter(isCompared).length;
  const isOld = checked && checked.last.getTime() - checked.first.getTime() >= millisecondsInHour;
  const firstChecks = late.map(({ subject, since: at }) => `${inWords(subject)} (${utcTime(at, now)})`);
  // The verdict says so if it is true of all.
  const isPartlyLate = late.length > 0 && !isOnlyLate(found);
  const isUtc = zonedTime(since, zone, now) === zonedTime(since, 'UTC', now);
  return [
    ...(checked && isOld ? [`oldest answer ${utcTime(checked.first, now)}`] : []),
    ...(unchanged > 0 ? [`${counted(unchanged, 'vessel')} little changed`] : []),
    ...(unwatched.length > 0 ? [`not watched: ${named(unwatched.map(inWords))}`] : []),
    ...(unchecked.length > 0 ? [`no newer check: ${named(unchecked.map(inWords))}`] : []),
    ...(isPartlyLate ? [`compared with the first check on record: ${named(firstChecks)}`] : []),
    ...(left > 0 ? [`${counted(left, 'vessel')} left a port's list at about the ETA`] : []),
    ...skippedNote(found),
    ...(unchanged > 0
      ? [
          `moves under ${thresholds.changes.etaHours} h, ${thresholds.changes.etaShare * 100}% of the time left or ${thresholds.changes.probability * 100} points aren't counted`,
        ]
      : []),
    // The verdict names another moment than the one that was typed.
    ...(isOnlyLate(found) ? [`you asked for changes since ${zonedTime(since, zone, now)}`] : []),
    ...(isUtc || isOnlyLate(found) ? [] : [`since ${utcTime(since, now)}`]),
  ];
}

const skippedNote = ({ skipped, watches }: FoundChanges): string[] =>
  skipped > 0 ? [`only the oldest ${watches - skipped} of ${watches} watches`] : [];

const named = (titles: readonly string[]): string => {
  const rest = titles.length - maxNamed;
  const shown = titles.slice(0, maxNamed).map((title) => clip(title, 80));
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
};

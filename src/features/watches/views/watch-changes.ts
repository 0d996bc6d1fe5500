import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { Choice } from '../../../errors.ts';
import { sections } from '../../../messages/blocks.ts';
import { percent, percentPair } from '../../../messages/formatting/probability.ts';
import { newestReferences, referenceNote } from '../../../messages/formatting/references.ts';
import { roundedDuration, shortPortTime, utcTime, zonedTime } from '../../../messages/formatting/times.ts';
import { type KnownVessel, vesselShort } from '../../../messages/formatting/vessel-label.ts';
import { capitalised, counted, uncapitalised } from '../../../messages/formatting/words.ts';
import { clip, joinWithin, linesWithin } from '../../../messages/limits.ts';
import type { Message, Piece, Reader } from '../../../messages/message.ts';
import { escaped } from '../../../messages/mrkdwn.ts';
import { type Cell, container, dataTable } from '../../../messages/rich-blocks.ts';
import { etaShiftMs, type Severity, thresholds } from '../../../predictions/changes.ts';
import type { Locode } from '../../../reference/locode.ts';
import { portOf } from '../../../reference/ports.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import type { Scope } from '../../owned.ts';
import { pageOf } from '../../paged-answer.ts';
import type { Difference, NetChange, NetChanges, SentAlert } from '../../changes/index.ts';
import { watchRules } from '../rules/registry.ts';
import { noWatches } from './watch-list.ts';

export interface WatchChangesAnswer extends Omit<NetChanges, 'changes' | 'late' | 'unchecked'> {
  kind: 'watch-changes';
  line: string;
  /** The line that lists the same watches. */
  listLine: string;
  /** Lines for the same watches since other times. */
  otherTimes: readonly Choice[];
  scope: Scope;
  page: number;
  /** Set if the watches are in another channel. */
  channelId?: string;
  since: Date;
  /** The IANA name of the zone in which that time was typed. */
  zone: string;
  /** `references`: the newest first. */
  changes: readonly (NetChange & { name?: string; references: readonly string[] })[];
  /** Vessels and ports, not escaped. */
  late: readonly { title: string; since: Date }[];
  unchecked: readonly string[];
  /** The number of watches, and how many of them are too many for one answer. */
  watches: number;
  skipped: number;
}

type Change = WatchChangesAnswer['changes'][number];

export const rowsPerPage = 25;

/** What has changed since a moment, what matters most first. */
export function watchChangesView(answer: WatchChangesAnswer, reader: Reader): Message {
  const { watches, checked, listLine } = answer;
  if (watches === 0) return noWatches(answer, reader);
  const changes = shownChanges(answer, reader);
  const page = pageOf(
    { ...answer, fetchedAt: checked?.last ?? reader.now, cached: false, droppedRecords: 0 },
    changes,
    { size: rowsPerPage, reader },
  );
  const moment = momentOf(answer, reader.now);
  const isOfOne = vesselsIn(answer) === 1 && changes.length === 1;
  const [verdict, ...aside] = isOfOne
    ? [verdictOf(answer), `since ${moment}`]
    : [`${verdictOf(answer)} since ${moment}`];
  const rows = page.items.map((change) => rowOf(change, reader.now));
  const hasReferences = rows.some(({ references }) => references !== '');
  const headers = ['Vessel', 'What', 'Was → Now', 'ETA', ...(hasReferences ? ['Ref'] : [])];
  const [change, ...others] = changes;
  return page.message({
    texts: [
      [verdict, ...aside].join(' · '),
      ...rows.map(({ text, rest }) => (isOfOne ? rest : text)).filter((text) => text !== ''),
    ],
    body: [
      ...sections([[`*${verdict}*`, ...aside, ...marks(changes)].join(' · ')]),
      ...dataTable({
        caption: 'Changes',
        columns: headers.map((header) => ({ header })),
        rows: rows.map(({ cells, references }) => [...cells, ...(hasReferences ? [references || '–'] : [])]),
        lines: rows.map(({ text }) => text),
      }),
      ...alertsInBetween(page.items, answer.serviceAlerts, reader.now),
    ],
    notes: [...notesOf(answer, reader), ...page.shownNote],
    isForecast: checked !== null,
    runs: [
      ...(change && others.length === 0
        ? [{ label: 'History', line: `nextport ${change.imo} history` }]
        : []),
      { label: 'List the watches', line: listLine },
    ],
    more: answer.otherTimes,
  });
}

/** References say whose cargo is on a vessel, so people of other organisations see none. */
export const shownChanges = (
  { changes }: Pick<WatchChangesAnswer, 'changes'>,
  { audience }: Pick<Reader, 'audience'>,
): readonly Change[] =>
  audience === 'outside' ? changes.map((change) => ({ ...change, references: [] })) : changes;

/** If nothing was checked before that time, the first check. */
function momentOf(answer: WatchChangesAnswer, now: Date): string {
  const { late, since, zone } = answer;
  const first = Math.min(...late.map(({ since: at }) => at.getTime()));
  return isOnlyLate(answer)
    ? `the first check on record, ${zonedTime(new Date(first), zone, now)}`
    : zonedTime(since, zone, now);
}

const isOnlyLate = ({ late, checks }: WatchChangesAnswer): boolean => checks > 0 && late.length === checks;

function verdictOf(answer: WatchChangesAnswer): string {
  const { changes } = answer;
  const vessels = vesselsIn(answer);
  if (vessels === 0) return 'Nothing to compare';
  const [change, ...others] = changes;
  if (!change) return 'Nothing changed';
  if (vessels === 1 && others.length === 0) return escaped(`${nameOf(change)}: ${whatOf(change)}`);
  return `${changes.length.toLocaleString('en')} of ${counted(vessels, 'vessel')} changed`;
}

/** Those that were compared, and those with alerts only. */
const vesselsIn = ({ changes, compared }: WatchChangesAnswer): number =>
  compared + changes.filter((change) => !isCompared(change)).length;

const isCompared = ({ kind }: Change): boolean => kind !== 'not-compared';

const signs: Record<Severity, string> = { act: '🔴', check: '🟠', information: '⚪' };

/** `🔴 1 · 🟠 2`, unless there is a single row. */
function marks(changes: readonly Change[]): string[] {
  if (changes.length < 2) return [];
  return (['act', 'check', 'information'] as const).flatMap((severity) => {
    const { length } = changes.filter((change) => change.severity === severity);
    return length > 0 ? [`${signs[severity]} ${length}`] : [];
  });
}

/** `rest`: the row's text without what the verdict about a single vessel says. */
function rowOf(change: Change, now: Date): { cells: Cell[]; references: string; text: string; rest: string } {
  const { severity, was, now: current, references } = change;
  const name = nameOf(change);
  const what = whatOf(change);
  const calls = isCompared(change) ? callsOf(was, current) : '–';
  const eta = isCompared(change) ? etaOf(change, now) : '–';
  const figures = [...(isCompared(change) ? [calls, eta] : []), ...referenceNote(references)].join(', ');
  return {
    cells: [
      name,
      `${signs[severity]} ${capitalised(what)}`,
      calls,
      current?.eta ? { value: current.eta.getTime(), text: eta } : eta,
    ],
    references: newestReferences(references),
    text: escaped([`${signs[severity]} ${name}: ${what}`, figures].filter((part) => part !== '').join(', ')),
    rest: escaped(figures),
  };
}

const nameOf = ({ imo, name }: KnownVessel): string =>
  vesselShort({ imo, ...(name !== undefined && { name }) });

const portName = (port: Locode): string => portOf(port)?.name ?? port;

/** In small letters, since it may stand within a sentence. Not escaped. */
function whatOf(change: Change): string {
  const { headline } = change;
  if (!headline) return differenceInWords(change);
  const { event, at } = headline;
  const alert = uncapitalised(watchRules.ruleOf(event).view(event, { now: at }).what);
  return isCompared(change) ? `${differenceInWords(change)} (alert: ${alert})` : alert;
}

function differenceInWords({ kind, severity, was, now, expectedAt }: Change): string {
  const shift = roundedDuration(Math.round(Math.abs(etaShiftMs(was, now)) / millisecondsInMinute));
  const next = now ? portName(now.port) : '';
  const where = expectedAt === undefined ? '' : ` at ${portName(expectedAt)}`;
  const words: Record<Difference['kind'], string> = {
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
function callsOf(was: Prospect | null, now: Prospect | null): string {
  const call = ({ port, probability }: Prospect) => `${portName(port)} ${percent(probability)}`;
  if (!was || !now) return `${was ? call(was) : 'none'} → ${now ? call(now) : 'none'}`;
  if (was.port !== now.port) return `${call(was)} → ${call(now)}`;
  const shown = percentPair(was.probability, now.probability);
  return shown.was === shown.now
    ? `${portName(now.port)} ${shown.now}`
    : `${portName(was.port)} ${shown.was} → ${shown.now}`;
}

/** `Mon 15:05 LT, was Sun 08:00`; the old one is left out if it was at another port, or hardly differs. */
function etaOf({ kind, was, now: current }: Change, now: Date): string {
  if (!current) return 'none';
  if (!current.eta) return 'ETA not given';
  const time = (eta: Date) => shortPortTime(eta, portOf(current.port)?.zone, now);
  const hours = Math.abs(etaShiftMs(was, current)) / millisecondsInHour;
  const isMoved = kind !== 'as-before' && was?.port === current.port && hours >= thresholds.changes.etaHours;
  return isMoved && was.eta
    ? `${time(current.eta)}, was ${time(was.eta).replace(/ LT$/, '')}`
    : time(current.eta);
}

/** Beside a page of rows there is room for this much. */
const maxAlertText = 2_500;

/** What was notified of, since the net change doesn't show what came in between. */
function alertsInBetween(
  changes: readonly Change[],
  serviceAlerts: readonly SentAlert[],
  now: Date,
): Piece[] {
  const inWords = (alerts: readonly SentAlert[]) =>
    joinWithin(
      alerts.map(({ at, event }) => {
        const { headline } = watchRules.ruleOf(event).view(event, { now });
        return escaped(`${headline} (${utcTime(at, now)})`);
      }),
      '; ',
      600,
    );
  const lines = [
    ...changes
      .filter(({ alerts }) => alerts.length > 0)
      .map((change) => `${escaped(nameOf(change))}: ${inWords(change.alerts)}`),
    ...(serviceAlerts.length > 0 ? [inWords(serviceAlerts)] : []),
  ];
  if (lines.length === 0) return [];
  const count = changes.reduce((sum, { alerts }) => sum + alerts.length, serviceAlerts.length);
  const shown = linesWithin(lines, maxAlertText);
  const hidden = lines.length - shown.length;
  const more = hidden > 0 ? [`… and ${counted(hidden, 'more vessel')}`] : [];
  return container({
    title: `${counted(count, 'alert')} in between`,
    body: sections([...shown, ...more]),
  });
}

const maxNamed = 3;

function notesOf(answer: WatchChangesAnswer, { now }: Reader): string[] {
  const { changes, compared, unchecked, late, left, checked, skipped, watches, since, zone } = answer;
  const unchanged = compared - changes.filter(isCompared).length;
  const isOld = checked && checked.last.getTime() - checked.first.getTime() >= millisecondsInHour;
  const firstChecks = late.map(({ title, since: at }) => `${title} (${utcTime(at, now)})`);
  // The verdict says so if it is true of all.
  const isPartlyLate = late.length > 0 && !isOnlyLate(answer);
  const isUtc = zonedTime(since, zone, now) === zonedTime(since, 'UTC', now);
  // The verdict names another moment than the one that was typed.
  const typed = isOnlyLate(answer) ? 'asked for: since' : 'since';
  return [
    ...(checked && isOld ? [`oldest answer ${utcTime(checked.first, now)}`] : []),
    ...(unchanged > 0 ? [`${counted(unchanged, 'vessel')} little changed`] : []),
    ...(unchecked.length > 0 ? [`no newer check: ${named(unchecked)}`] : []),
    ...(isPartlyLate ? [`compared with the first check on record: ${named(firstChecks)}`] : []),
    ...(left > 0 ? [`${counted(left, 'vessel')} left a port's list at about the ETA`] : []),
    ...(skipped > 0 ? [`only the oldest ${watches - skipped} of ${watches} watches`] : []),
    ...(unchanged > 0
      ? [
          `moves under ${thresholds.changes.etaHours} h, ${thresholds.changes.etaShare * 100}% of the time left or ${thresholds.changes.probability * 100} points aren't counted`,
        ]
      : []),
    ...(isUtc ? [] : [`${typed} ${utcTime(since, now)}`]),
  ].map(escaped);
}

const named = (titles: readonly string[]): string => {
  const rest = titles.length - maxNamed;
  const shown = titles.slice(0, maxNamed).map((title) => clip(title, 80));
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
};

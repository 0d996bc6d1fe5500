import type { CarrierStatistics } from '../../analytics/journey-statistics.ts';
import type { Answer, AnswerAction, Section, Verdict } from '../../answers/answer.ts';
import { counted, listed, percent } from '../../answers/formatting/words.ts';
import { carrier, carrierLabel, count, field, share, shown } from '../../answers/kinds.ts';
import { paged } from '../../answers/message.ts';
import { otherCodeNote } from '../../answers/slack/answer-message.ts';
import { table } from '../../answers/table.ts';
import type { TimeSpan } from '../../grammar/resolve-period.ts';
import { canonicalPort, portName } from '../../reference/ports.ts';
import {
  betaVerdict,
  carrierSections,
  carriersOf,
  carriersPerPage,
  definitions,
  delayedTitle,
  departureDays,
  interval,
  laneActions,
  laneField,
  laneName,
  missingSections,
  shortName,
  withOthers,
} from './answer.ts';
import { type Change, type ComparedCarrier, minJourneys, type UncomparedCarrier } from './statistics.ts';
import { comparisonOf, type LaneVersus } from './versus.ts';

export type ComparedRow = ComparedCarrier | UncomparedCarrier;

export const changeIn = (row: ComparedRow): Change | undefined => ('change' in row ? row.change : undefined);

export const markers: Record<Change, string> = { more: '🟠 ', fewer: '⚪ ', unclear: '' };

/** The first two columns are all that a phone shows. Only clear changes are marked. */
export const comparedTable = table<ComparedRow>({
  name: 'lane-versus',
  about: 'A carrier in both periods, clear changes first',
  columns: {
    lane: laneField((row) => portsOf(row)),
    carrier: carrier('Carrier', 'the carrier', (row) => row.carrier, {
      words: (row) => `${markers[changeIn(row) ?? 'unclear']}${carrierLabel(row.carrier)}`,
    }),
    delayed: shown(
      'Delayed {destination}',
      (row) =>
        'change' in row
          ? {
              sort: delayed(row.later),
              text: `${percent(delayed(row.earlier))} → ${percent(delayed(row.later))}`,
            }
          : '',
      { isFigure: true },
    ),
    points: shown('Change', (row) =>
      'change' in row
        ? { sort: row.difference, text: `${points(row)}${row.change === 'unclear' ? ', unclear' : ''}` }
        : '',
    ),
    change: field(
      'text',
      'of the delayed share at the destination: `more`, `fewer`, or `unclear` if chance can explain it; empty with too few journeys',
      changeIn,
    ),
    ...periodColumns('earlier', 'Earlier'),
    ...periodColumns('later', 'Later'),
    origin_delayed: shown('Delayed {origin}', (row) => fromTo(row, delayedAtOrigin), { isFigure: true }),
    origin_omitted: shown('Omitted {origin}', (row) => fromTo(row, (each) => figure(each.originOmissions)), {
      isFigure: true,
    }),
    destination_omitted: shown(
      'Omitted {destination}',
      (row) => fromTo(row, (each) => figure(each.destinationOmissions)),
      { isFigure: true },
    ),
  },
});

function portsOf({ later, earlier }: ComparedRow): CarrierStatistics {
  const statistics = later ?? earlier;
  if (!statistics) throw new Error('a carrier has journeys in one period at least');
  return statistics;
}

function periodColumns(period: 'earlier' | 'later', header: string) {
  const countOf = (row: ComparedRow) => {
    const { destinationDelayed = 0, journeys = 0 } = row[period] ?? {};
    return [destinationDelayed, journeys] as const;
  };
  return {
    [`${period}_journeys`]: count<ComparedRow>(
      null,
      `journeys in the ${period} period`,
      (row) => row[period]?.journeys ?? 0,
    ),
    [`${period}_delayed`]: share<ComparedRow>(
      header,
      `journeys delayed at the destination in the ${period} period`,
      countOf,
      { minimum: minJourneys, none: 'no journeys', whole: 'journeys' },
    ),
    [`${period}_interval`]: shown<ComparedRow>(
      `95% ${period}`,
      (row) => ('change' in row ? interval(row[period]) : ''),
      { isFigure: true },
    ),
  };
}

const delayed = ({ destinationDelayed, journeys }: CarrierStatistics): number =>
  Math.min(1, journeys > 0 ? destinationDelayed / journeys : 0);

/** A share of few journeys would say little. */
const delayedAtOrigin = ({ originDelayed, journeys }: CarrierStatistics): { value: number; text: string } => {
  const ratio = journeys > 0 ? originDelayed / journeys : 0;
  return { value: ratio, text: journeys < minJourneys ? `${originDelayed} of ${journeys}` : percent(ratio) };
};

const figure = (value: number) => ({ value, text: value.toLocaleString('en') });

/** `2 → 0`; a single figure if the carrier is in one period only. */
function fromTo(
  { earlier, later }: ComparedRow,
  figureOf: (statistics: CarrierStatistics) => { value: number; text: string },
) {
  const figures = [earlier, later].flatMap((each) => (each ? [figureOf(each)] : []));
  return { sort: figures.at(-1)?.value ?? 0, text: figures.map(({ text }) => text).join(' → ') };
}

/** `+17 points`: the difference of the whole percents that stand beside it. */
function points({ earlier, later }: ComparedCarrier): string {
  const [before = 0, after = 0] = [earlier, later].map((each) => Math.round(delayed(each) * 100));
  const difference = after - before;
  return `${difference > 0 ? '+' : difference < 0 ? '−' : ''}${counted(Math.abs(difference), 'point')}`;
}

export interface VersusLines {
  /** The same lane the other way. */
  reverse: string;
  /** Each period alone. */
  earlier: string;
  later: string;
}

/** The carriers of a lane in two periods. */
export function versusAnswer(
  versus: LaneVersus,
  { page: asked, lines }: { page: number; lines: VersusLines },
): Answer {
  const { compared, uncompared, missing, earlier, later, unanswered } = versus;
  const rows: readonly ComparedRow[] = [...compared, ...uncompared];
  const { items, ...page } = paged(rows, asked, carriersPerPage);
  const isCompared = unanswered === undefined;
  return {
    verdict: {
      ...changesOn(versus),
      // The verdict names them if one has no answer.
      ...(isCompared && {
        lines: [bothPeriods(versus)],
        warning: overlapWarning(versus),
      }),
    },
    sections: [...sectionsOf(versus, items), ...missingSections(missing)],
    files: [
      carriersOf(
        versus,
        rows.flatMap((row) => [row.earlier, row.later].filter((each) => each !== undefined)),
        {
          periods: [earlier, later],
        },
      ),
      comparedOf(versus, rows, rows),
    ],
    notes: notesOf(versus),
    provenance: versus,
    page: { ...page, size: carriersPerPage },
    comparison: comparisonOf([versus]),
    actions: {
      about: laneName(versus),
      runs: periodActions(versus, lines),
      more: laneActions(versus, lines.reverse),
    },
  };
}

/** `Earlier: 1 Apr – 30 Jun 2026 · later: 1 Jul – 30 Sep 2026`. */
export const bothPeriods = ({ earlier, later, fetchedAt }: LaneVersus): string =>
  `Earlier: ${departureDays(earlier, fetchedAt)} · later: ${departureDays(later, fetchedAt)}`;

/** Journeys that count twice make the periods look more alike than they are, so a mark is still sound. */
export const overlapWarning = ({ overlap, fetchedAt }: LaneVersus): string | undefined =>
  overlap &&
  `🟠 ${departureDays(overlap, fetchedAt)} is in both periods, so they differ less than they could`;

export function periodActions(
  { unanswered, earlier, later, fetchedAt }: LaneVersus,
  lines: VersusLines,
): AnswerAction[] {
  const show = (span: TimeSpan, line: string) => ({ label: `Show ${departureDays(span, fetchedAt)}`, line });
  return [
    ...(unanswered === 'later' ? [] : [show(later, lines.later)]),
    ...(unanswered === 'earlier' ? [] : [show(earlier, lines.earlier)]),
  ];
}

/** Those of the period that was answered, if the other one was not. */
function sectionsOf(versus: LaneVersus, onPage: readonly ComparedRow[]): Section[] {
  const { only, compared, uncompared } = versus;
  if (only) {
    const answered = new Set(onPage.map(({ carrier: scac }) => scac));
    return carrierSections(
      only,
      [...only.ranked, ...only.unranked].filter(({ carrier: scac }) => answered.has(scac)),
    );
  }
  const shownOf = (rows: readonly ComparedRow[]) => rows.filter((row) => onPage.includes(row));
  const main = comparedOf(versus, compared, shownOf(compared));
  const others = comparedOf(versus, uncompared, shownOf(uncompared));
  const chart = chartOf(
    onPage.filter((row) => 'change' in row),
    versus,
  );
  return withOthers(chart, main, { others, title: tooFewToCompare(uncompared.length, 'carrier') });
}

export const tooFewToCompare = (count: number, noun: string): string =>
  `${counted(count, noun)} with too few to compare (under ${minJourneys} journeys in a period)`;

const comparedOf = (
  { origin, destination }: LaneVersus,
  rows: readonly ComparedRow[],
  onPage: readonly ComparedRow[],
) =>
  comparedTable.of({
    caption: `Delays at ${portName(destination)} in both periods`,
    rows,
    shown: onPage,
    words: { origin, destination },
    subject: [origin, destination],
  });

/** The verdict says all about a single carrier. */
function chartOf(compared: readonly ComparedCarrier[], { destination }: LaneVersus): Section[] {
  if (compared.length < 2) return [];
  const series = (name: string, period: 'earlier' | 'later') => ({
    name,
    bars: compared.map((row) => ({
      value: Math.round(delayed(row[period]) * 100),
      text: percent(delayed(row[period])),
    })),
  });
  return [
    {
      kind: 'bars',
      title: delayedTitle(destination),
      categories: compared.map(({ carrier: scac }) => shortName(scac)),
      series: [series('Earlier', 'earlier'), series('Later', 'later')],
      isInTable: true,
    },
  ];
}

/** Which carriers clearly have more or fewer delays at the destination. */
export function changesOn(versus: LaneVersus): Verdict {
  const { destination, compared, uncompared, unanswered, only, earlier, later, fetchedAt } = versus;
  const lane = laneName(versus);
  const at = portName(destination);
  if (unanswered && only) {
    const [lost, answered] = unanswered === 'earlier' ? [earlier, later] : [later, earlier];
    return betaVerdict(
      `${lane}: not compared, no answer for ${departureDays(lost, fetchedAt)}`,
      ` · below ${departureDays(answered, fetchedAt)} alone`,
    );
  }
  if (compared.length === 0) {
    const reason =
      uncompared.length > 0 ? 'too few journeys to compare any carrier' : 'no journeys in either period';
    return betaVerdict(`${lane}: ${reason}`);
  }
  const more = compared.filter(({ change }) => change === 'more');
  const fewer = compared.filter(({ change }) => change === 'fewer');
  const unclear = compared.length - more.length - fewer.length;
  if (unclear === compared.length)
    return betaVerdict(`${lane}: no clear change in delays at ${at} for ${named(compared)}`);
  const changes = [
    ...(more.length > 0 ? [`more delays at ${at} for ${named(more)}`] : []),
    ...(fewer.length > 0 ? [`fewer ${more.length > 0 ? '' : `delays at ${at} `}for ${named(fewer)}`] : []),
  ];
  const others = unclear > 0 ? ` · no clear change for ${counted(unclear, 'other')}` : '';
  return betaVerdict(`${lane}: ${changes.join(', ')}`, others);
}

/** `Maersk (8% → 25%) and MSC (4% → 30%)`; more than three carriers are counted. */
function named(carriers: readonly ComparedCarrier[]): string {
  if (carriers.length > 3) return counted(carriers.length, 'carrier');
  return listed(
    carriers.map(
      ({ carrier: scac, earlier, later }) =>
        `${shortName(scac)} (${percent(delayed(earlier))} → ${percent(delayed(later))})`,
    ),
  );
}

function notesOf(versus: LaneVersus): string[] {
  const { origin, destination, insteadOf, compared, uncompared, unanswered } = versus;
  return [
    ...(compared.length === 0 && uncompared.length > 0 && unanswered === undefined
      ? [`compared from ${minJourneys} journeys on in each period`]
      : []),
    ...changeNotes([versus]),
    `${origin} → ${destination}, by departure`,
    ...insteadOf.map((code) => otherCodeNote(code, canonicalPort(code))),
  ];
}

/** What the marks and the figures mean. */
export function changeNotes(lanes: readonly LaneVersus[], meanings = definitions): string[] {
  const compared = lanes.flatMap((lane) => lane.compared);
  const isClear = (wanted: Change) => compared.some(({ change }) => change === wanted);
  return [
    ...(isClear('more') ? ['🟠 clearly more delays'] : []),
    ...(isClear('fewer') ? ['⚪ clearly fewer'] : []),
    ...(compared.length > 0
      ? [
          'a change is clear if the 95% intervals (Wilson) of the delayed shares do not overlap; else it may be chance',
        ]
      : []),
    ...meanings,
    ...(lanes.some(({ isRecent }) => isRecent)
      ? ['how journeys still under way are counted is not documented']
      : []),
    ...(lanes.some(({ periodsDiffer }) => periodsDiffer)
      ? ['the periods differ from carrier to carrier']
      : []),
  ];
}

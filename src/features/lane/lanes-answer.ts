import { max } from 'date-fns/max';
import { min } from 'date-fns/min';
import type { Answer, Section, Verdict } from '../../answers/answer.ts';
import { counted, share as shareInWords } from '../../answers/formatting/words.ts';
import { paged } from '../../answers/message.ts';
import {
  betaVerdict,
  carriersPerPage,
  carriersTable,
  definitions,
  departureDays,
  laneName,
  missingSections,
  shortName,
  withDeparturesUntil,
} from './answer.ts';
import type { LanesStatistics } from './lanes.ts';
import { type LaneStatistics, minJourneys } from './statistics.ts';

interface Asked {
  /** `Shanghai → ARA`. */
  title: string;
  page: number;
  /** The line the other way. */
  reverse: string;
}

/** How the carriers performed on each lane of a group of ports: lane by lane, the least delayed first. */
export function lanesAnswer(statistics: LanesStatistics, asked: Asked): Answer {
  const { lanes, failed } = statistics;
  const ranked = lanes.flatMap((each) => each.ranked.map(rowOf(each)));
  const unranked = lanes.flatMap((each) => each.unranked.map(rowOf(each)));
  const { items, ...page } = paged([...ranked, ...unranked], asked.page, carriersPerPage);
  const isShown = new Set(items);
  const tableOf = (rows: typeof ranked) =>
    carriersTable.of({
      caption: `Carriers by lane, ${asked.title}`,
      rows,
      shown: rows.filter((row) => isShown.has(row)),
      words: { origin: 'at origin', destination: 'at destination' },
      subject: lanes.map(({ origin, destination }) => `${origin}-${destination}`),
      fetchedAt: (row) => lanes.find((each) => laneName(each) === row.lane)?.fetchedAt,
    });
  const [main, others] = [tableOf(ranked), tableOf(unranked)];
  const details: Section = {
    kind: 'details',
    title: `${counted(unranked.length, 'row')} with too few to rank (under ${minJourneys} journeys)`,
    sections: [others],
  };
  // A carrier may have journeys on one lane only.
  const missing = lanes[0]?.missing.filter((scac) => lanes.every((each) => each.missing.includes(scac)));
  return {
    verdict: verdictOf(statistics, asked.title),
    sections: [
      ...(ranked.length > 0 ? [main] : []),
      ...(ranked.length > 0 && others.shownCount > 0 ? [details] : []),
      ...(ranked.length === 0 ? [others] : []),
      ...missingSections(missing ?? []),
    ],
    firstNotes: [`${counted(lanes.length + failed.length, 'lane')}, an API call each`],
    notes: notesOf(statistics),
    provenance: statistics,
    page: { ...page, size: carriersPerPage },
    actions: { more: [{ label: 'The other way', line: asked.reverse }] },
  };
}

const rowOf = (lane: LaneStatistics) => (carrier: LaneStatistics['ranked'][number]) =>
  withDeparturesUntil(lane.fetchedAt, { ...carrier, lane: laneName(lane) });

const delayedShare = ({ ranked: [best] }: LaneStatistics): number =>
  best ? best.destinationDelayed / best.journeys : Number.POSITIVE_INFINITY;

/** The carrier least delayed on any lane, then a line for each other lane. */
function verdictOf({ lanes, failed }: LanesStatistics, title: string): Verdict {
  const [first, ...others] = lanes.toSorted((one, other) => delayedShare(one) - delayedShare(other));
  const [best] = first?.ranked ?? [];
  const unanswered = failed.map((lane) => `🟠 ${laneName(lane)}: no answer`);
  if (!first || !best)
    return {
      ...betaVerdict(`${title}: too few journeys to rank any carrier`),
      lines: unanswered,
    };
  const delayed = shareInWords(best.destinationDelayed, best.journeys);
  return {
    ...betaVerdict(`${title}: ${shortName(best.carrier)} least delayed, ${delayed}`, ` · ${laneName(first)}`),
    lines: [...others.map(lineOf), ...unanswered],
  };
}

/** `Shanghai → Antwerp: Maersk, 12%`. */
function lineOf(lane: LaneStatistics): string {
  const [best] = lane.ranked;
  const words = best
    ? `${shortName(best.carrier)}, ${shareInWords(best.destinationDelayed, best.journeys)} delayed`
    : lane.unranked.length > 0
      ? 'too few journeys to rank any carrier'
      : 'no journeys returned';
  return `${laneName(lane)}: ${words}`;
}

function notesOf({ lanes, fetchedAt, failed }: LanesStatistics): string[] {
  const periods = lanes.flatMap(({ period }) => period ?? []);
  const span = periods.length > 0 && {
    begin: min(periods.map(({ begin }) => begin)),
    end: max(periods.map(({ end }) => end)),
  };
  return [
    ...(span ? [`Departures ${departureDays(span, fetchedAt)}`] : []),
    ...definitions,
    '95%: Wilson interval of the delayed share',
    ...(failed.length > 0 ? ['some lanes have no answer: press Refresh'] : []),
  ];
}

import { millisecondsInDay } from 'date-fns/constants';
import { max } from 'date-fns/max';
import { min } from 'date-fns/min';
import type { Lane } from '../../analytics/journey-statistics.ts';
import type { LineFacts } from '../../answers/comparison.ts';
import type { TimeSpan } from '../../grammar/resolve-period.ts';
import { mergeProvenance } from '../../messages/frame/answer-message.ts';
import type { AskCtx } from '../variant.ts';
import { compareCarriers } from './compare-carriers.ts';
import { askLane, type LaneStatistics } from './statistics.ts';

export interface ComparedSpans {
  earlier: TimeSpan;
  later: TimeSpan;
}

export type LaneVersus = Awaited<ReturnType<typeof askVersus>>;

/** How the carriers of a lane performed in two periods. Throws only if the service answers for neither. */
export async function askVersus(lane: Omit<Lane, 'begin' | 'end'>, spans: ComparedSpans, ctx: AskCtx) {
  const results = await Promise.allSettled([
    askLane({ ...lane, ...spans.earlier }, ctx),
    askLane({ ...lane, ...spans.later }, ctx),
  ]);
  ctx.signal.throwIfAborted();
  const [earlier, later] = results.map((result) =>
    result.status === 'fulfilled' ? result.value : undefined,
  );
  const [first, ...others] = [later, earlier].filter((answer) => answer !== undefined);
  if (!first) throw results.find((result) => result.status === 'rejected')?.reason;
  const answers: [LaneStatistics, ...LaneStatistics[]] = [first, ...others];
  // If one period has no journeys, the service may know the port in the other by another code.
  const { origin, destination } = answers.find(hasJourneys) ?? first;
  const periods = { earlier: earlier?.period ?? spans.earlier, later: later?.period ?? spans.later };
  const overlap = {
    begin: max([periods.earlier.begin, periods.later.begin]),
    end: min([periods.earlier.end, periods.later.end]),
  };
  return {
    origin,
    destination,
    insteadOf: [...new Set(answers.filter(hasJourneys).flatMap(({ insteadOf }) => insteadOf))],
    /** Half-open, as the service answered. */
    ...periods,
    /** The part that is in both periods. */
    ...(overlap.begin < overlap.end && { overlap }),
    periodsDiffer: answers.some(({ periodsDiffer }) => periodsDiffer),
    /** Some journeys of the later period may not have reached the destination yet. */
    isRecent: +spans.later.end > +first.fetchedAt - longestJourneyDays * millisecondsInDay,
    ...compareCarriers({ earlier: statisticsOf(earlier), later: statisticsOf(later) }),
    /** Carriers in the line for which the service has nothing in either period. */
    missing: first.missing.filter((scac) => others.every(({ missing }) => missing.includes(scac))),
    /** Set if the service did not answer for one of the periods: that period, and the answer for the other. */
    ...(!earlier && later && { unanswered: 'earlier' as const, only: later }),
    ...(!later && earlier && { unanswered: 'later' as const, only: earlier }),
    ...mergeProvenance(answers),
  };
}

/** About as long as liner services take from one end of a trade to the other, Asia to Europe round the Cape. */
const longestJourneyDays = 45;

const statisticsOf = (answer: LaneStatistics | undefined) =>
  answer ? [...answer.ranked, ...answer.unranked] : [];

const hasJourneys = (answer: LaneStatistics): boolean => statisticsOf(answer).length > 0;

/** What a digest compares with its previous run; null if only one of the periods was answered. */
export function versusFacts({ compared, unanswered }: LaneVersus): LineFacts | null {
  if (unanswered) return null;
  const marked = compared.flatMap(({ carrier, change }) =>
    change === 'unclear' ? [] : [{ carrier, change }],
  );
  return { kind: 'lane-versus', marked };
}

import type { CarrierStatistics } from '../../analytics/answers.ts';
import type { Locode } from '../../reference/locode.ts';
import { canonicalPort } from '../../reference/ports.ts';
import type { Scac } from '../../reference/scac.ts';
import { type AnalyticsContext, callOptions } from '../run-context.ts';
import type { LaneAnswer } from './view.ts';

interface LaneQuestion {
  origin: Locode;
  destination: Locode;
  /** None: all. */
  carriers: readonly Scac[];
  /** Left out: no dates are sent, and the service takes its own. */
  period: { begin: Date; end: Date } | undefined;
}

interface Lines {
  line: string;
  reverseLine: string;
  page: number;
}

/** Below this a delayed share says little. */
const leastJourneys = 10;

/** How the carriers of a lane performed, ranked by the delayed share at the destination. */
export async function askLane(
  question: LaneQuestion,
  lines: Lines,
  context: AnalyticsContext,
): Promise<LaneAnswer> {
  const { asked, statistics, ...provenance } = await statisticsOf(question, context);
  const { origin, destination } = asked;
  const { carriers, period } = question;
  const used = periodOf(statistics) ?? period;
  return {
    kind: 'lane-statistics',
    ...lines,
    origin,
    destination,
    insteadOf: [question.origin, question.destination].filter(
      (port) => port !== origin && port !== destination,
    ),
    ranked: statistics.filter(({ journeys }) => journeys >= leastJourneys).toSorted(byDelayedShare),
    unranked: statistics.filter(({ journeys }) => journeys < leastJourneys).toSorted(byJourneys),
    missing: carriers.filter((scac) => !statistics.some(({ carrier }) => carrier === scac)),
    ...(used && { period: used }),
    periodsDiffer: new Set(statistics.map(({ beginsAt, endsAt }) => `${+beginsAt} ${+endsAt}`)).size > 1,
    ...provenance,
  };
}

/** Where the service gives nothing for one of several codes of a port, that port's leading code is asked. */
async function statisticsOf({ carriers, period, ...typed }: LaneQuestion, context: AnalyticsContext) {
  const ask = async (asked: Pick<LaneQuestion, 'origin' | 'destination'>) => ({
    ...(await context.analytics.journeyStatistics(
      { ...asked, ...period, ...(carriers.length > 0 && { carriers }) },
      callOptions(context),
    )),
    asked,
  });
  const answer = await ask(typed);
  const leading = { origin: canonicalPort(typed.origin), destination: canonicalPort(typed.destination) };
  const isSame = leading.origin === typed.origin && leading.destination === typed.destination;
  if (answer.statistics.length > 0 || isSame) return answer;
  const other = await ask(leading);
  return other.statistics.length > 0 ? other : answer;
}

/** As the service gave it back, over all carriers. */
function periodOf(statistics: readonly CarrierStatistics[]): { begin: Date; end: Date } | undefined {
  if (statistics.length === 0) return undefined;
  return {
    begin: new Date(Math.min(...statistics.map(({ beginsAt }) => beginsAt.getTime()))),
    end: new Date(Math.max(...statistics.map(({ endsAt }) => endsAt.getTime()))),
  };
}

function byDelayedShare(one: CarrierStatistics, other: CarrierStatistics): number {
  const share = ({ destinationDelayed, journeys }: CarrierStatistics) => destinationDelayed / journeys;
  return share(one) - share(other) || byJourneys(one, other);
}

function byJourneys(one: CarrierStatistics, other: CarrierStatistics): number {
  return other.journeys - one.journeys || (one.carrier < other.carrier ? -1 : 1);
}

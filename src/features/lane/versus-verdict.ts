import { percent } from '../../messages/formatting/probability.ts';
import { counted } from '../../messages/formatting/words.ts';
import { portName } from '../../reference/ports.ts';
import { listed, ratio, shortName } from './carrier-words.ts';
import type { ComparedCarrier } from './compare-carriers.ts';
import { departureDays } from './departure-days.ts';
import { beta, type Verdict } from './verdict.ts';
import type { LaneVersus } from './versus.ts';

/** Which carriers clearly have more or fewer delays at the destination. Not escaped. */
export function versusVerdict(answer: LaneVersus): Verdict {
  const { origin, destination, compared, uncompared, unanswered, only, fetchedAt } = answer;
  const lane = `${portName(origin)} → ${portName(destination)}`;
  const port = portName(destination);
  if (unanswered && only) {
    const [lost, shown] =
      unanswered === 'earlier' ? [answer.earlier, answer.later] : [answer.later, answer.earlier];
    return {
      bold: `${lane}: not compared, no answer for ${departureDays(lost, fetchedAt)}`,
      rest: ` · below ${departureDays(shown, fetchedAt)} alone${beta}`,
    };
  }
  if (compared.length === 0) {
    const reason =
      uncompared.length > 0 ? 'too few journeys to compare any carrier' : 'no journeys in either period';
    return { bold: `${lane}: ${reason}`, rest: beta };
  }
  const more = compared.filter(({ change }) => change === 'more');
  const fewer = compared.filter(({ change }) => change === 'fewer');
  const unclear = compared.length - more.length - fewer.length;
  if (unclear === compared.length) {
    return { bold: `${lane}: no clear change in delays at ${port} for ${named(compared)}`, rest: beta };
  }
  const changes = [
    ...(more.length > 0 ? [`more delays at ${port} for ${named(more)}`] : []),
    ...(fewer.length > 0 ? [`fewer ${more.length > 0 ? '' : `delays at ${port} `}for ${named(fewer)}`] : []),
  ];
  const others = unclear > 0 ? ` · no clear change for ${counted(unclear, 'other')}` : '';
  return { bold: `${lane}: ${changes.join(', ')}`, rest: `${others}${beta}` };
}

/** `Maersk (8% → 25%) and MSC (4% → 30%)`; more than three carriers are counted. */
function named(carriers: readonly ComparedCarrier[]): string {
  if (carriers.length > 3) return counted(carriers.length, 'carrier');
  return listed(
    carriers.map(({ carrier, earlier, later }) => {
      const shares = [earlier, later].map(({ destinationDelayed, journeys }) =>
        percent(ratio(destinationDelayed, journeys)),
      );
      return `${shortName(carrier)} (${shares.join(' → ')})`;
    }),
  );
}

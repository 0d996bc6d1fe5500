import type { Lane } from '../../analytics/journey-statistics.ts';
import { mergeProvenance } from '../../answers/slack/answer-message.ts';
import { UserError } from '../../errors.ts';
import { checkDifferent, expandPorts } from '../../grammar/port.ts';
import type { TimeSpan } from '../../grammar/resolve-period.ts';
import type { Locode } from '../../reference/codes.ts';
import { samePort } from '../../reference/ports.ts';
import type { Provenance } from '../../reference/prediction.ts';
import type { AskCtx } from '../ctx.ts';
import { laneName } from './answer.ts';
import { askLane, type LaneStatistics } from './statistics.ts';
import { example, format, type LaneValues } from './words.ts';

/** The most in one question: each is a request. */
export const maxLanes = 6;

/** Without dates. */
type Asked = Omit<Lane, 'begin' | 'end'>;

/** From each port of the origin to each of the destination. Throws UserError unknown-port, same-port, too-many-ports. */
export function lanesOf(values: LaneValues, { vessels: groups }: AskCtx): [Asked, ...Asked[]] {
  const portsOf = (side: 'origin' | 'destination') =>
    expandPorts([values[side]], {
      ...{ example, groups },
      // The line of a choice is valid, with a group that the reader knows in place of the unknown one.
      line: (fixed) => format({ ...values, [side]: fixed, page: 1 }),
    });
  const carriers = values.carriers.length > 0 && { carriers: values.carriers };
  const [origins, destinations] = [portsOf('origin'), portsOf('destination')];
  const [first, ...others] = origins.flatMap((origin) =>
    destinations.flatMap((destination) =>
      samePort(origin, destination) ? [] : [{ origin, destination, ...carriers }],
    ),
  );
  if (!first) {
    checkDifferent({ origin: origins[0], destination: destinations[0] }, { example, line: (fixed) => fixed });
    throw new Error('the only port of each side is the same');
  }
  if (others.length >= maxLanes) throw tooManyLanes(others.length + 1, { origins, destinations, values });
  return [first, ...others];
}

/** Offers the lanes of one port of the side that has more. */
function tooManyLanes(
  count: number,
  {
    origins,
    destinations,
    values,
  }: { origins: readonly Locode[]; destinations: readonly Locode[]; values: LaneValues },
): UserError {
  const isFromEach = origins.length >= destinations.length;
  const parts = (isFromEach ? origins : destinations).map((port) =>
    isFromEach ? { ...values, origin: port } : { ...values, destination: port },
  );
  return new UserError({
    code: 'too-many-ports',
    message: `${count} lanes are too many for one question: at most ${maxLanes}, and each is an API call.`,
    hint: 'Name one port on one side.',
    choices: parts.map((part) => ({ label: laneName(part), line: format({ ...part, page: 1 }) })),
  });
}

export const versusOfOne = (values: LaneValues, lanes: readonly Asked[]): UserError =>
  new UserError({
    code: 'too-many-ports',
    message: 'Two periods can be compared on only one lane at a time.',
    choices: lanes.map(({ origin, destination }) => ({
      label: laneName({ origin, destination }),
      line: format({ ...values, origin, destination, page: 1 }),
    })),
  });

/** What the service answered for several lanes, in their order. */
export interface LanesStatistics extends Provenance {
  lanes: readonly LaneStatistics[];
  /** Those whose request failed. */
  failed: readonly Asked[];
}

/** Throws only if all fail. */
export async function askLanes(
  lanes: readonly Asked[],
  span: TimeSpan | undefined,
  ctx: AskCtx,
): Promise<LanesStatistics> {
  const results = await Promise.allSettled(lanes.map((lane) => askLane({ ...lane, ...span }, ctx)));
  ctx.signal.throwIfAborted();
  const answered = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const [first, ...others] = answered;
  if (!first) throw results.find((result) => result.status === 'rejected')?.reason;
  const failed = lanes.filter((_, index) => results[index]?.status === 'rejected');
  return { lanes: answered, failed, ...mergeProvenance([first, ...others]) };
}

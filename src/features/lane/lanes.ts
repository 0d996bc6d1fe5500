import type { Lane } from '../../analytics/journey-statistics.ts';
import { mergeProvenance } from '../../answers/slack/answer-message.ts';
import { UserError } from '../../errors.ts';
import { lanesBetween, lanesOnce, namesOf } from '../../grammar/lanes.ts';
import { wordsError } from '../../grammar/line.ts';
import { expandPorts, type PortPair } from '../../grammar/port.ts';
import type { Provenance } from '../../reference/prediction.ts';
import type { AskCtx } from '../ctx.ts';
import { example, format, type LaneValues } from './words.ts';

/** The requests for one question: lanes times periods. An answer never costs more, nor takes longer. */
export const maxRequests = 6;

/** Without dates. */
export type Asked = Omit<Lane, 'begin' | 'end'>;

/** All lanes, with the ports of groups, each once. Throws UserError unknown-port, same-port, too-many-ports. */
export function lanesOf(
  values: LaneValues,
  { vessels: groups }: Pick<AskCtx, 'vessels'>,
): [Asked, ...Asked[]] {
  const carriers = values.carriers.length > 0 && { carriers: values.carriers };
  const [first, ...others] = lanesOnce(
    values.lanes.flatMap((pair, index) => {
      const portsOf = (side: keyof PortPair) =>
        expandPorts([pair[side]], {
          ...{ example, groups },
          // The line of a choice is valid, with a group that the reader knows in place of the unknown one.
          line: (fixed) =>
            format({ ...values, lanes: values.lanes.with(index, { ...pair, [side]: fixed }), page: 1 }),
        });
      return lanesBetween(portsOf('origin'), portsOf('destination'));
    }),
  );
  if (!first) throw wordsError('same-port', 'Origin and destination are the same port.', noHelp);
  const most = values.versus ? maxRequests / 2 : maxRequests;
  if (others.length >= most) throw tooManyLanes([first, ...others], { most, values });
  return [{ ...first, ...carriers }, ...others.map((lane) => ({ ...lane, ...carriers }))];
}

const noHelp = { example, line: (fixed: string) => fixed };

/** Offers those from one port or to one, or as many as fit. */
function tooManyLanes(
  lanes: readonly PortPair[],
  { most, values }: { most: number; values: LaneValues },
): UserError {
  const parts = (['origin', 'destination'] as const)
    .map((side) => [...Map.groupBy(lanes, (lane) => lane[side]).values()])
    .filter((of) => of.length < lanes.length && of.every((part) => part.length <= most))
    .toSorted((one, other) => one.length - other.length);
  const asked = values.versus ? `${lanes.length} lanes in two periods` : `${lanes.length} lanes`;
  return new UserError({
    code: 'too-many-ports',
    message: `${asked} are too many for one question: at most ${most}, and each is ${values.versus ? 'two API calls' : 'an API call'}.`,
    hint: 'Ask for some of them, then for the others.',
    choices: (parts[0] ?? [lanes.slice(0, most), lanes.slice(most, 2 * most)]).map((part) => ({
      label: namesOf(part),
      line: format({ ...values, lanes: part, page: 1 }),
    })),
  });
}

/** What the service answered for several lanes or periods, in their order. */
export interface Found<Answered, Item = Asked> extends Provenance {
  answered: readonly [Answered, ...Answered[]];
  /** Those whose request failed. */
  failed: readonly Item[];
}

/** Throws only if all fail. */
export async function askEach<Item, Answered extends Provenance>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answered>,
  ctx: AskCtx,
): Promise<Found<Answered, Item>> {
  const results = await Promise.allSettled(items.map(ask));
  ctx.signal.throwIfAborted();
  const all = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const [first, ...others] = all;
  if (!first) throw results.find((result) => result.status === 'rejected')?.reason;
  const failed = items.filter((_, index) => results[index]?.status === 'rejected');
  return { answered: [first, ...others], failed, ...mergeProvenance([first, ...others]) };
}

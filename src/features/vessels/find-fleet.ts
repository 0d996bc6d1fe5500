import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { formatFleetName } from '../../grammar/list-name.ts';
import type { Imo } from '../../reference/imo.ts';
import { nearest } from '../../reference/nearest.ts';
import type { RunContext } from '../feature.ts';
import { keptOf } from '../stored.ts';

/** A fleet of the workspace as it is now. Throws UserError where there is none of that name; `lineOf` a right one. */
export async function fleetOf(
  name: string,
  context: RunContext,
  lineOf = (words: string) => `nextport ${words}`,
): Promise<{ name: string; imos: readonly [Imo, ...Imo[]] }> {
  const { kept } = keptOf(context);
  const found = await kept.fleets.find(context.workspaceId, name);
  const [first, ...others] = found?.imos ?? [];
  if (found && first !== undefined) return { name: found.name, imos: [first, ...others] };
  const names = (await kept.fleets.list(context.workspaceId)).map((fleet) => fleet.name);
  const near = nearest(
    name.toUpperCase(),
    names.map((value) => ({ key: value.toUpperCase(), value })),
    3,
  );
  throw new UserError({
    code: 'unknown-fleet',
    message: `No fleet ${quote(name)} is known here.`,
    ...(names.length === 0 && { hint: 'There are no fleets yet.' }),
    choices: (near.length > 0 ? near : names.slice(0, 5)).map((one) => ({
      label: `Fleet ${one}`,
      line: lineOf(formatFleetName(one)),
    })),
    example: 'vessel fleet NORTH add 9461477, 9755933',
  });
}

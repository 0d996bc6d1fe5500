import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { formatFleetName } from '../../grammar/list-name.ts';
import { nearest } from '../../reference/nearest.ts';
import type { FindFleet } from '../feature.ts';
import type { VesselsServices } from './services.ts';

/** Of one workspace. */
export const createFindFleet =
  ({ fleets, workspaceId }: Pick<VesselsServices, 'fleets' | 'workspaceId'>): FindFleet =>
  async (name, lineOf = (words) => `nextport ${words}`) => {
    const found = await fleets.find(workspaceId, name);
    const [first, ...others] = found?.imos ?? [];
    if (found && first !== undefined) return { name: found.name, imos: [first, ...others] };
    const names = (await fleets.list(workspaceId)).map((fleet) => fleet.name);
    const near = nearest(
      name.toUpperCase(),
      names.map((value) => ({ key: value.toUpperCase(), value })),
      3,
    );
    throw new UserError({
      code: 'unknown-fleet',
      message: `There is no fleet called ${quote(name)} here.`,
      ...(names.length === 0 && { hint: 'There are no fleets yet.' }),
      choices: (near.length > 0 ? near : names.slice(0, 5)).map((one) => ({
        label: `Fleet ${one}`,
        line: lineOf(formatFleetName(one)),
      })),
      example: 'vessel fleet NORTH add 9461477, 9755933',
    });
  };

import { UserError } from '../../errors.ts';
import { formatFleetName } from '../../grammar/list-name.ts';
import type { Imo } from '../../reference/imo.ts';
import { knownVessel } from '../run-context.ts';
import { fleetKey } from './fleets.ts';
import type { VesselsContext } from './services.ts';
import type { VesselNamesAnswer } from './view.ts';

/** A question about a fleet is a call for each of its vessels. */
export const maxVesselsInFleet = 50;

/** Of a workspace: each question about one reads them all. */
const maxFleets = 200;

/** Throws UserError where these would be more fleets than a workspace may have. */
export async function refuseMoreFleets(
  names: readonly string[],
  { fleets, workspaceId }: Pick<VesselsContext, 'fleets' | 'workspaceId'>,
): Promise<void> {
  const known = (await fleets.list(workspaceId)).map(({ name }) => fleetKey(name));
  const count = new Set([...known, ...names.map(fleetKey)]).size;
  if (count <= maxFleets || count === known.length) return;
  throw new UserError({
    code: 'too-many-fleets',
    message: `A workspace can have at most ${maxFleets} fleets; this would make ${count.toLocaleString('en')}. Nothing was changed.`,
    hint: 'Forget fleets that nobody uses.',
    example: 'vessel fleets',
  });
}

export async function addToFleet(
  name: string,
  imos: readonly Imo[],
  context: VesselsContext,
): Promise<VesselNamesAnswer> {
  const before = (await context.fleets.find(context.workspaceId, name))?.imos ?? [];
  const size = new Set([...before, ...imos]).size;
  if (size > maxVesselsInFleet) {
    throw new UserError({
      code: 'too-many-vessels',
      message: `A fleet can have at most ${maxVesselsInFleet} vessels; this one would have ${size}.`,
      hint: "For more, use one of the provider's lists.",
      example: 'nextport list:FEEDERS',
    });
  }
  await refuseMoreFleets([name], context);
  await context.fleets.add({ name, imos: [...imos] }, changeBy(context));
  return fleetShown(name, context, { added: imos.filter((imo) => !before.includes(imo)) });
}

export async function removeFromFleet(
  name: string,
  imos: readonly Imo[],
  context: VesselsContext,
): Promise<VesselNamesAnswer> {
  const fleet = await context.findFleet(name, fleetLine);
  await context.fleets.remove({ name: fleet.name, imos: [...imos] }, changeBy(context));
  const rest = await context.fleets.find(context.workspaceId, name);
  if (!rest) return gone(fleet);
  return fleetShown(name, context, { removed: imos.filter((imo) => fleet.imos.includes(imo)) });
}

export async function forgetFleet(name: string, context: VesselsContext): Promise<VesselNamesAnswer> {
  const fleet = await context.findFleet(name, fleetLine);
  await context.fleets.forget(fleet.name, changeBy(context));
  return gone(fleet);
}

const gone = ({ name, imos }: { name: string; imos: readonly [Imo, ...Imo[]] }): VesselNamesAnswer => ({
  kind: 'fleet-gone',
  name,
  imos,
});

export async function fleetShown(
  name: string,
  context: VesselsContext,
  change: { added?: readonly Imo[]; removed?: readonly Imo[] } = {},
): Promise<VesselNamesAnswer> {
  const fleet = await context.findFleet(name, fleetLine);
  return {
    kind: 'fleet',
    name: fleet.name,
    words: formatFleetName(fleet.name),
    vessels: fleet.imos.map((imo) => knownVessel(imo, context.vessels)),
    added: (change.added ?? []).length,
    removed: (change.removed ?? []).length,
  };
}

const fleetLine = (words: string): string => words.replace(/^fleet:/, 'vessel fleet ');

export const changeBy = ({ workspaceId, actor, now }: VesselsContext) => ({
  workspaceId,
  actorId: actor.userId,
  now: now(),
});

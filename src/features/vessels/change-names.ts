import { UserError } from '../../errors.ts';
import { formatFleetName } from '../../grammar/list-name.ts';
import type { Imo } from '../../reference/imo.ts';
import { changeBy } from './change-fleet.ts';
import type { VesselsContext } from './services.ts';
import { type VesselRow, writeVesselCsv } from './vessel-csv.ts';
import type { VesselNamesAnswer } from './view.ts';

interface Asked {
  line: string;
  page: number;
}

/**
 * With the fleets that the vessel joins. A name may be that of another vessel too: then their IMO numbers
 * distinguish the two, and the answer says so.
 */
export async function nameVessel(
  { imo, name, fleets = [] }: { imo: Imo; name: string; fleets?: readonly string[] },
  context: VesselsContext,
): Promise<VesselNamesAnswer> {
  const before = context.vessels.nameOf(imo);
  const same = context.vessels.named(name).filter((other) => other.imo !== imo);
  const joined = fleets.map((fleet) => ({ name: fleet, imos: [imo] }));
  await context.names.save([{ imo, name }], changeBy(context), { kind: 'typed' }, joined);
  return {
    kind: 'vessel-named',
    imo,
    name,
    ...(before !== undefined && before !== name && { before }),
    namesakes: same.map((other) => other.imo),
  };
}

export async function forgetNames(
  imos: readonly [Imo, ...Imo[]],
  context: VesselsContext,
): Promise<VesselNamesAnswer> {
  const named = (await context.names.list(context.workspaceId)).filter(({ imo }) => imos.includes(imo));
  if (named.length === 0) {
    throw new UserError({
      code: 'unknown-vessel',
      message:
        imos.length === 1 ? `IMO ${imos[0]} has no name here.` : 'None of these vessels has a name here.',
      choices: [{ label: 'List the names', line: 'vessel list' }],
      example: 'vessel list',
    });
  }
  await context.names.forget(imos, changeBy(context));
  return { kind: 'vessels-forgotten', vessels: named };
}

export async function namesShown(asked: Asked, context: VesselsContext): Promise<VesselNamesAnswer> {
  const [vessels, fleets] = await Promise.all([
    context.names.list(context.workspaceId),
    context.fleets.list(context.workspaceId),
  ]);
  const fleetsOf = fleetsByVessel(fleets);
  return {
    kind: 'vessel-list',
    ...asked,
    vessels: vessels.map((vessel) => ({ ...vessel, fleets: fleetsOf(vessel.imo) })),
    fleets: fleets.length,
  };
}

export async function fleetsShown(asked: Asked, context: VesselsContext): Promise<VesselNamesAnswer> {
  const fleets = await context.fleets.list(context.workspaceId);
  return {
    kind: 'fleets',
    ...asked,
    fleets: fleets.map(({ name, imos }) => ({ name, vessels: imos.length, words: formatFleetName(name) })),
  };
}

/** As `vessel import` reads it: a file, or where there can be none its pages. */
export async function exportNames(asked: Asked, context: VesselsContext): Promise<VesselNamesAnswer> {
  const [named, fleets] = await Promise.all([
    context.names.list(context.workspaceId),
    context.fleets.list(context.workspaceId),
  ]);
  const text = writeVesselCsv(rowsOf(named, fleets));
  const title = 'Vessel names and fleets';
  const file = { name: 'vessels.csv', title, content: text };
  const isSent = asked.page === 1 && named.length + fleets.length > 0;
  if (isSent && (await context.sendFile(context.actor.userId, file))) {
    return { kind: 'vessel-file', vessels: named.length, fleets: fleets.length };
  }
  const [header = '', ...rows] = text.split('\r\n').filter((row) => row !== '');
  return { kind: 'vessel-export', ...asked, header, rows };
}

/** Vessels that are in a fleet and have no name come after the others. */
function rowsOf(
  named: readonly { imo: Imo; name: string }[],
  fleets: readonly { name: string; imos: readonly Imo[] }[],
): VesselRow[] {
  const fleetsOf = fleetsByVessel(fleets);
  const known = new Set(named.map(({ imo }) => imo));
  const nameless = [...new Set(fleets.flatMap(({ imos }) => imos))].filter((imo) => !known.has(imo));
  return [
    ...named.map(({ imo, name }) => ({ imo, name, fleets: fleetsOf(imo) })),
    ...nameless.sort((one, other) => one - other).map((imo) => ({ imo, name: null, fleets: fleetsOf(imo) })),
  ];
}

/** Looked up for thousands of vessels. */
function fleetsByVessel(fleets: readonly { name: string; imos: readonly Imo[] }[]): (imo: Imo) => string[] {
  const members = fleets.flatMap(({ name, imos }) => imos.map((imo) => ({ imo, name })));
  const byImo = Map.groupBy(members, ({ imo }) => imo);
  return (imo) => (byImo.get(imo) ?? []).map(({ name }) => name);
}

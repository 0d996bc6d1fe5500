import { UserError } from '../../errors.ts';
import { fleetKey } from '../../grammar/list-name.ts';
import type { NamedVessel, VesselDirectory } from '../../grammar/vessel-directory.ts';
import type { Imo } from '../../reference/imo.ts';
import { filterByScope, isInScope } from '../owned.ts';
import type { FollowingWatch } from '../run-context.ts';
import { actorIn, directoryFor, knownVessel } from '../run-context.ts';
import type { Fleet, Imos } from './fleets.ts';
import { answerReferenceLine } from './references.ts';
import { type VesselRow, writeVesselCsv } from './vessel-csv.ts';
import { changeBy, type VesselsContext } from './vessels-context.ts';
import type { VesselNamesAnswer } from './view.ts';
import { formatVesselLine, type VesselArgs } from './words.ts';

export async function answerVesselLine(
  args: VesselArgs,
  context: VesselsContext,
): Promise<VesselNamesAnswer> {
  switch (args.kind) {
    case 'name':
      return await nameVessel(args, context);
    case 'forget':
      return await forgetNames(args.imos, context);
    case 'list':
      return await listNames(args.page, context);
    case 'export':
      return await exportNames(args.page, context);
    case 'fleets':
      return await listFleets(args.page, context);
    case 'import':
      return { kind: 'how-to-import' };
    case 'ref':
      return await answerReferenceLine(args, context);
    case 'fleet':
      if (args.change === 'add') return await addToFleet(args.name, args.imos, context);
      if (args.change === 'show') return await showFleet(args.name, context);
      return await removeFromFleet(args, context);
  }
}

/** What a vessel gets with its name in the form. */
interface FormAdditions {
  fleets: readonly string[];
  references: readonly string[];
}

/**
 * Also adds the vessel to fleets, and references to the vessel, if they come from the form; then the answer has no undo,
 * as no single line could undo all. Vessels may share a name; the answer lists the others.
 */
export async function nameVessel(
  { imo, name, added }: NamedVessel & { added?: FormAdditions },
  context: VesselsContext,
): Promise<VesselNamesAnswer> {
  const before = context.vessels.nameOf(imo);
  const additions = added && {
    fleets: added.fleets.map((fleet) => ({ name: fleet, imos: [imo] })),
    references: added.references.length > 0 ? [{ imo, added: added.references }] : [],
  };
  const sameReference = context.vessels.referenced(name).filter((vessel) => vessel.imo !== imo);
  await context.names.save([{ imo, name }], changeBy(context), { kind: 'typed' }, additions);
  const answer = {
    kind: 'vessel-named' as const,
    imo,
    name,
    namesakes: namesakesOf({ imo, name }, context),
    hiddenReferences: sameReference,
    ...(before !== undefined && before !== name && { previousName: before }),
  };
  if (added) return { ...answer, ...added };
  if (before === name) return answer;
  const undo: VesselArgs =
    before === undefined ? { kind: 'forget', imos: [imo] } : { kind: 'name', imo, name: before };
  return { ...answer, undo: formatVesselLine(undo) };
}

/** Other vessels with the same name. */
export const namesakesOf = (given: { imo: number; name: string }, { vessels }: VesselsContext): Imo[] =>
  vessels.named(given.name).flatMap(({ imo }) => (imo === given.imo ? [] : [imo]));

async function forgetNames(imos: Imos, context: VesselsContext): Promise<VesselNamesAnswer> {
  const vessels = (await context.names.list()).filter(({ imo }) => imos.includes(imo));
  const [first, ...others] = vessels;
  if (!first) {
    throw new UserError({
      code: 'unknown-vessel',
      message:
        imos.length === 1 ? `IMO ${imos[0]} has no name here.` : 'None of these vessels has a name here.',
      choices: [{ label: 'List the names', line: 'vessel list' }],
      example: 'vessel list',
    });
  }
  await context.names.forget(imos, changeBy(context));
  // A line can give a name to only one vessel, so there is no line that undoes more.
  const undo = others.length === 0 && { undo: formatVesselLine({ kind: 'name', ...first }) };
  return { kind: 'vessels-forgotten', vessels, ...undo };
}

async function listNames(page: number, { names, fleets, actor }: VesselsContext): Promise<VesselNamesAnswer> {
  const [named, stored, all] = await Promise.all([names.list(), fleets.list(), names.directory()]);
  const directory = directoryFor(actor, all);
  const fleetsOf = fleetsByVessel(stored);
  return {
    kind: 'vessel-list',
    line: formatVesselLine({ kind: 'list', page }),
    page,
    vessels: listed(named, directory).map((vessel) => ({
      ...vessel,
      fleets: fleetsOf(vessel.imo),
      references: directory.referencesOf(vessel.imo),
    })),
    fleets: stored.length,
  };
}

/** Vessels that have a name, then those that have only references. */
function listed(named: readonly NamedVessel[], directory: VesselDirectory) {
  const imos = new Set(named.map(({ imo }) => imo));
  const others = directory.withReferences().filter((imo) => !imos.has(imo));
  return [
    ...named.map((vessel) => ({ ...vessel, isNamedHere: true })),
    ...others.map((imo) => ({ ...knownVessel(imo, directory), isNamedHere: false })),
  ];
}

async function listFleets(page: number, { fleets }: VesselsContext): Promise<VesselNamesAnswer> {
  const stored = await fleets.list();
  return {
    kind: 'fleets',
    line: formatVesselLine({ kind: 'fleets', page }),
    page,
    fleets: stored.map(({ name, imos }) => ({ name, vessels: imos.length })),
  };
}

/** Sends a file that `vessel import` can read. If that fails, the answer shows a page of its text. */
async function exportNames(page: number, context: VesselsContext): Promise<VesselNamesAnswer> {
  const { names, fleets: storedFleets } = context;
  const [named, fleets, directory] = await Promise.all([
    names.list(),
    storedFleets.list(),
    names.directory(),
  ]);
  const content = writeVesselCsv(rowsOf(named, fleets, directory));
  const file = { name: 'vessels.csv', title: 'Vessel names, fleets and references', content };
  const wantsFile = page === 1 && named.length + fleets.length + directory.withReferences().length > 0;
  const outcome = wantsFile ? await context.sendFile(context.actor.userId, file) : undefined;
  if (outcome?.isSent) return { kind: 'vessel-file', vessels: named.length, fleets: fleets.length };
  const [header = '', ...rows] = content.split('\r\n').filter((row) => row !== '');
  const line = formatVesselLine({ kind: 'export', page });
  return {
    kind: 'vessel-export',
    line,
    page,
    header,
    rows,
    ...(outcome?.advice && { advice: outcome.advice }),
  };
}

/** Vessels that have a name, then those that are only in a fleet, then those that have only references. */
function rowsOf(
  named: readonly NamedVessel[],
  fleets: readonly Fleet[],
  { referencesOf, withReferences }: VesselDirectory,
): VesselRow[] {
  const fleetsOf = fleetsByVessel(fleets);
  const names = new Map(named.map(({ imo, name }) => [imo, name]));
  const members = fleets.flatMap(({ imos }) => imos).sort((first, second) => first - second);
  const imos = new Set([...names.keys(), ...members, ...withReferences()]);
  return [...imos].map((imo) => ({
    imo,
    name: names.get(imo) ?? null,
    fleets: fleetsOf(imo),
    references: [...referencesOf(imo)],
  }));
}

/** Builds an index, since callers look up thousands of vessels. */
export function fleetsByVessel(fleets: readonly Fleet[]): (imo: Imo) => string[] {
  const members = fleets.flatMap(({ name, imos }) => imos.map((imo) => ({ imo, name })));
  const byImo = Map.groupBy(members, ({ imo }) => imo);
  return (imo) => (byImo.get(imo) ?? []).map(({ name }) => name);
}

async function addToFleet(name: string, imos: Imos, context: VesselsContext): Promise<VesselNamesAnswer> {
  await checkFleetCount([name], context);
  const change = await context.fleets.add({ name, imos: [...imos] }, changeBy(context));
  return showFleet(name, context, { added: change.vessels, watches: await countListed(change, context) });
}

/** The watches of the fleet that the person may list: others may be private. */
async function countListed(
  { watches }: { watches: readonly FollowingWatch[] },
  context: VesselsContext,
): Promise<number> {
  if (watches.length === 0) return 0;
  const filter = await filterByScope('all', actorIn(context), context.access);
  return watches.filter((watch) => isInScope(filter, watch)).length;
}

/** Every request about a fleet reads all fleets of the workspace. */
const maxFleets = 200;

/** Throws UserError if some of these fleets are new and there would be too many in the workspace. */
export async function checkFleetCount(names: readonly string[], { fleets }: VesselsContext): Promise<void> {
  const keys = (await fleets.list()).map(({ name }) => fleetKey(name));
  const count = new Set([...keys, ...names.map(fleetKey)]).size;
  if (count <= maxFleets || count === keys.length) return;
  throw new UserError({
    code: 'too-many-fleets',
    message: `A workspace can have at most ${maxFleets} fleets; this would make ${count.toLocaleString('en')}. Nothing was changed.`,
    hint: 'Forget fleets that nobody uses.',
    example: 'vessel fleets',
  });
}

/** Forgets the whole fleet if `imos` is left out. */
async function removeFromFleet(
  change: { name: string; imos?: Imos },
  context: VesselsContext,
): Promise<VesselNamesAnswer> {
  const fleet = await context.fleets.get(change.name, fleetLine);
  const removal = await context.fleets.remove(change, changeBy(context));
  const removed = removal.vessels;
  const watches = await countListed(removal, context);
  if (await context.fleets.find(fleet.name)) return showFleet(fleet.name, context, { removed, watches });
  return {
    kind: 'fleet-forgotten',
    name: fleet.name,
    watches,
    undo: formatVesselLine({ kind: 'fleet', ...fleet, change: 'add' }),
  };
}

async function showFleet(
  name: string,
  context: VesselsContext,
  { added = 0, removed = 0, watches = 0 } = {},
): Promise<VesselNamesAnswer> {
  const fleet = await context.fleets.get(name, fleetLine);
  return {
    kind: 'fleet',
    name: fleet.name,
    vessels: fleet.imos.map((imo) => knownVessel(imo, context.vessels)),
    added,
    removed,
    watches,
  };
}

/** `fleet:NORTH` → `vessel fleet NORTH`. */
const fleetLine = (words: string): string => words.replace(/^fleet:/, 'vessel fleet ');

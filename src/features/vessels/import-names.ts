import { UserError } from '../../errors.ts';
import { fleetKey } from '../../grammar/list-name.ts';
import { parseVessel } from '../../grammar/vessel.ts';
import { createVesselDirectory } from '../../grammar/vessel-directory.ts';
import type { Imo } from '../../reference/imo.ts';
import type { SharedFile } from '../feature.ts';
import { checkFleetCount } from './answer.ts';
import { type Fleet, maxVesselsInFleet } from './fleets.ts';
import { groupReferences } from './import-references.ts';
import { vesselImportView } from './import-view.ts';
import { readVesselCsv, type VesselRow } from './vessel-csv.ts';
import { changeBy, type VesselsContext } from './vessels-context.ts';
import { vesselExample } from './words.ts';

/**
 * Imports a table of vessel names, fleets and references. Importing the same file again changes nothing, or adds what had
 * no room before.
 */
export async function importNames(file: SharedFile, context: VesselsContext) {
  const imosOf = (name: string) => context.vessels.named(name).map(({ imo }) => imo);
  const table = await readVesselCsv(await file.read(), { readImo, imosOf });
  if ('refused' in table) {
    throw new UserError({
      code: 'bad-file',
      message: `${table.refused} Nothing was changed.`,
      hint: 'A file has a column of IMO numbers or of vessel names that are known here, and others such as name, booking, B/L, customer and fleets.',
      example: 'vessel import',
    });
  }
  const { vessels, encoding } = table;
  const fleetNames = new Set(vessels.flatMap(({ fleets }) => fleets));
  await checkFleetCount([...fleetNames], context);
  const named = vessels.flatMap(({ imo, name }) => (name === null ? [] : [{ imo, name }]));
  const { fits, tooLarge } = groupFleets(vessels, await context.fleets.list());
  const { references, refused, unread } = await groupReferences(vessels, named, context);
  const source = { kind: 'file', fileName: file.name ?? 'a file' } as const;
  const isEmpty = named.length + fits.length + references.length === 0;
  const saved = isEmpty
    ? { references: [], leftOut: [] }
    : await context.names.save(named, changeBy(context), source, { fleets: fits, references });
  const answer = {
    fileName: file.name ?? 'the file',
    saved: new Set(named.map(({ imo }) => imo)).size,
    fleets: fits.length,
    references: saved.references,
    leftOut: saved.leftOut,
    ...{ refused, unread, tooLarge },
    isEncodingGuessed: encoding === 'windows-1252',
    skippedRows: table.skippedRows,
    columns: table.columns,
  };
  return { view: () => vesselImportView(answer) };
}

/** Groups the vessels by fleet. `tooLarge`: the names of fleets that would get too many vessels. */
function groupFleets(vessels: readonly VesselRow[], stored: readonly Fleet[]) {
  const pairs = vessels.flatMap(({ imo, fleets }) => fleets.map((name) => ({ imo, name })));
  const before = new Map(stored.map((fleet) => [fleetKey(fleet.name), fleet.imos]));
  const fleets = [...Map.groupBy(pairs, ({ name }) => fleetKey(name))].map(([key, members]) => {
    const imos = [...new Set(members.map(({ imo }) => imo))];
    const size = new Set([...imos, ...(before.get(key) ?? [])]).size;
    return { name: members[0]?.name ?? '', imos, size };
  });
  return {
    fits: fleets.filter(({ size }) => size <= maxVesselsInFleet),
    tooLarge: fleets.filter(({ size }) => size > maxVesselsInFleet).map(({ name }) => name),
  };
}

/** Names are looked up in another column. */
const noNames = createVesselDirectory([]);

/** Returns the number, or a sentence that says what is wrong with it. */
function readImo(text: string): Imo | string {
  try {
    return parseVessel(text, { example: vesselExample, line: (words) => words, vessels: noNames });
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

import { UserError } from '../../errors.ts';
import { parseVessel } from '../../grammar/vessel.ts';
import { createVesselDirectory } from '../../grammar/vessel-directory.ts';
import type { Imo } from '../../reference/imo.ts';
import type { SharedFile } from '../feature.ts';
import { maxVesselsInFleet, refuseMoreFleets } from './change-fleet.ts';
import { type Fleet, fleetKey } from './fleets.ts';
import { vesselImportView } from './import-view.ts';
import type { VesselsContext } from './services.ts';
import { readVesselCsv, type VesselRow } from './vessel-csv.ts';

/**
 * A file shared with the bot in a direct message is a table of vessel names, and of their fleets. Shared once
 * more it changes nothing.
 */
export async function importNames(file: SharedFile, context: VesselsContext) {
  const { workspaceId, actor, now, names, fleets: stored } = context;
  const read = readVesselCsv(await file.read(), { readImo });
  if ('refused' in read) {
    throw new UserError({
      code: 'bad-file',
      message: `${read.refused} Nothing was changed.`,
      hint: 'A file of vessel names has two columns, IMO number and name, and an optional third for fleets.',
    });
  }
  const { vessels, faults, encoding } = read;
  const by = { workspaceId, actorId: actor.userId, now: now() };
  await refuseMoreFleets(namesOf(vessels), context);
  const named = vessels.flatMap(({ imo, name }) => (name === null ? [] : [{ imo, name }]));
  const { fits, tooLarge } = groupFleets(vessels, await stored.list(workspaceId));
  if (named.length + fits.length > 0) {
    await names.save(named, by, { kind: 'file', fileName: file.name ?? 'a file' }, fits);
  }
  const answer = {
    fileName: file.name ?? 'the file',
    saved: new Set(named.map(({ imo }) => imo)).size,
    fleets: fits.length,
    tooLarge,
    isGuessed: encoding === 'windows-1252',
    faults,
  };
  return { view: () => vesselImportView(answer) };
}

const namesOf = (vessels: readonly VesselRow[]): string[] => [
  ...new Set(vessels.flatMap(({ fleets }) => fleets)),
];

/** By fleet, as the vessels name them; one that would have more than it may is left as it is. */
function groupFleets(vessels: readonly VesselRow[], known: readonly Fleet[]) {
  const pairs = vessels.flatMap(({ imo, fleets }) => fleets.map((name) => ({ imo, name })));
  const before = new Map(known.map((fleet) => [fleetKey(fleet.name), fleet.imos]));
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

const noNames = createVesselDirectory([]);

/** A number with its check digit, or what is wrong with it. */
function readImo(text: string): Imo | string {
  try {
    return parseVessel(text, {
      example: 'vessel name 9461477 DS CYPRESS',
      line: (words) => words,
      vessels: noNames,
    });
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

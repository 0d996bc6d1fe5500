import { UserError } from '../../errors.ts';
import { fleetKey } from '../../grammar/list-name.ts';
import { parseVessel } from '../../grammar/vessel.ts';
import { createVesselDirectory } from '../../grammar/vessel-directory.ts';
import { sections, context as smallPrint } from '../../messages/blocks.ts';
import { counted } from '../../messages/formatting/words.ts';
import { clip, joinWithin } from '../../messages/limits.ts';
import type { Message } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import type { Imo } from '../../reference/imo.ts';
import type { SharedFile } from '../feature.ts';
import { changeBy, checkFleetCount, type VesselsContext } from './answer.ts';
import { type Fleet, maxVesselsInFleet } from './fleets.ts';
import { readVesselCsv, type VesselRow } from './vessel-csv.ts';
import { vesselExample } from './words.ts';

/** Imports a table of vessel names and fleets. Importing the same file again changes nothing. */
export async function importNames(file: SharedFile, context: VesselsContext) {
  const table = readVesselCsv(await file.read(), { readImo });
  if ('refused' in table) {
    throw new UserError({
      code: 'bad-file',
      message: `${table.refused} Nothing was changed.`,
      hint: 'A file of vessel names has two columns, IMO number and name, and an optional third for fleets.',
    });
  }
  const { vessels, skippedRows, encoding } = table;
  const fleetNames = new Set(vessels.flatMap(({ fleets }) => fleets));
  await checkFleetCount([...fleetNames], context);
  const named = vessels.flatMap(({ imo, name }) => (name === null ? [] : [{ imo, name }]));
  const { fits, tooLarge } = groupFleets(vessels, await context.fleets.list());
  if (named.length + fits.length > 0) {
    const source = { kind: 'file', fileName: file.name ?? 'a file' } as const;
    await context.names.save(named, changeBy(context), source, fits);
  }
  const answer = {
    fileName: file.name ?? 'the file',
    saved: new Set(named.map(({ imo }) => imo)).size,
    fleets: fits.length,
    tooLarge,
    isEncodingGuessed: encoding === 'windows-1252',
    skippedRows,
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

/** Vessels in a table have numbers, so no names are looked up. */
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

interface VesselImport {
  fileName: string;
  /** Vessels named by the file. */
  saved: number;
  /** Fleets to which the file adds vessels. */
  fleets: number;
  /** The names of fleets that were not changed, since they would get too many vessels. */
  tooLarge: readonly string[];
  /** The encoding is a guess, so accents may be wrong. */
  isEncodingGuessed: boolean;
  /** Lines count from 1. */
  skippedRows: readonly { line: number; reason: string }[];
}

const maxSkippedShown = 15;

export function vesselImportView(answer: VesselImport): Message {
  const { saved, fleets, tooLarge, isEncodingGuessed, skippedRows } = answer;
  const fileName = escaped(clip(answer.fileName, 100));
  const isEmpty = saved === 0 && fleets === 0;
  const content = [
    ...(saved > 0 ? [counted(saved, 'vessel name')] : []),
    ...(fleets > 0 ? [counted(fleets, 'fleet')] : []),
  ];
  const heading = isEmpty
    ? `No vessel names in ${fileName}, so nothing was changed`
    : `${content.join(' and ')} saved from ${fileName}`;
  const notes = isEncodingGuessed && !isEmpty ? ['Read as Windows-1252: please check the names.'] : [];
  if (tooLarge.length > 0) {
    const names = tooLarge.map((name) => escaped(clip(name, 60)));
    const listed = joinWithin(names, ', ', 1_000);
    notes.push(`Not changed, since a fleet can have at most ${maxVesselsInFleet} vessels: ${listed}`);
  }
  if (skippedRows.length > 0) notes.push(`${counted(skippedRows.length, 'row was', 'rows were')} left out:`);
  const rows = skippedRows
    .slice(0, maxSkippedShown)
    .map(({ line, reason }) => `line ${line}: ${escaped(clip(reason, 200))}`);
  const more = skippedRows.length - rows.length;
  const rest = more > 0 ? [`… and ${more.toLocaleString('en')} more`] : [];
  return {
    text: [`${heading}.`, ...notes, rows.join('; '), ...rest].filter(Boolean).join(' '),
    blocks: [
      ...sections([`*${heading}*`, ...notes, ...rows.map((row) => `• ${row}`), ...rest]),
      ...(isEmpty
        ? []
        : [smallPrint('_Everybody here can now type these names, and sees them in answers._')]),
    ],
  };
}

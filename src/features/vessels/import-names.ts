import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { fleetKey } from '../../grammar/list-name.ts';
import { referenceKey } from '../../grammar/reference-index.ts';
import { parseVessel } from '../../grammar/vessel.ts';
import { createVesselDirectory, type NamedVessel } from '../../grammar/vessel-directory.ts';
import { maxReferences, referenceFault } from '../../grammar/vessel-reference.ts';
import { sections, context as smallPrint } from '../../messages/blocks.ts';
import { counted } from '../../messages/formatting/words.ts';
import { clip, joinWithin } from '../../messages/limits.ts';
import type { Message } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import type { Imo } from '../../reference/imo.ts';
import type { SharedFile } from '../feature.ts';
import { checkFleetCount } from './answer.ts';
import { type Fleet, maxVesselsInFleet } from './fleets.ts';
import { readVesselCsv, type VesselRow } from './vessel-csv.ts';
import { changeBy, type VesselsContext } from './vessels-context.ts';
import { vesselExample } from './words.ts';

/** Imports a table of vessel names and fleets. Importing the same file again changes nothing. */
export async function importNames(file: SharedFile, context: VesselsContext) {
  const table = readVesselCsv(await file.read(), { readImo });
  if ('refused' in table) {
    throw new UserError({
      code: 'bad-file',
      message: `${table.refused} Nothing was changed.`,
      hint: 'A file of vessel names has two columns, IMO number and name, and two optional ones: fleets and references.',
    });
  }
  const { vessels, encoding } = table;
  const fleetNames = new Set(vessels.flatMap(({ fleets }) => fleets));
  await checkFleetCount([...fleetNames], context);
  const named = vessels.flatMap(({ imo, name }) => (name === null ? [] : [{ imo, name }]));
  const { fits, tooLarge } = groupFleets(vessels, await context.fleets.list());
  const { references, refused } = groupReferences(vessels, named, context);
  if (named.length + fits.length + references.length > 0) {
    const source = { kind: 'file', fileName: file.name ?? 'a file' } as const;
    await context.names.save(named, changeBy(context), source, { fleets: fits, references });
  }
  const answer = {
    fileName: file.name ?? 'the file',
    saved: new Set(named.map(({ imo }) => imo)).size,
    fleets: fits.length,
    references: references.reduce((sum, { added }) => sum + added.length, 0),
    refused,
    tooLarge,
    isEncodingGuessed: encoding === 'windows-1252',
    skippedRows: table.skippedRows,
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

/** The references of each vessel, and a sentence for each one that can't be one. Names of the file count already. */
function groupReferences(
  vessels: readonly VesselRow[],
  named: readonly NamedVessel[],
  context: VesselsContext,
): { references: { imo: Imo; added: string[] }[]; refused: string[] } {
  const typed = new Map<Imo, string[]>();
  for (const { imo, references } of vessels)
    if (references.length > 0) typed.set(imo, [...new Set([...(typed.get(imo) ?? []), ...references])]);
  const stored = context.vessels
    .withReferences()
    .map((imo) => [imo, context.vessels.referencesOf(imo)] as const);
  const all = new Map<Imo, readonly string[]>(stored);
  for (const [imo, texts] of typed) all.set(imo, [...texts, ...(all.get(imo) ?? [])]);
  const directory = context.vessels.withChanges({ named, references: all });
  const refused: string[] = [];
  const references = [...typed].flatMap(([imo, texts]) => {
    const keys = context.vessels.referencesOf(imo).map(referenceKey);
    const isNew = texts.filter((text) => !keys.includes(referenceKey(text)));
    const room = maxReferences - keys.length;
    const added = isNew.filter((text, index) => {
      const isOver = index >= room;
      const fault = isOver
        ? `doesn't fit: a vessel has at most ${maxReferences}`
        : referenceFault(text, imo, directory);
      if (fault !== undefined) refused.push(`${quote(text)} (IMO ${imo}) ${fault}`);
      return fault === undefined;
    });
    return added.length > 0 ? [{ imo, added }] : [];
  });
  return { references, refused };
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
  references: number;
  /** Texts that can't be references, with the reason. */
  refused: readonly string[];
  /** The names of fleets that were not changed, since they would get too many vessels. */
  tooLarge: readonly string[];
  /** The encoding is a guess, so accents may be wrong. */
  isEncodingGuessed: boolean;
  /** Lines count from 1. */
  skippedRows: readonly { line: number; reason: string }[];
}

const maxSkippedShown = 15;
const listFormat = new Intl.ListFormat('en-GB');

export function vesselImportView(answer: VesselImport): Message {
  const { saved, fleets, references, refused, tooLarge, isEncodingGuessed, skippedRows } = answer;
  const fileName = escaped(clip(answer.fileName, 100));
  const isEmpty = saved + fleets + references === 0;
  const content = [
    ...(saved > 0 ? [counted(saved, 'vessel name')] : []),
    ...(fleets > 0 ? [counted(fleets, 'fleet')] : []),
    ...(references > 0 ? [counted(references, 'reference')] : []),
  ];
  const heading = isEmpty
    ? `No vessel names in ${fileName}, so nothing was changed`
    : `${listFormat.format(content)} saved from ${fileName}`;
  const notes = isEncodingGuessed && !isEmpty ? ['Read as Windows-1252: please check the names.'] : [];
  if (tooLarge.length > 0) {
    const names = tooLarge.map((name) => escaped(clip(name, 60)));
    const listed = joinWithin(names, ', ', 1_000);
    notes.push(`Not changed, since a fleet can have at most ${maxVesselsInFleet} vessels: ${listed}`);
  }
  if (refused.length > 0) {
    const listed = joinWithin(refused.map(escaped), '; ', 1_000);
    notes.push(`${counted(refused.length, 'reference was', 'references were')} left out: ${listed}`);
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

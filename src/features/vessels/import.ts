import type { Answer } from '../../answers/answer.ts';
import { createMonotonicClock } from '../../cache.ts';
import { createYieldToEventLoop } from '../../database/batches.ts';
import { UserError } from '../../errors.ts';
import { createFairQueue } from '../../fair-queue.ts';
import { quote } from '../../grammar/line.ts';
import { fleetKey, maxVesselsInFleet, parseVessel } from '../../grammar/vessel.ts';
import {
  createVesselDirectory,
  meaningFault,
  type NamedVessel,
  overlapFault,
  type ReferenceOf,
  referenceKey,
  runsOf,
  type VesselDirectory,
} from '../../grammar/vessel-directory.ts';
import type { Imo } from '../../reference/codes.ts';
import { replyOf } from '../command.ts';
import type { AskCtx } from '../ctx.ts';
import type { SharedFile } from '../feature.ts';
import type { StateKey } from '../services.ts';
import { checkFleetCount } from './fleet-answers.ts';
import { changeBy, type Fleet, fleetsHere } from './fleets.ts';
import { importAnswer } from './import-answer.ts';
import { readVesselCsv, type VesselRow } from './vessel-csv.ts';
import { saveNames } from './vessel-names.ts';
import { type ReferenceChange, referenceLimits } from './vessel-references.ts';
import { vesselExample } from './words.ts';

/** A file that somebody shares with the bot in a direct message. */
export async function takeFile(file: SharedFile, ctx: AskCtx) {
  const takeTurn = ctx.services.state(turnsKey, () => createImportTurns(ctx.services));
  return replyOf(await takeTurn(ctx, () => importNames(file, ctx)), ctx);
}

const turnsKey: StateKey<ReturnType<typeof createImportTurns>> = { name: 'vessel imports' };

/**
 * Imports a table of vessel names, fleets and references. Importing the same file again changes nothing, or adds what had
 * no room before.
 */
async function importNames(file: SharedFile, ctx: AskCtx): Promise<Answer> {
  const imosOf = (name: string) => ctx.vessels.named(name).map(({ imo }) => imo);
  const table = await readVesselCsv(await file.read(), { readImo, imosOf });
  if ('refused' in table) {
    throw new UserError({
      code: 'bad-file',
      message: `${table.refused} Nothing was changed.`,
      hint: 'A file has a column of IMO numbers or of vessel names that are known here, and others such as name, booking, B/L, customer and fleets.',
      example: 'vessel import',
    });
  }
  const { vessels, encoding, skippedRows, columns } = table;
  const named = vessels.flatMap(({ imo, name }) => (name === null ? [] : [{ imo, name }]));
  await checkFleetCount([...new Set(vessels.flatMap(({ fleets }) => fleets))], ctx);
  const { fits, tooLarge } = groupFleets(vessels, await fleetsHere(ctx));
  const { references, refused, unread } = await groupReferences(vessels, named, ctx);
  const source = { kind: 'file', fileName: file.name ?? 'a file' } as const;
  const isEmpty = named.length + fits.length + references.length === 0;
  const stored = isEmpty
    ? { references: [], leftOut: [] }
    : await saveNames(named, { source, fleets: fits, references }, changeBy(ctx), ctx);
  return importAnswer({
    fileName: file.name ?? 'the file',
    saved: new Set(named.map(({ imo }) => imo)).size,
    fleets: fits.length,
    references: stored.references,
    leftOut: stored.leftOut,
    ...{ refused, unread, tooLarge, skippedRows, columns },
    isEncodingGuessed: encoding === 'windows-1252',
  });
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
    if (!(error instanceof UserError)) throw error;
    const isNumber = error.code === 'bad-imo' || error.code === 'bad-check-digit';
    return isNumber ? error.message : `${quote(text)} isn't an IMO number.`;
  }
}

/** Reading a file of 5 MB takes a second of the processor. */
export const maxImportsPerHour = 20;
const hourMs = 3_600_000;

type Asked = Pick<AskCtx, 'actor' | 'signal' | 'withDeadlinePaused'>;

/**
 * Lets the imports of a workspace run one after another, and each person begin so many in an hour; refused files count
 * too. Throws UserError too-busy.
 */
export function createImportTurns({ realNow }: { realNow: () => number }) {
  const monotonicNow = createMonotonicClock(realNow);
  const queue = createFairQueue({ max: () => 1 });
  let begun: { userId: string; at: number }[] = [];

  function checkRate(userId: string): void {
    const now = monotonicNow();
    begun = begun.filter(({ at }) => at > now - hourMs);
    const [first, ...others] = begun.filter((each) => each.userId === userId);
    if (first && others.length + 1 >= maxImportsPerHour) {
      throw new UserError({
        code: 'too-busy',
        message: `You can share ${maxImportsPerHour} files an hour. Nothing of this one was saved.`,
        hint: `Please share it again in ${Math.max(1, Math.ceil((first.at + hourMs - now) / 60_000))} min.`,
      });
    }
    begun.push({ userId, at: now });
  }

  return async <T>({ actor, signal, withDeadlinePaused }: Asked, work: () => Promise<T>): Promise<T> => {
    checkRate(actor.userId);
    const entering = queue.enter({ signal });
    const leave = await (withDeadlinePaused ? withDeadlinePaused(entering) : entering);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      leave();
    }
  };
}

/** A workspace can't have more, so no more are looked at. */
const maxRead = referenceLimits.references;

/**
 * The new references of each vessel; names of the file count already. `refused` can't be references: `fault` is a clause
 * after them; `unread` is the number of those past the limit. Lets other work run in between, and ends with the command's
 * deadline.
 */
async function groupReferences(
  rows: readonly VesselRow[],
  named: readonly NamedVessel[],
  { vessels: stored, signal }: Pick<AskCtx, 'vessels' | 'signal'>,
) {
  const turn = createYieldToEventLoop();
  const pause = async () => {
    await turn();
    signal.throwIfAborted();
  };
  const typed = await newReferences(rows, stored, pause);
  const directory = named.length > 0 ? stored.withChanges({ named }) : stored;
  const refused: (ReferenceOf & { fault: string })[] = [];
  const candidates: ReferenceOf[] = [];
  for (const { imo, reference } of typed.slice(0, maxRead)) {
    await pause();
    const fault = meaningFault(reference, imo, directory);
    if (fault === undefined) candidates.push({ imo, reference });
    else refused.push({ imo, reference, fault });
  }
  const others = await withOthers(candidates, directory, pause);
  const added = new Map<Imo, string[]>();
  for (const { imo, reference } of candidates) {
    await pause();
    const fault = overlapFault(reference, imo, others);
    const list = added.get(imo) ?? [];
    if (fault !== undefined) refused.push({ imo, reference, fault });
    else list.push(reference);
    if (list.length > 0) added.set(imo, list);
  }
  const references = [...added].map(([imo, texts]): ReferenceChange => ({ imo, added: texts }));
  return { references, refused, unread: Math.max(0, typed.length - maxRead) };
}

type Pause = () => Promise<void>;

/** Those that the vessel doesn't have yet, each once. */
async function newReferences(
  rows: readonly VesselRow[],
  stored: VesselDirectory,
  pause: Pause,
): Promise<ReferenceOf[]> {
  const keysOf = new Map<Imo, Set<string>>();
  const found: ReferenceOf[] = [];
  for (const { imo, references } of rows) {
    await pause();
    const keys = keysOf.get(imo) ?? new Set(stored.referencesOf(imo).map(referenceKey));
    keysOf.set(imo, keys);
    for (const reference of references) {
      const key = referenceKey(reference);
      if (!keys.has(key)) found.push({ imo, reference });
      keys.add(key);
    }
  }
  return found;
}

/** The stored references and the new ones. To find the longer ones of each, all are read once, not once for each. */
async function withOthers(
  candidates: readonly ReferenceOf[],
  directory: VesselDirectory,
  pause: Pause,
): Promise<Pick<VesselDirectory, 'referenced' | 'referencesWith'>> {
  const byVessel = Map.groupBy(candidates, ({ imo }) => imo);
  const changes = [...byVessel].map(([imo, list]) => {
    const texts = list.map(({ reference }) => reference);
    return [imo, [...texts, ...directory.referencesOf(imo)]] as const;
  });
  const all = directory.withChanges({ references: new Map(changes) });
  const wanted = new Set(candidates.map(({ reference }) => referenceKey(reference)));
  const longer = new Map<string, ReferenceOf[]>();
  for (const imo of all.withReferences()) {
    for (const reference of all.referencesOf(imo)) {
      await pause();
      for (const key of runsOf(reference).map(referenceKey)) {
        const known = longer.get(key) ?? [];
        // Two vessels are enough: one of them is another than the one that is asked about.
        if (wanted.has(key) && known.length < 2 && known[0]?.imo !== imo)
          longer.set(key, [...known, { imo, reference }]);
      }
    }
  }
  return { referenced: all.referenced, referencesWith: (text) => longer.get(referenceKey(text)) ?? [] };
}

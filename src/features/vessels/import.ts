import type { Answer } from '../../answers/answer.ts';
import { createMonotonicClock } from '../../cache.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { UserError } from '../../errors.ts';
import { createFairQueue } from '../../fair-queue.ts';
import { dateOrderOf } from '../../grammar/dates.ts';
import { quote, unescapeSlack } from '../../grammar/line.ts';
import { fleetKey, maxVesselsInFleet, parseVessel } from '../../grammar/vessel.ts';
import { createVesselDirectory, maxReferences, referenceKey } from '../../grammar/vessel-directory.ts';
import type { Imo } from '../../reference/codes.ts';
import { replyOf, replyTo } from '../command.ts';
import { type AskCtx, changeBy, placeIn } from '../ctx.ts';
import type { Action, BoundAction, SharedFile } from '../feature.ts';
import { type Fleet, fleetsHere } from '../fleets/index.ts';
import { addPromises, removePromises } from '../promises/index.ts';
import type { StateKey } from '../services.ts';
import { checkFleetCount } from './fleet-answers.ts';
import { importAnswer } from './import-answer.ts';
import { saysMoreThanVessels } from './import-columns.ts';
import { dueOf, type ImportedPromise, newPromises } from './import-promises.ts';
import { groupReferences } from './import-references.ts';
import { promiseInWords, replacedInWords } from './import-words.ts';
import {
  finishImport,
  getImport,
  type Importable,
  type ImportUndo,
  storeImport,
  storeUndo,
} from './pending-imports.ts';
import { importActionId, previewAnswer } from './preview-answer.ts';
import { unwatchedHere } from './promise-answers.ts';
import { sendSkippedRows } from './skipped-rows.ts';
import type { VesselRow } from './vessel-csv.ts';
import { namedVessels, readDirectory, saveNames } from './vessel-names.ts';
import { type LeftOut, type ReferenceChange, readReferences } from './vessel-references.ts';
import { readVesselTable, type VesselTable } from './vessel-table.ts';
import { vesselExample } from './words.ts';

/** A file, or cells that were pasted into a message or a form. */
interface Source {
  /** Such as `bookings.xlsx`. */
  name: string;
  isPasted: boolean;
  read(): Promise<Uint8Array>;
}

/** A file that somebody shares with the bot in a direct message. */
export const takeFile = (file: SharedFile, ctx: AskCtx) =>
  previewOf({ name: file.name ?? 'the file', isPasted: false, read: () => file.read() }, ctx);

/** Cells that somebody pasted into a form. */
export const takeCells = (cells: string, ctx: AskCtx) =>
  previewOf({ name: 'the pasted cells', isPasted: true, read: async () => Buffer.from(cells) }, ctx);

/** A table pasted into a message, below headings that say more than which vessels these are, or below `vessel import`. */
export function takeText(typed: string): BoundAction | undefined {
  const text = unescapeSlack(typed).replace(/^```.*$|```$/gm, '');
  const [, asked] = /^\s*\/?(?:landfall\s+)?vessel\s+import[\s:]+(\S.*)$/is.exec(text) ?? [];
  const lines = (asked ?? text.trim()).split('\n');
  const [title = ''] = lines;
  // `Hi, pls load these:`
  const cells = lines.slice(!title.includes('\t') && importWord.test(title) ? 1 : 0).join('\n');
  const [headings = '', row] = cells.split('\n');
  // `where do they go next?` below a table is about its vessels.
  if (row === undefined || (asked === undefined && asks.test(lines.at(-1) ?? ''))) return undefined;
  if (asked === undefined && !(headings.includes('\t') && saysMoreThanVessels(headings.split('\t'))))
    return undefined;
  return { name: 'pasted cells', run: (ctx) => takeCells(cells, ctx) };
}

const asks = /^[^\t]*(?:\?|\b(?:where|when|which|who|how|eta|etas|next)\b)[^\t]*$/i;
const importWord = /\b(?:import|load|upload|add|save|store|keep|register|enter)\b/i;

/** What a source has, and what would be new. Nothing but the preview itself is stored. */
async function previewOf(source: Source, ctx: AskCtx) {
  const takeTurn = turnsOf(ctx);
  return replyOf(await takeTurn(ctx, () => preview(source, ctx)), ctx);
}

/** Imports what was shown. Importing the same again changes nothing, or adds what had no room before. */
export const importShown: Action = {
  id: importActionId,
  replacesMessage: true,
  async run(value, ctx) {
    const [id = '', order] = value.split(' ');
    const takeTurn = turnsOf(ctx);
    const work = () => importPending({ id, isMonthFirst: order === 'month' }, ctx);
    return replyTo(await takeTurn(ctx, work, { isNew: false }), ctx);
  },
};

async function preview(source: Source, ctx: AskCtx): Promise<Answer> {
  const table = await readSource(source, ctx);
  const { monthFirst, encoding, columns, sheet, rows: _, ...read } = table;
  const importable: Importable = {
    ...read,
    source: source.name,
    isEncodingGuessed: encoding === 'windows-1252',
    ...(monthFirst && { monthFirst }),
  };
  const { changes, room, ...plan } = await planImport(importable, ctx);
  const { store } = ctx.services;
  const now = ctx.now();
  const { added, leftOut, replaced } = await newPromises(store, room.promises, now);
  const ifMonthFirst = monthFirst ? await newPromises(store, monthFirst.promises, now) : { replaced: [] };
  const anyReplaced = [
    ...new Map([...replaced, ...ifMonthFirst.replaced].map((each) => [each.id, each])).values(),
  ];
  const inWords = { vessels: ctx.vessels, now };
  const [first] = added.map(dueOf);
  const isNew = Object.values(changes).some((count) => count > 0) || added.length > 0;
  return previewAnswer({
    ...importable,
    ...plan,
    ...{ columns, added: { ...changes, promises: added.length - replaced.length }, promisesLeftOut: leftOut },
    ...{ leftOut: room.leftOut, unnamedPromises: plan.promises.length - room.promises.length },
    id: isNew || monthFirst ? await storeImport(importable, ctx) : undefined,
    skippedFile: await sendSkippedRows(table, ctx),
    ...(sheet !== undefined && { sheet }),
    ...(monthFirst && { dateExample: monthFirst.example }),
    // One that replaces another is named with it.
    ...(first &&
      !monthFirst &&
      added.length > replaced.length && { firstPromise: promiseInWords(first, inWords) }),
    replaced: replacedInWords(anyReplaced, { ...inWords, ...(!monthFirst && { added: added.map(dueOf) }) }),
    ...(source.isPasted && { asked: [...new Set(read.vessels.map(({ imo }) => imo))] }),
  });
}

/** Throws UserError bad-file. */
async function readSource({ read, isPasted }: Source, ctx: AskCtx): Promise<VesselTable> {
  const { withDeadlinePaused, services, vessels, actor, now } = ctx;
  const table = await readVesselTable(await read(), {
    readImo,
    imosOf: (name) => vessels.named(name).map(({ imo }) => imo),
    dateOrder: dateOrderOf(actor.locale),
    now: now(),
    readWorkbook(bytes, options) {
      const reading = services.workbooks.read(bytes, options);
      return withDeadlinePaused ? withDeadlinePaused(reading) : reading;
    },
  });
  if (!('refused' in table)) return table;
  throw new UserError({
    code: 'bad-file',
    message: `${isPasted ? table.refused.replace('The file', 'What you pasted') : table.refused} Nothing was changed.`,
    hint: 'A table has a column of IMO numbers or of vessel names that are known here, and others such as booking, B/L, customer and fleets.',
    example: 'vessel import',
  });
}

interface Promised {
  added: readonly ImportedPromise[];
  leftOut: number;
  /** The number of those of references that had no room. */
  unnamed: number;
}

async function importPending(
  { id, isMonthFirst }: { id: string; isMonthFirst: boolean },
  ctx: AskCtx,
): Promise<Answer> {
  const { monthFirst, ...shown } = await getImport(id, ctx);
  const importable = { ...shown, ...(isMonthFirst && monthFirst) };
  const { named, fits, references, promises, changes, room: _, ...left } = await planImport(importable, ctx);
  const { source, skippedRows, isEncodingGuessed } = importable;
  const [by, { channelId }, { newId }] = [changeBy(ctx), placeIn(ctx), ctx.services];
  let promised: Promised = { added: [], leftOut: 0, unnamed: 0 };
  let promiseUndo: ImportUndo['promises'] = { added: [], replaced: [] };
  const stored = await saveNames(
    named,
    {
      source: { kind: 'file', fileName: source },
      ...{ fleets: fits, references },
      async alongside(transaction) {
        await finishImport(transaction, id, by.now);
        const kept = await withStoredReference(transaction, promises);
        const { added, leftOut, replaced } = await newPromises(transaction, kept, by.now);
        await removePromises(
          transaction,
          replaced.map(({ id: promiseId }) => promiseId),
        );
        const dues = added.map((each) => ({ ...dueOf(each), channelId }));
        promiseUndo = { added: await addPromises(transaction, dues, { by, newId }), replaced };
        promised = { added, leftOut, unnamed: promises.length - kept.length };
        return added.length > 0 ? { promises: added.length } : {};
      },
      finish: (transaction, done) => storeUndo(transaction, id, { source, ...done, promises: promiseUndo }),
    },
    by,
    ctx,
  );
  const imos = [...new Set(promised.added.map(({ imo }) => imo))];
  return importAnswer({
    ...{ id, promised: imos, unwatched: await unwatchedHere(imos, ctx) },
    fileName: source,
    saved: changes.names,
    fleets: changes.fleets,
    references: stored.references,
    leftOut: stored.leftOut,
    promises: promised.added.length,
    replaced: replacedInWords(promiseUndo.replaced, {
      ...{ added: promised.added.map(dueOf), vessels: await readDirectory(ctx), now: by.now },
    }),
    promisesLeftOut: promised.leftOut,
    unnamedPromises: promised.unnamed,
    ...{ ...left, skippedRows, isEncodingGuessed },
  });
}

/** Without those of references that had no room: nobody would see whose they are. */
async function withStoredReference(
  store: WorkspaceStore,
  promises: readonly ImportedPromise[],
): Promise<ImportedPromise[]> {
  const stored = await readReferences(store, [...new Set(promises.map(({ imo }) => imo))]);
  const keys = new Set([...stored].flatMap(([imo, all]) => all.map((one) => `${imo} ${referenceKey(one)}`)));
  return promises.filter(
    ({ imo, reference }) => reference === undefined || keys.has(`${imo} ${referenceKey(reference)}`),
  );
}

/** What would be stored, and how much of it is new here. Throws UserError for too many fleets. */
async function planImport({ vessels, ...read }: Pick<Importable, 'vessels' | 'promises'>, ctx: AskCtx) {
  const before = new Map((await namedVessels(ctx)).map(({ imo, name }) => [imo, name.toUpperCase()]));
  const named = vessels.flatMap(({ imo, name }) =>
    name === null || before.get(imo) === name.toUpperCase() ? [] : [{ imo, name }],
  );
  await checkFleetCount([...new Set(vessels.flatMap(({ fleets }) => fleets))], ctx);
  const { fits, tooLarge, changed } = groupFleets(vessels, await fleetsHere(ctx));
  const { references, refused, unread } = await groupReferences(vessels, named, ctx);
  const faulty = new Set(refused.map(({ imo, reference }) => `${imo} ${reference}`));
  const promises = read.promises.map(({ reference, ...promise }) =>
    reference === undefined || faulty.has(`${promise.imo} ${reference}`)
      ? promise
      : { ...promise, reference },
  );
  const room = roomFor(references, promises, ctx);
  const changes = {
    names: new Set(named.map(({ imo }) => imo)).size,
    references: room.references,
    fleets: changed,
  };
  return { named, fits, tooLarge, references, refused, unread, promises, changes, room };
}

/** How many of the new references their vessels have room for, and the promises without those of the others. */
function roomFor(
  references: readonly ReferenceChange[],
  promises: readonly ImportedPromise[],
  { vessels }: AskCtx,
) {
  const leftOut = references.flatMap(({ imo, added = [] }): LeftOut[] => {
    const over = added.slice(Math.max(0, maxReferences - vessels.referencesOf(imo).length));
    return over.length > 0 ? [{ imo, references: over, limit: 'vessel' }] : [];
  });
  const keyOf = (imo: Imo, reference: string) => `${imo} ${referenceKey(reference)}`;
  const over = new Set(
    leftOut.flatMap(({ imo, references: texts }) => texts.map((text) => keyOf(imo, text))),
  );
  const total = references.reduce((sum, { added = [] }) => sum + added.length, 0);
  return {
    references: total - over.size,
    leftOut,
    promises: promises.filter(
      ({ imo, reference }) => reference === undefined || !over.has(keyOf(imo, reference)),
    ),
  };
}

/**
 * Groups the vessels by fleet. `tooLarge`: the names of fleets that would get too many vessels; `changed`: how many get
 * vessels that they don't have.
 */
function groupFleets(vessels: readonly VesselRow[], stored: readonly Fleet[]) {
  const pairs = vessels.flatMap(({ imo, fleets }) => fleets.map((name) => ({ imo, name })));
  const before = new Map(stored.map((fleet) => [fleetKey(fleet.name), new Set(fleet.imos)]));
  const fleets = [...Map.groupBy(pairs, ({ name }) => fleetKey(name))].map(([key, members]) => {
    const [imos, old = new Set()] = [new Set(members.map(({ imo }) => imo)), before.get(key)];
    const size = new Set([...imos, ...old]).size;
    return { name: members[0]?.name ?? '', imos: [...imos], size, isChanged: size > old.size };
  });
  const fits = fleets.filter(({ size }) => size <= maxVesselsInFleet);
  return {
    fits,
    tooLarge: fleets.filter(({ size }) => size > maxVesselsInFleet).map(({ name }) => name),
    changed: fits.filter(({ isChanged }) => isChanged).length,
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

const turnsKey: StateKey<ReturnType<typeof createImportTurns>> = { name: 'vessel imports' };

const turnsOf = ({ services }: AskCtx) => services.state(turnsKey, () => createImportTurns(services));

/** Reading a file of 5 MB takes a second of the processor. */
export const maxImportsPerHour = 20;
const hourMs = 3_600_000;

type Asked = Pick<AskCtx, 'actor' | 'signal' | 'withDeadlinePaused'>;

/**
 * Lets the imports of a workspace run one after another, and each person begin so many in an hour; refused files count
 * too. Throws UserError too-busy. `isNew` is false for one that was begun before.
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

  return async <T>(
    { actor, signal, withDeadlinePaused }: Asked,
    work: () => Promise<T>,
    { isNew = true } = {},
  ): Promise<T> => {
    if (isNew) checkRate(actor.userId);
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

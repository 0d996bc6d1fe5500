import { subMinutes } from 'date-fns/subMinutes';
import { isoLocalTime } from '../../answers/formatting/times.ts';
import { createYieldToEventLoop } from '../../database/batches.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { attempt, UserError } from '../../errors.ts';
import { orderOf } from '../../grammar/dates.ts';
import { type DueWords, takeDue, zoneIn } from '../../grammar/due.ts';
import { type DateOrder, type LineHelp, quote } from '../../grammar/line.ts';
import { type Moment, parseMoment } from '../../grammar/moment.ts';
import { parsePeriod } from '../../grammar/parse-period.ts';
import { readPort } from '../../grammar/port.ts';
import { resolvePeriod } from '../../grammar/resolve-period.ts';
import { referenceKey } from '../../grammar/vessel-directory.ts';
import { spelledOutIso, takeZoneOfTime } from '../../grammar/zone.ts';
import type { VesselDue } from '../../predictions/promises.ts';
import type { Imo, Locode } from '../../reference/codes.ts';
import { portOf } from '../../reference/ports.ts';
import { callOf, promiseLimits, readPromises as readStored, type StoredPromise } from '../promises/index.ts';
import { resolveDue } from '../rules/index.ts';

/** The cells of a row that say where and when its cargo is due. */
export interface PromiseCells {
  line: number;
  imo: Imo;
  port: string;
  due: string;
  reference: string | undefined;
}

/** `by`: the latest time; `earliest`: the beginning of its window. */
export interface ImportedPromise {
  imo: Imo;
  port: Locode;
  by: Date;
  earliest?: Date;
  reference?: string;
}

/** A row whose promise can't be used, with the reason. */
export interface PromiseFault {
  line: number;
  kind: 'bad-port' | 'bad-date';
  detail: string;
}

export interface PromiseReading {
  promises: ImportedPromise[];
  faults: PromiseFault[];
}

interface ReadOptions {
  /** As the person writes dates. */
  dateOrder: DateOrder | undefined;
  now: Date;
}

/**
 * The dates that are clear say which number is the month in the others, or else the person's language does. `monthFirst`
 * is set if nothing says it: then `promises` have the day first.
 */
export async function readPromises(
  rows: readonly PromiseCells[],
  { dateOrder, now }: ReadOptions,
): Promise<PromiseReading & { monthFirst?: PromiseReading; example?: string }> {
  const orders = new Set(rows.map(({ due }) => orderOf(dayOf(due))));
  const clear = (['day', 'month'] as const).filter((order) => orders.has(order));
  // Dates of both orders say nothing about the others.
  const decided = clear.length > 0 ? (clear.length === 1 ? clear[0] : undefined) : dateOrder;
  const example = rows.find(({ due }) => orderOf(dayOf(due)) === 'unclear');
  if (clear.length > 0 || decided !== undefined || !example) return readAll(rows, { order: decided, now });
  const [dayFirst, monthFirst] = await Promise.all([
    readAll(rows, { order: 'day', now }),
    readAll(rows, { order: 'month', now }),
  ]);
  return { ...dayFirst, monthFirst, example: dayOf(example.due) };
}

interface Order {
  order: DateOrder | undefined;
  now: Date;
}

async function readAll(rows: readonly PromiseCells[], order: Order): Promise<PromiseReading> {
  const yieldToEventLoop = createYieldToEventLoop();
  const promises: ImportedPromise[] = [];
  const faults = new Map<number, PromiseFault>();
  for (const { line, imo, reference, ...cells } of rows) {
    await yieldToEventLoop();
    const port = readPortCell(cells.port);
    if (port === undefined) {
      faults.set(line, { line, kind: 'bad-port', detail: quote(cells.port) });
      continue;
    }
    const due = readDue(cells.due, { ...order, port });
    if (typeof due === 'string') faults.set(line, { line, kind: 'bad-date', detail: due });
    else promises.push({ imo, port, ...due, ...(reference !== undefined && { reference }) });
  }
  return { promises, faults: [...faults.values()] };
}

/** `Rotterdam`, `NLRTM`, `NLRTM - Rotterdam`, `Rotterdam / NL`. */
function readPortCell(cell: string): Locode | undefined {
  const pieces = [cell, ...cell.split(/\s+[-\u2013\u2014]\s+|\s*[/|]\s*/), cell.replace(/\s*[/|]\s*/, ', ')];
  for (const piece of pieces) {
    const read = readPort(piece);
    if (read.kind === 'one' && portOf(read.port)) return read.port;
  }
  return undefined;
}

/** The date without a time. */
const dayOf = (due: string): string => tidied(due).replace(/,? \d{1,2}[:.h]\d{2}.*$/i, '');

/** `2026-11-24T18:00:00` → `2026-11-24 18:00`. */
const tidied = (due: string): string =>
  due
    .trim()
    .replace(/(?<=\d)T(?=\d)/, ' ')
    .replace(/(?<=\d:\d{2}):\d{2}(?:[.,]\d+)?/g, '')
    .replace(/(?<=\d) ?uhr\b/gi, '')
    .replace(/(?<=\d) (?:bis|tot|à|hasta) (?=\d)/i, '-');

/** A date without a time is the end of that day, in the port's zone if it names none. Returns what is wrong with a text that is none. */
function readDue(
  cell: string,
  { port, order, now }: Order & { port: Locode },
): Pick<ImportedPromise, 'by' | 'earliest'> | string {
  const help = { line: (words: string) => words, example: '', dateOrder: order };
  const zone = portOf(port)?.zone ?? 'UTC';
  const atPort = (time: Date): Moment => parseMoment(isoLocalTime(time, zone), help);
  const read = attempt(() => {
    const typed = tidied(spelledOutIso(cell));
    const other = isWeek.test(typed)
      ? { port, by: atPort(endOfWeek(typed, { now, zone }, help)) }
      : readWindow(typed, port, help);
    const due = other ?? { port, ...readMoment(typed, help) };
    const { day } = due.by;
    // A word such as `tomorrow` depends on when the file was written.
    if (typeof day === 'string' && !/^\d{4}-/.test(day)) return `${quote(cell)} isn't a date.`;
    const { at, earliest } = resolveDue(due, { now });
    return { by: at, ...(earliest && { earliest }) };
  });
  return read instanceof UserError ? read.message : read;
}

function readMoment(typed: string, help: LineHelp): Pick<DueWords, 'by' | 'zone'> {
  const zone = takeZoneOfTime(typed, () => help);
  return { by: parseMoment(zone?.rest ?? typed, help), ...zoneIn(zone) };
}

/** `CW 51`, `Week 51 2026`. */
const isWeek = /^(?:(?:calendar )?(?:week|wk)|[ck]w)\.? ?\d{1,2}(?:[ /]20\d{2})?$/i;

function endOfWeek(typed: string, where: { now: Date; zone: string }, help: LineHelp): Date {
  const period = parsePeriod(typed, { ...help, direction: 'future' });
  return subMinutes(resolvePeriod(period, { ...where, direction: 'future' }).end, 1);
}

/** `24.12.2026 06:00-14:00`, `24.12.2026 14:00 ±6h`; undefined for anything else. */
function readWindow(typed: string, port: Locode, help: LineHelp): DueWords | undefined {
  const read = attempt(() => takeDue(`due ${port} ${typed}`, () => help));
  if (read instanceof UserError || read?.value.length !== 1) return undefined;
  const [due] = read.value;
  return due?.minimum !== undefined || (due?.from ?? due?.margin) === undefined ? undefined : due;
}

/**
 * Those that aren't stored yet. `leftOut`: the number of those that their vessels have no room for. `replaced`: the stored
 * ones ahead of the same references and ports, with dates that the file doesn't have.
 */
export async function newPromises(
  store: WorkspaceStore,
  promises: readonly ImportedPromise[],
  now: Date,
): Promise<{ added: ImportedPromise[]; leftOut: number; replaced: StoredPromise[] }> {
  const stored = await readStored(store, { imos: promises.map(({ imo }) => imo) });
  const counts = new Map([...Map.groupBy(stored, ({ imo }) => imo)].map(([imo, all]) => [imo, all.length]));
  const keyOfStored = ({ imo, due: { at, ...due } }: StoredPromise) => keyOf({ imo, by: at, ...due });
  const free = stored.filter(({ watchId }) => watchId === null);
  const known = new Set(free.map(keyOfStored));
  const added: ImportedPromise[] = [];
  let leftOut = 0;
  for (const promise of promises) {
    const key = keyOf(promise);
    if (known.has(key)) continue;
    known.add(key);
    const count = counts.get(promise.imo) ?? 0;
    if (count >= promiseLimits.vessel) {
      leftOut += 1;
      continue;
    }
    counts.set(promise.imo, count + 1);
    added.push(promise);
  }
  const inFile = new Set(promises.map(keyOf));
  const calls = new Set(
    added
      .filter(({ reference }) => reference !== undefined)
      .map(dueOf)
      .map(callOf),
  );
  const replaced = free.filter(
    (promise) => promise.due.at > now && calls.has(callOf(promise)) && !inFile.has(keyOfStored(promise)),
  );
  return { added, leftOut, replaced };
}

export const dueOf = ({ imo, by: at, ...due }: ImportedPromise): VesselDue => ({ imo, due: { ...due, at } });

const keyOf = ({ imo, port, by, earliest, reference = '' }: ImportedPromise): string =>
  [imo, port, by.toISOString(), earliest?.toISOString() ?? '', referenceKey(reference)].join(' ');

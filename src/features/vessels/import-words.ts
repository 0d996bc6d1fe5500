import { capitalised, counted, figure, listed, vesselShort } from '../../answers/formatting/words.ts';
import { clip } from '../../answers/message.ts';
import { present, type Text } from '../../answers/text.ts';
import { quote } from '../../grammar/line.ts';
import type { ReferenceOf, VesselDirectory } from '../../grammar/vessel-directory.ts';
import type { VesselDue } from '../../predictions/promises.ts';
import { portName } from '../../reference/ports.ts';
import { knownVessel } from '../ctx.ts';
import { callOf } from '../promises/index.ts';
import { dueInWords } from '../rules/index.ts';
import { type SkipKind, type SkippedRow, skipReasons } from './import-rows.ts';
import { vesselExample } from './words.ts';

/** A text that can't be a reference: `fault` is a clause after it. */
export type RefusedReference = ReferenceOf & { fault: string };

const maxListed = 5;

/** The first of them, then how many more there are. */
export const firstFew = (
  texts: readonly string[],
  { separator = ', ', and = '', more = texts.length - maxListed } = {},
): string =>
  [...texts.slice(0, maxListed), ...(more > 0 ? [`${and}${figure(more)} more`] : [])].join(separator);

/** References that can't be used, and why: one sentence, or none. */
export function refusedInWords(refused: readonly RefusedReference[]): string[] {
  if (refused.length === 0) return [];
  const groups = [...Map.groupBy(refused, ({ fault }) => fault)];
  const reasons = groups.map(([fault, list]) => {
    const texts = list.map(({ imo, reference }) => `${quote(clip(reference, 60))} (IMO ${imo})`);
    return clip(`${firstFew(texts)} ${fault}`, 500);
  });
  const more = groups.slice(maxListed).flatMap(([, list]) => list).length;
  return [
    `${counted(refused.length, 'reference was', 'references were')} left out: ${firstFew(reasons, { separator: '; ', more })}.`,
  ];
}

const advice: Partial<Record<SkipKind, Text>> = {
  'unknown-name': [' Name them with ', { code: `/${vesselExample}` }, ', then share it again.'],
  'ambiguous-name': ' Add a column of IMO numbers for them.',
};

/** Only the promise of such a row is left out. */
const promiseFaults: ReadonlySet<SkipKind> = new Set(['bad-port', 'bad-date']);

/** `1 row is left out: a wrong IMO number. Line 5: …`, for each reason. */
export function skippedInWords(skippedRows: readonly SkippedRow[]): Text[] {
  return [...Map.groupBy(skippedRows, ({ kind }) => kind)].map(([kind, rows]) => {
    const details = [...Map.groupBy(rows, ({ detail }) => detail)].map(([detail, same]) => {
      const at = `${same.length === 1 ? 'line' : 'lines'} ${firstFew(same.map(({ line }) => String(line)))}`;
      return detail === '' ? at : `${at}: ${clip(detail, 150)}`;
    });
    const where = firstFew(details, { separator: '; ', and: 'and ' });
    const count = rows.length;
    const what = promiseFaults.has(kind)
      ? counted(count, 'promise is', 'promises are')
      : counted(count, 'row is', 'rows are');
    return [
      `${what} left out: ${skipReasons[kind]}. ${capitalised(where)}${/[.?]$/.test(where) ? '' : '.'}`,
      advice[kind] ?? '',
    ];
  });
}

interface PromiseWords {
  vessels: VesselDirectory;
  now: Date;
}

/** `BK1 · EVER GIVEN at Rotterdam by Sat 5 Dec 23:59 LT` */
export const promiseInWords = ({ imo, due }: VesselDue, { vessels, now }: PromiseWords): string =>
  `${[due.reference ?? [], vesselShort(knownVessel(imo, vessels))].flat().join(' · ')} at ${portName(due.port)} ${dueInWords(due, now)}`;

/** The stored promises that get other dates, each with these; without `added`, only the stored dates. */
export function replacedInWords(
  replaced: readonly VesselDue[],
  words: PromiseWords & { added?: readonly VesselDue[] },
): string[] {
  const byCall = Map.groupBy(words.added ?? [], callOf);
  return replaced.map((promise) => {
    const dates = (byCall.get(callOf(promise)) ?? []).map(({ due }) => dueInWords(due, words.now));
    return [promiseInWords(promise, words), ...(dates.length > 0 ? [listed(dates)] : [])].join(' → ');
  });
}

/** `2 stored promises were replaced: …` */
export const replacedPromises = (replaced: readonly string[], verb: (count: number) => string) =>
  replaced.length > 0 &&
  `${counted(replaced.length, 'stored promise')} ${verb(replaced.length)}: ${firstFew(replaced, { separator: '; ', and: 'and ' })}.`;

/** `1 vessel name and 4 references`; empty for nothing. */
export function importedInWords({
  names = 0,
  references = 0,
  fleets = 0,
  promises = 0,
}: Partial<Record<'names' | 'references' | 'fleets' | 'promises', number>>): string {
  const parts = present(
    names > 0 && counted(names, 'vessel name'),
    references > 0 && counted(references, 'reference'),
    fleets > 0 && `vessels in ${counted(fleets, 'fleet')}`,
    promises > 0 && counted(promises, 'promise'),
  );
  return parts.length === 0 ? '' : listed(parts);
}

import { joinWithin } from '../../answers/message.ts';
import { present } from '../../answers/text.ts';
import { joinWords } from '../../grammar/line.ts';
import type { Due } from '../../predictions/promises.ts';
import type { Imo } from '../../reference/codes.ts';
import { callOf } from '../promises/index.ts';
import { dueText } from '../rules/index.ts';
import { formatReferences } from './words.ts';

/** What a line has done with the references of a vessel, and with their promises. */
export interface ReferencesDone {
  addedReferences?: readonly string[];
  removedReferences?: readonly string[];
  added?: readonly Due[];
  /** With another date for the same port. */
  replaced?: readonly Due[];
  dropped?: readonly Due[];
}

/** `added BK-1, BK-2`, `removed BK-3`. Those with promises are named there. */
export function referencesInWords({
  addedReferences = [],
  removedReferences = [],
  added = [],
}: ReferencesDone): string[] {
  const promised = new Set(added.map(({ reference }) => reference));
  const plain = addedReferences.filter((each) => !promised.has(each));
  return present(
    plain.length > 0 && `added ${listed(plain)}`,
    removedReferences.length > 0 && `removed ${listed(removedReferences)}`,
  );
}

export const listed = (references: readonly string[]): string => joinWithin(references, ', ', 1_200);

/** The line that undoes it, in parts where references have dates of their own. A date that has passed can't be promised again. */
export function undoReferences(
  imo: Imo,
  { addedReferences = [], removedReferences = [], added = [], replaced = [], dropped = [] }: ReferencesDone,
  now: Date,
): string | undefined {
  const back = [...replaced, ...dropped].filter(({ at }) => at > now);
  // Each date that comes back replaces the newer one.
  const calls = new Set(back.map((due) => callOf({ imo, due })));
  const ofOlder = added.filter(({ reference = '' }) => !addedReferences.includes(reference));
  const gone = ofOlder.filter((due) => !calls.has(callOf({ imo, due })));
  const parts = [
    ...partsOf('add', { references: removedReferences, dates: back }, now),
    ...partsOf('remove', { references: [], dates: gone }, now),
    // A reference takes its promises with it.
    ...partsOf('remove', { references: addedReferences, dates: [] }, now),
  ];
  return parts.length === 0 ? undefined : joinWords(formatReferences(imo), parts.join('; '));
}

/** References with the same dates share a part. */
function partsOf(
  change: 'add' | 'remove',
  { references, dates }: { references: readonly string[]; dates: readonly Due[] },
  now: Date,
): string[] {
  const datesOf = new Map<string, Due[]>(references.map((reference) => [reference, []]));
  for (const due of dates) {
    const reference = due.reference ?? '';
    datesOf.set(reference, [...(datesOf.get(reference) ?? []), due]);
  }
  const words = (own: readonly Due[]) => own.map((due) => `due ${dueText(due, now)}`).join(' ');
  const alike = Map.groupBy(datesOf.keys(), (reference) => words(datesOf.get(reference) ?? []));
  return [...alike].map(([due, together]) => joinWords(change, together.join(', '), due));
}

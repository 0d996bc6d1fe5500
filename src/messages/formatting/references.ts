import { joinWithin } from '../limits.ts';

/** Old references would drown an alert. */
const maxShown = 3;

/** The newest references of a vessel, not escaped: `BK123, MEDU4711, ACME and 2 more`. Empty without references. */
export function newestReferences(references: readonly string[]): string {
  const shown = references.slice(0, maxShown);
  const rest = references.length - shown.length;
  return `${joinWithin(shown, ', ', 130)}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** `Ref BK123, MEDU4711`, or nothing. Not escaped. */
export const referenceNote = (references: readonly string[]): string[] =>
  references.length === 0 ? [] : [`Ref ${newestReferences(references)}`];

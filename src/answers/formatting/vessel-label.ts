import { hasValidCheckDigit, type Imo } from '../../reference/imo.ts';
import { clip, joinWithin } from '../limits.ts';

/** A vessel, with its name if the workspace knows one. */
export interface KnownVessel {
  imo: Imo;
  name?: string;
}

/** For running text, not escaped: `DS CYPRESS`, else `IMO 9461477`. */
export const vesselShort = (vessel: KnownVessel): string => vesselName(vessel) ?? `IMO ${vessel.imo}`;

/** For a list, not escaped: `MSC DIANA (9755933)`. The service's numbers may have a wrong check digit. */
export function vesselListed(vessel: KnownVessel): string {
  const isValid = hasValidCheckDigit(vessel.imo);
  const name = vesselName(vessel);
  if (name === undefined) return `IMO ${vessel.imo}${isValid ? '' : ' (check digit wrong)'}`;
  return `${name} (${vessel.imo}${isValid ? '' : ', check digit wrong'})`;
}

const vesselName = ({ name }: KnownVessel): string | undefined =>
  name === undefined ? undefined : clip(name.toUpperCase(), 40);

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

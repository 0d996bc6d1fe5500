import { hasValidCheckDigit, type Imo } from '../../reference/imo.ts';
import { clip } from '../limits.ts';

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

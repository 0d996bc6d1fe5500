import { hasValidCheckDigit, type Imo } from '../../reference/imo.ts';
import { clip } from '../limits.ts';
import { escaped } from '../mrkdwn.ts';

/** A vessel with the name the workspace knows it by, if it has one. */
export interface KnownVessel {
  imo: Imo;
  name?: string;
}

/** For a heading, escaped: `*DS CYPRESS* · IMO 9461477`. */
export function vesselHeading(vessel: KnownVessel): string {
  const name = vesselName(vessel);
  return name === undefined ? `*IMO ${vessel.imo}*` : `*${escaped(name)}* · IMO ${vessel.imo}`;
}

/** In running text, not escaped: `DS CYPRESS`, else `IMO 9461477`. */
export function vesselShort(vessel: KnownVessel): string {
  return vesselName(vessel) ?? `IMO ${vessel.imo}`;
}

/** In a list, not escaped: `MSC DIANA (9755933)`. An upstream number whose check digit fails says so. */
export function vesselListed(vessel: KnownVessel): string {
  const fault = hasValidCheckDigit(vessel.imo) ? '' : ', check digit wrong';
  const name = vesselName(vessel);
  return name === undefined
    ? `IMO ${vessel.imo}${fault && ` (${fault.slice(2)})`}`
    : `${name} (${vessel.imo}${fault})`;
}

function vesselName({ name }: KnownVessel): string | undefined {
  return name === undefined ? undefined : clip(name.toUpperCase(), 40);
}

import type { VesselDirectory } from '../grammar/vessel-directory.ts';
import type { KnownVessel } from '../messages/formatting/vessel-label.ts';
import type { Imo } from '../reference/imo.ts';

/** A vessel with the name that the workspace gives it, if it does. */
export function knownVessel(imo: Imo, vessels: Pick<VesselDirectory, 'nameOf'>): KnownVessel {
  const name = vessels.nameOf(imo);
  return name === undefined ? { imo } : { imo, name };
}

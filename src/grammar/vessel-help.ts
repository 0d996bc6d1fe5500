import type { Choice } from '../errors.ts';
import type { Imo, Locode } from '../reference/codes.ts';
import type { LineHelp } from './line.ts';
import type { VesselDirectory } from './vessel-directory.ts';

/** What the parsers of vessels need. */
export interface VesselHelp extends LineHelp {
  vessels: VesselDirectory;
  /** Set if the vessels are for a fleet; otherwise the maximum is maxVessels. */
  maxInFleet?: number;
  /** Where several vessels can be typed, all vessels of a shared reference are a choice too. */
  allowsSeveral?: boolean;
  /** What can be asked about a port that was typed instead of a vessel. If left out: nothing. */
  aboutPort?: (port: Locode) => readonly Choice[];
  /** How to create a fleet, as it is typed. */
  newFleet?: () => string;
  /** The line that stores a reference, as an example. */
  newReference?: (reference: string) => string;
}

/** A vessel, as the choice of an error. */
export const choiceOf = (
  { imo, name }: { imo: Imo; name: string | undefined },
  { line }: LineHelp,
): Choice => ({
  label: name === undefined ? `IMO ${imo}` : `${name} (${imo})`,
  line: line(String(imo)),
});

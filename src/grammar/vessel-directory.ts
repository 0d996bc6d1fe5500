import type { Imo } from '../reference/imo.ts';

export interface NamedVessel {
  imo: Imo;
  /** In capitals: `DS CYPRESS`. */
  name: string;
}

/** The vessel names of the workspace; the service itself knows only IMO numbers. */
export interface VesselDirectory {
  nameOf(imo: Imo): string | undefined;
  /** All vessels of exactly that name (case and spacing folded): two vessels may share one. */
  named(name: string): readonly NamedVessel[];
  /** The names most like a misspelt one, best first. */
  nearest(name: string): readonly NamedVessel[];
  all(): readonly NamedVessel[];
}

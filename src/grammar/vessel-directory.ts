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
  /** The vessels that a text names in whole words, in its order. Of a name inside a longer one only the longer. */
  namesIn(text: string): readonly NamedVessel[];
  all(): readonly NamedVessel[];
  /** Another directory that differs in these; a vessel in both keeps its name. */
  changed(changes: { named: readonly NamedVessel[]; forgotten: readonly Imo[] }): VesselDirectory;
}

import { foldTight } from '../reference/fold.ts';
import { nearest } from '../reference/nearest.ts';
import type { NamedVessel, VesselDirectory } from './vessel-directory.ts';

/** A directory of a fixed list. Names are shown in capitals; of several names of one IMO number the last is used. */
export function createVesselDirectory(entries: readonly NamedVessel[]): VesselDirectory {
  const byImo = new Map(
    entries.map(({ imo, name }) => [imo, { imo, name: name.trim().replace(/\s+/g, ' ').toUpperCase() }]),
  );
  const vessels = [...byImo.values()].sort(
    (one, other) => one.name.localeCompare(other.name, 'en') || one.imo - other.imo,
  );
  const names = vessels.map((value) => ({ key: foldTight(value.name), value }));
  return {
    nameOf: (imo) => byImo.get(imo)?.name,
    named: (name) => {
      const typed = foldTight(name);
      return typed === '' ? [] : names.filter(({ key }) => key === typed).map(({ value }) => value);
    },
    nearest: (name) =>
      nearest(foldTight(name), names, { count: 3, weigh: (value) => vessels.indexOf(value) }),
    all: () => vessels,
  };
}

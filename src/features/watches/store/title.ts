import type { VesselDirectory } from '../../../grammar/vessel-directory.ts';
import type { Imo } from '../../../reference/imo.ts';
import { vesselSubjects, type WatchWithFollowings } from './watch-list.ts';

/** Only the title of a fleet's watch begins with this. */
export const fleetTitle = 'fleet ';

const maxNamed = 3;

/** `DS CYPRESS`; `DS CYPRESS, MSC DIANA, IMO 9811000 and 2 more`. */
export function vesselsTitle(imos: readonly Imo[], { nameOf }: Pick<VesselDirectory, 'nameOf'>): string {
  const named = imos.map((imo) => nameOf(imo) ?? `IMO ${imo}`);
  const rest = named.length - maxNamed;
  return rest > 0 ? `${named.slice(0, maxNamed).join(', ')} and ${rest} more` : named.join(', ');
}

/** Titles a watch by the present names of its vessels; a fleet, list or port keeps the name that was typed. */
export function withTitle<Titled extends Pick<WatchWithFollowings, 'title' | 'followings'>>(
  watch: Titled,
  names: Pick<VesselDirectory, 'nameOf'>,
): Titled {
  const imos = vesselSubjects(watch.followings);
  if (imos.length === 0 || watch.title.startsWith(fleetTitle)) return watch;
  return { ...watch, title: vesselsTitle(imos, names) };
}

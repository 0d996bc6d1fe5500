import type { VesselDirectory } from '../../../grammar/vessel-directory.ts';
import { capitalised } from '../../../messages/formatting/words.ts';
import type { Imo } from '../../../reference/imo.ts';
import type { Locode } from '../../../reference/locode.ts';
import { portLabel } from '../../../reference/ports.ts';
import { vesselSubjects, type WatchWithSubjects } from './watch-list.ts';

type Names = Pick<VesselDirectory, 'nameOf'>;

const maxNamed = 3;

/** `DS CYPRESS`; `DS CYPRESS, MSC DIANA, IMO 9811000 and 2 more`. */
export function vesselsTitle(imos: readonly Imo[], { nameOf }: Names): string {
  const named = imos.map((imo) => nameOf(imo) ?? `IMO ${imo}`);
  const rest = named.length - maxNamed;
  return rest > 0 ? `${named.slice(0, maxNamed).join(', ')} and ${rest} more` : named.join(', ');
}

/** `fleet NORTH at Rotterdam (NLRTM)`. */
export const withPort = (title: string, port: Locode | undefined): string =>
  port === undefined ? title : `${title} at ${portLabel(port)}`;

/** A title that begins a line: `Fleet NORTH`. Names of vessels stay as they are. */
export const titleAtStart = (title: string): string => title.replace(/^(?:fleet|list|port) /, capitalised);

/** Titles a watch by the current names of its vessels; a fleet, list or port keeps the name that was typed. */
export function withTitle(watch: WatchWithSubjects, names: Names): WatchWithSubjects {
  const { fleet, condition, followedSubjects } = watch;
  const imos = condition?.imos ?? vesselSubjects(followedSubjects);
  if (imos.length === 0 || fleet !== null) return watch;
  return { ...watch, title: withPort(vesselsTitle(imos, names), condition?.port) };
}

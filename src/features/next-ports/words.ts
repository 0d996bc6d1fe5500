import { formatFleetName, formatListName } from '../../grammar/list-name.ts';
import { formatPage, joinWords } from '../../grammar/options.ts';
import { formatPort } from '../../grammar/port.ts';
import { formatVessels } from '../../grammar/vessel.ts';
import type { Imo } from '../../reference/imo.ts';
import type { Locode } from '../../reference/locode.ts';

/** A word after one vessel. `all`: with the ports that are too improbable to be listed. */
export const vesselWords = ['compare', 'history', 'map', 'all'] as const;
export type VesselWord = (typeof vesselWords)[number];

export interface OneVessel {
  imo: Imo;
  page: number;
}

/** One vessel, all of its ports, or whether it is predicted at a port. */
export interface Vessel extends OneVessel {
  at?: Locode;
  showsAll?: boolean;
}

export interface Vessels {
  imos: readonly [Imo, ...Imo[]];
  page: number;
}

/** A provider's list, or a fleet. */
export interface Named {
  name: string;
  page: number;
}

/** The canonical lines. */
export const formatVessel = ({ imo, at, showsAll = false, page }: Vessel): string =>
  line(String(imo), at !== undefined && `at ${formatPort(at)}`, showsAll && 'all', page);

export const formatCompare = ({ imo, page }: OneVessel): string => line(String(imo), 'compare', page);

export const formatHistory = ({ imo, page }: OneVessel): string => line(String(imo), 'history', page);

export const formatMap = ({ imo, page }: OneVessel): string => line(String(imo), 'map', page);

export const formatSeveral = ({ imos, page }: Vessels): string => line(formatVessels(imos), page);

export const formatList = ({ name, page }: Named): string => line(formatListName(name), page);

export const formatFleet = ({ name, page }: Named): string => line(formatFleetName(name), page);

export const formatWatched = ({ page }: { page: number }): string => line('watched', page);

const line = (...words: readonly (string | false | number)[]): string =>
  joinWords(
    'nextport',
    ...words.map((word) => (typeof word === 'number' ? formatPage(word) : word || undefined)),
  );

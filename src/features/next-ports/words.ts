import { formatFleetName, formatListName } from '../../grammar/list-name.ts';
import { formatPage, joinWords } from '../../grammar/options.ts';
import { formatPort } from '../../grammar/port.ts';
import { formatVessels } from '../../grammar/vessel.ts';
import type { Imo } from '../../reference/imo.ts';
import type { Locode } from '../../reference/locode.ts';

/** A word after one vessel. `all`: with the ports that are too improbable to be listed. */
export const vesselWords = ['compare', 'history', 'map', 'all'] as const;
export type VesselWord = (typeof vesselWords)[number];

export interface ListArgs {
  kind: 'list';
  name: string;
  page: number;
}

export type NextportArgs =
  | { kind: VesselWord; imo: Imo; page: number }
  /** Whether the vessel is predicted at that port, and when. */
  | { kind: 'at'; imo: Imo; at: Locode; page: number }
  | { kind: 'vessels'; imos: readonly [Imo, ...Imo[]]; page: number }
  | ListArgs
  | { kind: 'fleet'; name: string; page: number }
  | { kind: 'watched'; page: number };

/** The canonical line. */
export function format(args: NextportArgs): string {
  return joinWords('nextport', subjectOf(args), formatPage(args.page));
}

/** The vessels, with the word or the port after them. */
export function subjectOf(args: NextportArgs): string {
  switch (args.kind) {
    case 'compare':
    case 'history':
    case 'map':
    case 'all':
      return `${vesselsOf(args)} ${args.kind}`;
    case 'at':
      return `${vesselsOf(args)} at ${formatPort(args.at)}`;
    default:
      return vesselsOf(args);
  }
}

/** As they are typed. */
export function vesselsOf(args: NextportArgs): string {
  switch (args.kind) {
    case 'vessels':
      return formatVessels(args.imos);
    case 'list':
      return formatListName(args.name);
    case 'fleet':
      return formatFleetName(args.name);
    case 'watched':
      return 'watched';
    default:
      return String(args.imo);
  }
}

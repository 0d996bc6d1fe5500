import type { Imo } from '../reference/imo.ts';
import type { LineHelp } from './line-help.ts';
import { formatFleetName, formatListName, parseFleetName, parseListName } from './list-name.ts';
import { formatVessels, parseVessels, type VesselHelp } from './vessel.ts';

/** One of the provider's lists, or a fleet of the workspace. */
type NamedGroup = { kind: 'list'; name: string } | { kind: 'fleet'; name: string };

export type VesselGroup = { kind: 'vessels'; imos: readonly [Imo, ...Imo[]] } | NamedGroup;

/** `list:FEEDERS`, `fleet:NORTH`; undefined for other words. Throws UserError. */
export function parseNamedGroup(words: string, help: LineHelp): NamedGroup | undefined {
  const list = parseListName(words, help);
  if (list !== undefined) return { kind: 'list', name: list };
  const fleet = parseFleetName(words, help);
  return fleet === undefined ? undefined : { kind: 'fleet', name: fleet };
}

/** Vessels, `list:FEEDERS` or `fleet:NORTH`. Throws UserError. */
export const parseVesselGroup = (words: string, help: VesselHelp): VesselGroup =>
  parseNamedGroup(words, help) ?? { kind: 'vessels', imos: parseVessels(words, help) };

export function formatVesselGroup(group: VesselGroup): string {
  if (group.kind === 'vessels') return formatVessels(group.imos);
  return group.kind === 'list' ? formatListName(group.name) : formatFleetName(group.name);
}

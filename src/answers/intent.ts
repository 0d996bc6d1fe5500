import type { Imo } from '../reference/imo.ts';
import type { Locode } from '../reference/locode.ts';

/** Vessels by number, one of the provider's lists, or a fleet of the workspace. */
export type VesselGroup = { imos: readonly [Imo, ...Imo[]] } | { list: string } | { fleet: string };

/** What an answer offers without knowing which command does it. One feature fulfils each kind. */
export type Intent =
  | { kind: 'calls-at'; port: Locode }
  | { kind: 'next-ports-of'; vessels: VesselGroup | 'watched' }
  /** `at`: only their calls at that port. */
  | { kind: 'watch-these'; vessels: VesselGroup; at?: Locode }
  | { kind: 'watch-port'; port: Locode }
  | { kind: 'stability-of'; imo: Imo }
  /** What was predicted for the vessel in the past. */
  | { kind: 'history-of'; imo: Imo }
  | { kind: 'map-of'; imo: Imo }
  /** The calls that the bot itself has used. */
  | { kind: 'own-usage' }
  /** The list of watches; `channelId`: of another channel. */
  | { kind: 'watches-in'; scope: 'channel' | 'mine' | 'all'; channelId?: string | undefined };

export const callsAt = (port: Locode): Intent => ({ kind: 'calls-at', port });

/** Of these vessels, or of those that are watched where it is asked. */
export const nextPortsOf = (vessels: VesselGroup | 'watched'): Intent => ({ kind: 'next-ports-of', vessels });

export const historyOf = (imo: Imo): Intent => ({ kind: 'history-of', imo });

export const mapOf = (imo: Imo): Intent => ({ kind: 'map-of', imo });

export const ownUsage: Intent = { kind: 'own-usage' };

export const watchesIn = (of: Omit<Extract<Intent, { kind: 'watches-in' }>, 'kind'>): Intent => ({
  kind: 'watches-in',
  ...of,
});

export const watchPort = (port: Locode): Intent => ({ kind: 'watch-port', port });

export const watchThese = (vessels: VesselGroup, at?: Locode): Intent => ({
  kind: 'watch-these',
  vessels,
  ...(at !== undefined && { at }),
});

/** The line that does it; undefined if it would be too long, or nothing fulfils it. */
export type LineOf = (intent: Intent) => string | undefined;

/** By kind: the line of an intent. */
export type Fulfils = { [Kind in Intent['kind']]?: (intent: Extract<Intent, { kind: Kind }>) => string };

import type { Prediction, Provenance } from '../reference/prediction.ts';
import type { Scale } from './probability-scale.ts';

export type { Prediction } from '../reference/prediction.ts';

/** Sorted by probability (highest first), ETA (none last), port code, IMO number. */
export interface PredictionsAnswer extends Provenance {
  predictions: readonly Prediction[];
  /** The scale of the service's own figures. */
  scale: Scale;
  /** It could not process the request (422). Its contract doesn't say why; it may not know the vessel, port or list. */
  isRefused?: true;
}

export interface RequestOptions {
  /** Bypass the cache. */
  fresh?: boolean;
  /** Background requests (polls, digests) wait behind interactive ones. */
  priority?: 'interactive' | 'background';
  /** The id of the person who waits, since people take turns. */
  askedBy?: string;
  /** What the requests count as. Those who wait for somebody else's request, or get a cached answer, cause none. */
  cause?: CallCause;
  signal?: AbortSignal;
}

/** For `/landfall status` and health checks. Holds nothing secret. */
export interface ServiceStatus {
  lastSuccessAt?: Date;
  failingSince?: Date;
  /** Set if the service asked for fewer requests: none is sent for this long, on the real clock. */
  pausedMs?: number;
  /** The duration of the last successful request. */
  latencyMs?: number;
  token: { state: 'none' | 'live' | 'refused'; obtainedAt?: Date; expiresAt?: Date };
  inFlight: number;
  queued: number;
}

/** What a request is sent for. It never names a person. */
export type CallCause =
  /** A line, a button or a form of a person. `channelId`: null outside of channels. `byAssistant`: asked by a model. */
  | { kind: 'command'; name: string; channelId: string | null; byAssistant?: true }
  /** A run of a digest by its schedule. `channelId`: null for a personal one. */
  | { kind: 'digest'; id: string; channelId: string | null }
  /** A poll, for all watches that follow the subject: `vessel 9811000`. `channelIds`: theirs; none for personal ones. */
  | { kind: 'watch'; subject: string; channelIds: readonly string[] };

import type { Prediction } from '../reference/prediction.ts';
import type { Provenance } from '../reference/provenance.ts';
import type { CallCause } from './call-cause.ts';
import type { Scale } from './probability-scale.ts';

export type { Prediction } from '../reference/prediction.ts';

/** Sorted by probability (highest first), ETA (none last), port code, IMO number. */
export interface PredictionsAnswer extends Provenance {
  predictions: readonly Prediction[];
  /** The scale of the service's own figures. */
  scale: Scale;
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

import type { Imo } from '../reference/imo.ts';
import type { Locode } from '../reference/locode.ts';
import type { Scac } from '../reference/scac.ts';

/** Where an answer comes from and how far it can be trusted. Times are on the domain clock. */
export interface Provenance {
  fetchedAt: Date;
  /** Answered from the cache, without a call of its own. */
  cached: boolean;
  /** Set when the service does not answer and this is an older answer (at most 24 h): since when it fails. */
  staleSince?: Date;
  /** Set with it where the service does answer, and asks for fewer calls. */
  throttled?: true;
  /** Records that could not be read, or that were about something else than asked. */
  faults: number;
}

export interface Prediction {
  imo: Imo;
  port: Locode;
  /** 0..1, whatever scale the service uses. */
  probability: number;
  /** Left out where the service gives none. */
  eta?: Date;
  /** `assumed-utc`: the service gave a date-time without offset (ship and shiplist endpoints). */
  etaZone: 'given' | 'assumed-utc';
}

/** Sorted by probability (high first), then ETA (none last), then port code, then IMO. */
export interface PredictionsAnswer extends Provenance {
  predictions: readonly Prediction[];
  /** The scale the service's figures were read in. */
  scale: 'fraction' | 'percent';
}

export interface UsageRecord {
  /** The API account (not a Slack user); null on PUSH records. */
  userId: string | null;
  year: number;
  month: number;
  type: string;
  method: string | null;
  endpoint: string;
  status: string;
  unit: string;
  count: number;
  text: string | null;
}

export interface UsagePage extends Provenance {
  records: readonly UsageRecord[];
  lastUpdatedAt: Date;
  /** Walking stopped at the bound of pages, so there may be more. */
  truncated: boolean;
}

export interface CarrierStatistics {
  carrier: Scac;
  origin: Locode;
  destination: Locode;
  beginsAt: Date;
  endsAt: Date;
  journeys: number;
  originDelayed: number;
  destinationDelayed: number;
  originOmissions: number;
  destinationOmissions: number;
}

/** Sorted by carrier code. */
export interface StatisticsAnswer extends Provenance {
  statistics: readonly CarrierStatistics[];
}

export interface CallOptions {
  /** Bypass the cache. */
  fresh?: boolean;
  /** Background calls (polls, digests) wait behind interactive ones. */
  priority?: 'interactive' | 'background';
  /** The person who waits, such as a Slack user's id: interactive calls take turns over people. */
  askedBy?: string;
  signal?: AbortSignal;
}

/** `/landfall status` and health checks; nothing secret. */
export interface ServiceStatus {
  lastSuccessAt?: Date;
  failingSince?: Date;
  /** The service asked for fewer calls: for so long, on the real clock, none is made. */
  pausedMs?: number;
  /** Of the last call that was answered. */
  latencyMs?: number;
  token: { state: 'none' | 'live' | 'refused'; obtainedAt?: Date; expiresAt?: Date };
  inFlight: number;
  queued: number;
}

export interface AnalyticsClient {
  vesselPredictions(imo: Imo, options?: CallOptions): Promise<PredictionsAnswer>;
  portPredictions(port: Locode, options?: CallOptions): Promise<PredictionsAnswer>;
  shipNextPorts(imo: Imo, options?: CallOptions): Promise<PredictionsAnswer>;
  /** `name` is sent as one encoded path segment. */
  shiplistNextPorts(name: string, options?: CallOptions): Promise<PredictionsAnswer>;
  /** Month 1 to 12. Iterates over pages. */
  usage(query: { year: number; month: number }, options?: CallOptions): AsyncIterable<UsagePage>;
  /** Without `begin` and `end` no dates are sent: the service's own default is 90 days. */
  journeyStatistics(
    query: { origin: Locode; destination: Locode; begin?: Date; end?: Date; carriers?: readonly Scac[] },
    options?: CallOptions,
  ): Promise<StatisticsAnswer>;
  status(): ServiceStatus;
}

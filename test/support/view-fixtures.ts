import type { Prediction } from '../../src/analytics/answers.ts';
import type { CarrierStatistics } from '../../src/analytics/journey-statistics.ts';
import type { UsageRecord } from '../../src/analytics/usage.ts';
import type { Reader } from '../../src/answers/message.ts';
import type { Scac } from '../../src/reference/carriers.ts';
import type { Imo, Locode } from '../../src/reference/codes.ts';

/** Saturday. */
export const now = new Date('2026-11-21T09:05:00Z');
export const reader: Reader = { now, zone: 'Europe/Berlin', source: 'service', audience: 'private' };
export const asked = {
  fetchedAt: now,
  cached: false,
  droppedRecords: 0,
  scale: 'fraction',
  page: 1,
} as const;
export const cypress = { imo: 9461477 as Imo, name: 'DS CYPRESS' };
export const diana = { imo: 9755933 as Imo, name: 'MSC DIANA' };
/** A vessel without a known name. */
export const nameless = { imo: 9811000 as Imo };

export const port = (code: string): Locode => code as Locode;

export function prediction(
  code: string,
  probability: number,
  eta?: string,
  more: Partial<Prediction> = {},
): Prediction {
  return {
    imo: cypress.imo,
    port: port(code),
    probability,
    etaZone: 'given',
    ...(eta !== undefined && { eta: new Date(eta) }),
    ...more,
  };
}

export function carrier(
  code: string,
  journeys: number,
  { delayed, omitted }: { delayed: [origin: number, destination: number]; omitted: [number, number] },
): CarrierStatistics {
  return {
    carrier: code as Scac,
    origin: port('SGSIN'),
    destination: port('CNXAM'),
    beginsAt: new Date('2026-08-23T09:05:00Z'),
    endsAt: now,
    journeys,
    originDelayed: delayed[0],
    destinationDelayed: delayed[1],
    originOmissions: omitted[0],
    destinationOmissions: omitted[1],
  };
}

export function usageRecord(endpoint: string, count: number, more: Partial<UsageRecord> = {}): UsageRecord {
  return {
    userId: 'u1',
    year: 2026,
    month: 10,
    type: 'REQUEST',
    method: 'GET',
    endpoint,
    status: 'SUCCESS',
    unit: 'REQUESTS',
    count,
    text: null,
    ...more,
  };
}

/** A PUSH record: no user, no method, containers. */
export function pushRecord(endpoint: string, count: number, text: string | null = null): UsageRecord {
  return usageRecord(endpoint, count, { userId: null, method: null, type: 'PUSH', unit: 'CONTAINERS', text });
}

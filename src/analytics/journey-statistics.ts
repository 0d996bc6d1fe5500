import { z } from 'zod';
import type { Scac } from '../reference/carriers.ts';
import type { Locode } from '../reference/codes.ts';
import { samePort } from '../reference/ports.ts';
import type { Provenance } from '../reference/prediction.ts';
import type { JsonReply, ServiceRequest } from './http-transport.ts';
import {
  countField,
  formatQueryTime,
  locodeField,
  readEnvelope,
  readRecords,
  scacField,
  timeField,
} from './read-records.ts';

/** Without `begin` and `end` no dates are sent, and the service takes the last 90 days. */
export interface Lane {
  origin: Locode;
  destination: Locode;
  begin?: Date;
  end?: Date;
  carriers?: readonly Scac[];
}

/** Sorted by carrier code. */
export interface StatisticsAnswer extends Provenance {
  statistics: readonly CarrierStatistics[];
}

/** GET /tradelane-analytics/journey-statistics (beta) */
export const statisticsRequest = ({ carriers = [], ...lane }: Lane): ServiceRequest => ({
  resource: 'trade lane statistics',
  path: 'tradelane-analytics/journey-statistics',
  query: {
    origin_un_location_code: lane.origin,
    destination_un_location_code: lane.destination,
    ...(lane.begin && { begin_datetime: formatQueryTime(lane.begin) }),
    ...(lane.end && { end_datetime: formatQueryTime(lane.end) }),
    ...(carriers.length > 0 && { vessel_operator_carrier_codes: [...new Set(carriers)].sort().join(',') }),
  },
});

const envelope = z.object({ statistics: z.array(z.unknown()) });
const record = z
  .object({
    vessel_operator_carrier_code: scacField,
    origin_un_location_code: locodeField,
    destination_un_location_code: locodeField,
    begin_datetime: timeField,
    end_datetime: timeField,
    origin_omitted_port_call_count: countField,
    destination_omitted_port_call_count: countField,
    total_journeys: countField,
    destination_delayed_journeys: countField,
    origin_delayed_journeys: countField,
  })
  .transform((row) => ({
    carrier: row.vessel_operator_carrier_code,
    origin: row.origin_un_location_code,
    destination: row.destination_un_location_code,
    beginsAt: row.begin_datetime.at,
    endsAt: row.end_datetime.at,
    journeys: row.total_journeys,
    originDelayed: row.origin_delayed_journeys,
    destinationDelayed: row.destination_delayed_journeys,
    originOmissions: row.origin_omitted_port_call_count,
    destinationOmissions: row.destination_omitted_port_call_count,
  }));

export type CarrierStatistics = z.output<typeof record>;

/** A record of another lane is dropped and counted. Throws UnreadableResponseError. */
export function readStatistics(
  reply: JsonReply,
  { origin, destination }: Lane,
): Pick<StatisticsAnswer, 'statistics' | 'droppedRecords'> {
  const { records, droppedRecords } = readRecords(
    record,
    readEnvelope(envelope, reply).statistics,
    (row) => samePort(row.origin, origin) && samePort(row.destination, destination),
  );
  return {
    statistics: records.toSorted((a, b) => (a.carrier < b.carrier ? -1 : Number(a.carrier > b.carrier))),
    droppedRecords,
  };
}

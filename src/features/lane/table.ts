import type { CarrierStatistics } from '../../analytics/journey-statistics.ts';
import { wilsonInterval } from '../../messages/formatting/wilson-interval.ts';
import type { Reader } from '../../messages/message.ts';
import { carrierName } from '../../reference/carriers.ts';
import { defineServiceTable, type ExportTable, periodName, portColumns } from '../table.ts';
import { type LaneStatistics, minJourneys } from './answer.ts';
import { departuresWithin } from './departure-days.ts';
import type { LaneVersus } from './versus.ts';

const atDestination = ({ destinationDelayed, journeys }: CarrierStatistics) =>
  wilsonInterval(destinationDelayed, journeys);

export const carriersTable = defineServiceTable<CarrierStatistics>({
  name: 'lane',
  about:
    'A carrier of the trade lane in a period, in the order of the answer; with `versus`, a row for each period',
  columns: [
    ...portColumns<CarrierStatistics>(({ origin }) => origin, { prefix: 'origin_', about: 'origin' }),
    ...portColumns<CarrierStatistics>(({ destination }) => destination, {
      prefix: 'destination_',
      about: 'destination',
    }),
    { key: 'carrier', about: 'SCAC of the carrier', value: ({ carrier }) => carrier },
    { key: 'carrier_name', about: 'name of the carrier', value: ({ carrier }) => carrierName(carrier) },
    {
      key: 'departures_from',
      about: 'start of the period of departures, in UTC',
      value: ({ beginsAt }) => beginsAt,
    },
    {
      key: 'departures_until',
      about: 'end of that period, not included, in UTC; the time of the answer if the period goes on',
      value: ({ endsAt }) => endsAt,
    },
    { key: 'journeys', about: 'journeys in the period', value: ({ journeys }) => journeys },
    {
      key: 'is_ranked',
      about: `\`false\` under ${minJourneys} journeys, too few to rank`,
      value: ({ journeys }) => journeys >= minJourneys,
    },
    {
      key: 'destination_delayed',
      about: 'journeys delayed at the destination, against the original service schedule, per the provider',
      value: ({ destinationDelayed }) => destinationDelayed,
    },
    {
      key: 'destination_delayed_share',
      about: 'of the journeys, from 0 to 1',
      value: ({ destinationDelayed, journeys }) =>
        journeys > 0 ? rounded(destinationDelayed / journeys) : undefined,
    },
    {
      key: 'destination_delayed_share_low',
      about: 'lower end of the 95% Wilson interval of that share',
      value: (carrier) => rounded(atDestination(carrier).low),
    },
    {
      key: 'destination_delayed_share_high',
      about: 'upper end of that interval',
      value: (carrier) => rounded(atDestination(carrier).high),
    },
    {
      key: 'origin_delayed',
      about: 'journeys delayed at the origin',
      value: ({ originDelayed }) => originDelayed,
    },
    {
      key: 'origin_omitted_calls',
      about: 'scheduled calls at the origin that were not made',
      value: ({ originOmissions }) => originOmissions,
    },
    {
      key: 'destination_omitted_calls',
      about: 'scheduled calls at the destination that were not made',
      value: ({ destinationOmissions }) => destinationOmissions,
    },
  ],
});

/** More digits would suggest a precision that so few journeys don't have. */
const rounded = (share: number): number => Math.round(share * 10_000) / 10_000;

export function laneTable(answer: LaneStatistics | LaneVersus, reader: Reader): ExportTable {
  const { origin, destination, fetchedAt } = answer;
  const rows = rowsOf(answer).map((row) => {
    const { begin, end } = departuresWithin({ begin: row.beginsAt, end: row.endsAt }, fetchedAt);
    return { ...row, beginsAt: begin, endsAt: end };
  });
  const periods =
    'compared' in answer ? [answer.earlier, answer.later] : answer.period ? [answer.period] : [];
  const days = periods.map((period) => periodName(departuresWithin(period, fetchedAt), 'UTC'));
  const period = days.length > 0 ? days.join('-versus-') : undefined;
  return carriersTable.of({ rows, subject: [origin, destination], period, fetchedAt, reader });
}

/** A carrier that is compared has a row for each period. */
const rowsOf = (answer: LaneStatistics | LaneVersus): CarrierStatistics[] =>
  'compared' in answer
    ? [...answer.compared, ...answer.uncompared].flatMap(({ earlier, later }) =>
        [earlier, later].filter((statistics) => statistics !== undefined),
      )
    : [...answer.ranked, ...answer.unranked];

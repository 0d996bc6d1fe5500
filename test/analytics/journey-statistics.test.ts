import { describe, expect, test } from 'vitest';
import type { Scac } from '../../src/reference/carriers.ts';
import type { Locode } from '../../src/reference/codes.ts';
import { analyticsHarness, failure, hamburg, rotterdam } from '../support/analytics-harness.ts';

const lane = { origin: rotterdam, destination: hamburg };

function record(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    vessel_operator_carrier_code: 'MAEU',
    origin_un_location_code: 'NLRTM',
    destination_un_location_code: 'DEHAM',
    begin_datetime: '2026-08-23T00:00:00.000+00:00',
    end_datetime: '2026-11-21T00:00:00.000+00:00',
    origin_omitted_port_call_count: 1,
    destination_omitted_port_call_count: 2,
    total_journeys: 37,
    destination_delayed_journeys: 5,
    origin_delayed_journeys: 3,
    ...fields,
  };
}

const statistics = (...records: unknown[]) => ({ body: { statistics: records } });

describe('journey statistics', () => {
  test('without a period send no dates, so the service uses its default', async () => {
    const { client, service, clock } = await analyticsHarness(() => statistics(record()));
    expect(await client.journeyStatistics(lane)).toEqual({
      statistics: [
        {
          carrier: 'MAEU',
          origin: 'NLRTM',
          destination: 'DEHAM',
          beginsAt: new Date('2026-08-23T00:00:00Z'),
          endsAt: new Date('2026-11-21T00:00:00Z'),
          journeys: 37,
          originDelayed: 3,
          destinationDelayed: 5,
          originOmissions: 1,
          destinationOmissions: 2,
        },
      ],
      droppedRecords: 0,
      fetchedAt: clock.domain,
      cached: false,
    });
    expect(service.requests[0]).toMatchObject({
      path: '/tradelane-analytics/journey-statistics',
      query: { origin_un_location_code: 'NLRTM', destination_un_location_code: 'DEHAM' },
    });
    expect(Object.keys(service.requests[0]?.query ?? {})).toHaveLength(2);
  });

  test('send times in UTC without milliseconds, and carriers once, separated by commas', async () => {
    const { client, service } = await analyticsHarness(() => statistics());
    const carriers = ['MSCU', 'MAEU', 'MSCU'] as Scac[]; // well-formed
    const period = { begin: new Date('2026-08-22T00:00:00.999Z'), end: new Date('2026-11-21T00:00:00Z') };
    await client.journeyStatistics({ ...lane, ...period, carriers });
    expect(service.requests[0]?.query).toMatchObject({
      begin_datetime: '2026-08-22T00:00:00Z',
      end_datetime: '2026-11-21T00:00:00Z',
      vessel_operator_carrier_codes: 'MAEU,MSCU',
    });
    await client.journeyStatistics({ ...lane, ...period, carriers: carriers.toReversed() });
    expect(service.requests).toHaveLength(1);
  });

  test('are sorted by carrier; bad records and other lanes are dropped and counted', async () => {
    const { client } = await analyticsHarness(() =>
      statistics(
        record({ vessel_operator_carrier_code: 'MSCU' }),
        record({ total_journeys: -1 }),
        record({ total_journeys: 1.5 }),
        record({ destination_un_location_code: 'BEANR' }),
        record({ begin_datetime: 'yesterday' }),
        record(),
      ),
    );
    const answer = await client.journeyStatistics(lane);
    expect(answer.statistics.map(({ carrier }) => carrier)).toEqual(['MAEU', 'MSCU']);
    expect(answer.droppedRecords).toBe(4);
  });

  test('another code of the same port is the same lane', async () => {
    const { client } = await analyticsHarness(() => statistics(record({ origin_un_location_code: 'CNSGH' })));
    const answer = await client.journeyStatistics({ ...lane, origin: 'CNSHA' as Locode }); // well-formed
    expect(answer).toMatchObject({ droppedRecords: 0, statistics: [{ origin: 'CNSGH' }] });
  });

  test.each([
    { status: 404 },
    { status: 422 },
    statistics(),
    { body: '' },
  ])('%j: nothing is known', async (reply) => {
    const { client } = await analyticsHarness(() => reply);
    expect(await client.journeyStatistics(lane)).toMatchObject({ statistics: [], droppedRecords: 0 });
  });

  test('422 with dates may be about the dates, so it does not count as “no journeys”', async () => {
    const { client } = await analyticsHarness(() => ({ status: 422 }));
    const error = await failure(
      client.journeyStatistics({ ...lane, begin: new Date('2026-08-22T00:00:00Z') }),
    );
    expect(error).toMatchObject({ code: 'not-found', status: 422 });
    expect(error.message).toBe('The service knows nothing under this name (status 422)');
  });
});

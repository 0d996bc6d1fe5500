import { expect, test } from 'vitest';
import { hasValidCheckDigit, isImo } from '../../src/reference/codes.ts';
import {
  contractRoutes,
  type NextPortBody as NextPortRecord,
  type PredictionBody as Prediction,
  type StatisticsBody as Statistics,
} from '../../src/sandbox/routes.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { startSandboxCaller } from '../support/sandbox-caller.ts';
import { useStarted } from '../support/use-started.ts';

const lane =
  '/tradelane-analytics/journey-statistics?origin_un_location_code=SGSIN&destination_un_location_code=CNXAM';
const dateTimeWithOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+\+00:00$/;

test('the routes are those of the contract', () => {
  expect(contractRoutes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'post /authentication/login',
    'get /nextport/vessel/{vessel_imo_number}/predictions',
    'get /nextport/port/{un_location_code}/predictions',
    'get /nextport/ship/{IMO}',
    'get /nextport/shiplist/{SHIPLIST_NAME}',
    'get /administration/usage',
    'get /tradelane-analytics/journey-statistics',
  ]);
});

const service = useStarted(startSandboxCaller);

test('the vessel endpoint answers for each example', async () => {
  for (const imo of [9461477, 9755933, 9811000, 9839430]) {
    const { predictions } = await service.json(`/nextport/vessel/${imo}/predictions`);
    expect(predictions.length).toBeGreaterThan(1);
    for (const prediction of predictions) {
      expect(prediction).toEqual({
        vessel_imo_number: imo,
        un_location_code: expect.stringMatching(/^[A-Z]{5}$/),
        eta_datetime: expect.stringMatching(dateTimeWithOffset),
        probability: expect.any(Number),
      });
    }
  }
});

test('the port endpoint lists each vessel once, and only for that port', async () => {
  const { predictions } = await service.json('/nextport/port/NLRTM/predictions');
  const imos = predictions.map((prediction: Prediction) => prediction.vessel_imo_number);
  expect(imos.length).toBeGreaterThan(10);
  expect(new Set(imos).size).toBe(imos.length);
  const ports = new Set(predictions.map((prediction: Prediction) => prediction.un_location_code));
  expect([...ports]).toEqual(['NLRTM']);
});

test('ship and shiplist give ETAs without an offset, some records without an ETA, and some vessels unsorted', async () => {
  const { records } = await service.json('/nextport/shiplist/NORTH%20EUROPE');
  const etas = records.map((record: NextPortRecord) => record.eta);
  expect(etas).toContain(undefined);
  for (const eta of etas.filter(Boolean)) expect(eta).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  const byVessel = Map.groupBy(records as NextPortRecord[], ({ imo }) => imo);
  expect(byVessel.size).toBeGreaterThan(20);
  const unsorted = [...byVessel.values()].filter(([first, ...others]) =>
    others.some(({ probability }) => probability > (first?.probability ?? 0)),
  );
  expect(unsorted.length).toBeGreaterThan(0);
  expect((await service.json('/nextport/ship/9755933')).records).toEqual(byVessel.get(9755933));
});

test('every shiplist is found by its encoded name', async () => {
  expect(service.sandbox.shiplists).toEqual(['FEEDERS', 'NORTH EUROPE', 'MÉD/ADRIA']);
  for (const name of service.sandbox.shiplists) {
    const { records } = await service.json(`/nextport/shiplist/${encodeURIComponent(name)}`);
    expect(records.length, name).toBeGreaterThan(5);
  }
});

test('statistics have a row per carrier and the default period of 90 days', async () => {
  const { statistics } = await service.json(lane);
  expect(statistics.length).toBeGreaterThan(4);
  const maersk = statistics.find(
    ({ vessel_operator_carrier_code }: Statistics) => vessel_operator_carrier_code === 'MAEU',
  );
  expect(maersk).toMatchObject({
    origin_un_location_code: 'SGSIN',
    destination_un_location_code: 'CNXAM',
    begin_datetime: '2026-08-23T09:05:00.000+00:00',
    end_datetime: '2026-11-21T09:05:00.000+00:00',
  });
  expect(maersk.total_journeys).toBeGreaterThanOrEqual(10);
  const filtered = await service.json(`${lane}&vessel_operator_carrier_codes=MAEU,HLCU,XXXX`);
  const carriers = filtered.statistics.map((row: Statistics) => row.vessel_operator_carrier_code);
  expect(carriers.sort()).toEqual(['HLCU', 'MAEU']);
});

test('every vessel has a valid IMO number and a name of its own', () => {
  const { vessels } = service.sandbox;
  expect(vessels.length).toBeGreaterThanOrEqual(100);
  expect(vessels.every(({ imo }) => isImo(imo) && hasValidCheckDigit(imo))).toBe(true);
  expect(new Set(vessels.map(({ imo }) => imo)).size).toBe(vessels.length);
  expect(new Set(vessels.map(({ name }) => name)).size).toBe(vessels.length);
  const names = Object.fromEntries(vessels.map(({ imo, name }) => [imo, name]));
  expect(names).toMatchObject({
    9461477: 'DS CYPRESS',
    9755933: 'MSC DIANA',
    9811000: 'EVER GIVEN',
    9839430: 'MSC GULSUN',
  });
});

test('an unknown vessel, port or list gets the answer that the option says', async () => {
  const paths = [
    '/nextport/vessel/9999993/predictions',
    '/nextport/ship/9999993',
    '/nextport/port/XXXXX/predictions',
    '/nextport/shiplist/NOPE',
    lane.replace('SGSIN', 'XXXXX'),
  ];
  for (const [unknown, status] of [
    ['empty', 200],
    ['404', 404],
    ['422', 422],
  ] as const) {
    await using service = await startSandboxCaller({ unknown });
    for (const path of paths) {
      const response = await service.get(path);
      expect(response.status, path).toBe(status);
      const body = Object.values((await response.json()) as object);
      if (unknown === 'empty') expect(body).toEqual([[]]);
      else expect(body).toEqual([status, expect.any(String), expect.any(String)]);
    }
  }
});

test('probabilities are in percent if the option says so', async () => {
  await using service = await startSandboxCaller({ probabilityScale: 'percent' });
  const { predictions } = await service.json('/nextport/vessel/9755933/predictions');
  const probabilities = predictions.map((prediction: Prediction) => prediction.probability);
  expect(Math.max(...probabilities)).toBeGreaterThan(1.5);
});

test('a malformed request gets 400 and the name of the field', async () => {
  for (const [path, field] of [
    ['/nextport/ship/abc', 'IMO'],
    ['/administration/usage?year=x', 'year'],
    ['/administration/usage?month=13', 'month'],
    [`${lane}&begin_datetime=yesterday`, 'begin_datetime'],
    [`${lane}&begin_datetime=2026-11-02T00:00:00Z&end_datetime=2026-11-01T00:00:00Z`, 'begin_datetime'],
    ['/tradelane-analytics/journey-statistics?origin_un_location_code=SGSIN', 'destination_un_location_code'],
  ]) {
    const response = await service.get(path ?? '');
    expect(response.status, path).toBe(400);
    expect(await response.text()).toContain(field);
  }
});

test('every answer says that its data is invented', async () => {
  const openapi = await fetch(`${service.sandbox.url}/openapi.json`);
  expect(openapi.headers.get('x-landfall-sandbox')).toBe('invented data');
  const document = (await openapi.json()) as {
    openapi: string;
    info: { description: string };
    paths: object;
  };
  expect(document.openapi).toBe('3.1.0');
  expect(document.info.description).toContain('invented');
  expect(Object.keys(document.paths)).toEqual(contractRoutes.map(({ path }) => path));
  expect((await service.get('/nextport/ship/9755933')).headers.get('x-landfall-sandbox')).toBe(
    'invented data',
  );
  expect((await service.get('/nowhere')).status).toBe(404);
});

test('a second server on the same port is refused', async () => {
  const port = Number(new URL(service.sandbox.url).port);
  await expect(createSandbox({ port })).rejects.toThrow('EADDRINUSE');
});

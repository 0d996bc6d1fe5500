import { expect, test } from 'vitest';
import { hasValidCheckDigit, isImo } from '../../src/reference/imo.ts';
import { contractRoutes } from '../../src/sandbox/routes.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { startSandboxCaller } from '../support/sandbox-caller.ts';

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

test.each([9461477, 9755933, 9811000, 9839430])('the vessel view answers for %i', async (imo) => {
  await using service = await startSandboxCaller();
  const { predictions } = await service.json(`/nextport/vessel/${imo}/predictions`);
  expect(predictions.length).toBeGreaterThan(1);
  for (const one of predictions) {
    expect(one).toEqual({
      vessel_imo_number: imo,
      un_location_code: expect.stringMatching(/^[A-Z]{5}$/),
      eta_datetime: expect.stringMatching(dateTimeWithOffset),
      probability: expect.any(Number),
    });
    expect(one.probability).toBeGreaterThan(0);
    expect(one.probability).toBeLessThanOrEqual(1);
  }
  const ports = predictions.map((one: { un_location_code: string }) => one.un_location_code);
  expect(new Set(ports).size).toBe(ports.length);
});

test('the port view lists each vessel once, for the port asked', async () => {
  await using service = await startSandboxCaller();
  const { predictions } = await service.json('/nextport/port/NLRTM/predictions');
  const imos = predictions.map((one: { vessel_imo_number: number }) => one.vessel_imo_number);
  expect(imos.length).toBeGreaterThan(10);
  expect(new Set(imos).size).toBe(imos.length);
  expect(predictions.every((one: { un_location_code: string }) => one.un_location_code === 'NLRTM')).toBe(
    true,
  );
  const soon = service.sandbox.clock.now().getTime() + 14 * 86_400_000;
  expect(predictions.some((one: { eta_datetime: string }) => Date.parse(one.eta_datetime) < soon)).toBe(true);
});

test('ship and shiplist give an ETA without offset, and none in some records', async () => {
  await using service = await startSandboxCaller();
  const { records } = await service.json('/nextport/shiplist/NORTH%20EUROPE');
  const etas = records.map((one: { eta?: string }) => one.eta);
  expect(etas).toContain(undefined);
  for (const eta of etas.filter(Boolean)) expect(eta).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  expect(new Set(records.map((one: { imo: number }) => one.imo)).size).toBeGreaterThan(20);
  const ship = await service.json('/nextport/ship/9755933');
  expect(ship.records).toEqual(records.filter((one: { imo: number }) => one.imo === 9755933));
});

test('records come in no order that a client could rely on', async () => {
  await using service = await startSandboxCaller();
  const { records } = await service.json('/nextport/shiplist/NORTH%20EUROPE');
  const tops = Map.groupBy(records as { imo: number; probability: number }[], (one) => one.imo)
    .values()
    .filter(([first, ...others]) => others.some((one) => one.probability > (first?.probability ?? 0)));
  expect([...tops].length).toBeGreaterThan(0);
});

test('every shiplist is found by its encoded name', async () => {
  await using service = await startSandboxCaller();
  expect(service.sandbox.shiplists).toEqual(['FEEDERS', 'NORTH EUROPE', 'MÉD/ADRIA']);
  for (const name of service.sandbox.shiplists) {
    const { records } = await service.json(`/nextport/shiplist/${encodeURIComponent(name)}`);
    expect(records.length, name).toBeGreaterThan(5);
  }
});

test('statistics have a row per carrier and the default period of 90 days', async () => {
  await using service = await startSandboxCaller();
  const { statistics } = await service.json(lane);
  expect(statistics.length).toBeGreaterThan(4);
  const maersk = statistics.find(
    (one: { vessel_operator_carrier_code: string }) => one.vessel_operator_carrier_code === 'MAEU',
  );
  expect(maersk).toMatchObject({
    origin_un_location_code: 'SGSIN',
    destination_un_location_code: 'CNXAM',
    begin_datetime: '2026-08-23T09:05:00.000+00:00',
    end_datetime: '2026-11-21T09:05:00.000+00:00',
  });
  expect(maersk.total_journeys).toBeGreaterThanOrEqual(10);
  const two = await service.json(`${lane}&vessel_operator_carrier_codes=MAEU,HLCU,XXXX`);
  expect(
    two.statistics
      .map((one: { vessel_operator_carrier_code: string }) => one.vessel_operator_carrier_code)
      .sort(),
  ).toEqual(['HLCU', 'MAEU']);
});

test('every vessel has a valid IMO number and a name of its own', async () => {
  await using service = await startSandboxCaller();
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

test('the answer for an unknown vessel, port or list is as the setting says', async () => {
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

test('probabilities are in percent if the setting says so', async () => {
  await using service = await startSandboxCaller({ probabilityScale: 'percent' });
  const { predictions } = await service.json('/nextport/vessel/9755933/predictions');
  expect(Math.max(...predictions.map((one: { probability: number }) => one.probability))).toBeGreaterThan(
    1.5,
  );
});

test('a malformed question gets 400, which names the field', async () => {
  await using service = await startSandboxCaller();
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
  await using service = await startSandboxCaller();
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

test('the two views agree over HTTP, and an address in use is refused', async () => {
  await using service = await startSandboxCaller();
  const { predictions } = await service.json('/nextport/port/SGSIN/predictions');
  for (const one of predictions) {
    const vessel = await service.json(`/nextport/vessel/${one.vessel_imo_number}/predictions`);
    expect(vessel.predictions).toContainEqual(one);
  }
  const port = Number(new URL(service.sandbox.url).port);
  await expect(createSandbox({ port })).rejects.toThrow('EADDRINUSE');
});

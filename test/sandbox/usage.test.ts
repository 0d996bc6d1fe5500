import { expect, test } from 'vitest';
import { startSandboxCaller } from '../support/sandbox-caller.ts';

interface Row {
  user_id: string | null;
  usage_type: string;
  usage_method: string | null;
  endpoint: string;
  status: string;
  unit: string;
  usage_count: number;
  text: string | null;
}

const countOf = (rows: Row[], endpoint: string, status = 'SUCCESS') =>
  rows.find((row) => row.endpoint === endpoint && row.status === status)?.usage_count ?? 0;

test('real requests are counted by endpoint and status', async () => {
  await using service = await startSandboxCaller();
  const november = '/administration/usage?year=2026&month=11';
  const before: Row[] = (await service.json(november)).usage;
  await service.get('/nextport/vessel/9755933/predictions');
  await service.get('/nextport/vessel/9755933/predictions');
  await service.get('/nextport/ship/abc');
  service.sandbox.faults.status(503, { times: 1 });
  await service.get('/nextport/port/NLRTM/predictions');
  const after: Row[] = (await service.json(november)).usage;
  expect(countOf(after, '/nextport/vessel') - countOf(before, '/nextport/vessel')).toBe(2);
  expect(countOf(after, '/nextport/ship', 'ERROR') - countOf(before, '/nextport/ship', 'ERROR')).toBe(1);
  await service.login();
  const later: Row[] = (await service.json(november)).usage;
  expect(countOf(later, '/authentication/login') - countOf(after, '/authentication/login')).toBe(1);
  expect(countOf(after, '/administration/usage') - countOf(before, '/administration/usage')).toBe(1);
});

test("a past month has requests, pushes and their classifiers, and doesn't change", async () => {
  await using service = await startSandboxCaller();
  const answer = await service.json('/administration/usage?year=2026&month=10');
  const rows: Row[] = answer.usage;
  expect(answer.last_updated_datetime).toBe('2026-11-21T09:05:00.000+00:00');
  expect(new Set(rows.map((row) => row.unit))).toEqual(new Set(['REQUESTS', 'CONTAINERS']));
  expect(new Set(rows.map((row) => row.status))).toEqual(new Set(['SUCCESS', 'ERROR']));
  const pushes = rows.filter((row) => row.usage_type === 'PUSH');
  expect(new Set(pushes.map((row) => row.endpoint))).toEqual(
    new Set(['Total container count', 'Container with data count']),
  );
  expect(pushes.every((row) => row.user_id === null && row.usage_method === null)).toBe(true);
  expect(new Set(rows.map((row) => row.text)).size).toBe(8);
  expect((await service.json('/administration/usage?year=2026&month=10')).usage).toEqual(rows);
});

test('there is no usage before November 2022, and none in the future', async () => {
  await using service = await startSandboxCaller();
  const rowsOf = async (month: string) => (await service.json(`/administration/usage?${month}`)).usage.length;
  expect(await rowsOf('year=2022&month=10')).toBe(0);
  expect(await rowsOf('year=2022&month=11')).toBeGreaterThan(5);
  expect(await rowsOf('year=2026&month=12')).toBe(0);
});

test('pages start at 1, have a maximum size, and end', async () => {
  await using service = await startSandboxCaller({ maxPageSize: 7 });
  const october = '/administration/usage?year=2026&month=10';
  const rows: Row[] = [];
  let pages = 0;
  for (let page = 1; page <= 20; page += 1) {
    const { usage } = await service.json(`${october}&page=${page}&page_size=50`);
    if (usage.length === 0) break;
    expect(usage.length).toBeLessThanOrEqual(7);
    rows.push(...usage);
    pages += 1;
  }
  await using other = await startSandboxCaller();
  expect(pages).toBeGreaterThan(2);
  expect(rows).toEqual((await other.json(october)).usage);
  expect((await service.get(`${october}&page=0`)).status).toBe(400);
});

test('each account has its own figures', async () => {
  await using service = await startSandboxCaller();
  const october = '/administration/usage?year=2026&month=10';
  const { usage } = await service.json(october);
  const authorization = `Bearer ${await service.login(service.sandbox.credentialsWithoutBeta)}`;
  const other = (await (await service.get(october, { authorization })).json()) as { usage: Row[] };
  const requests = (rows: Row[]) => rows.map((row) => row.usage_count);
  expect(new Set(other.usage.map((row) => row.user_id))).toEqual(new Set(['u2', null]));
  expect(requests(other.usage)).not.toEqual(requests(usage));
});

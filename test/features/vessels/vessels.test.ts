import { beforeEach, describe, expect, it } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { maxNames } from '../../../src/features/vessels/vessel-names.ts';
import type { Imo } from '../../../src/reference/codes.ts';
import { direct } from '../../support/statements/direct.ts';
import { openSqlite, workspaceId } from '../../support/store-engines.ts';
import { useWorkspace } from '../../support/use-store.ts';
import { createFleets, createVesselNames, type VesselNames } from '../../support/vessel-stores.ts';

const by = { actorId: 'U1', now: new Date('2026-11-21T09:00:00Z') };
const cypress = 9461477 as Imo;
const diana = 9755933 as Imo;
/** No example. */
const unnamed = 9074729 as Imo;

const store = useWorkspace(openSqlite);

describe('vessel names', () => {
  let realNow = 1_000;
  let names: VesselNames;
  const open = (id = workspaceId) =>
    createVesselNames({ store: storeOf(store.database.db, id), realNow: () => realNow });
  beforeEach(() => {
    names = open();
  });

  it('are found by name and by number; a vessel with several names gets the last', async () => {
    await names.save([{ imo: cypress, name: 'OLD NAME' }], by);
    await names.save(
      [
        { imo: cypress, name: 'NEWER' },
        { imo: diana, name: 'MSC DIANA' },
        { imo: cypress, name: 'DS CYPRESS' },
      ],
      by,
    );
    const directory = await names.directory();
    expect(directory.nameOf(cypress)).toBe('DS CYPRESS');
    expect(directory.named('ds cypress')).toEqual([{ imo: cypress, name: 'DS CYPRESS' }]);
    expect(directory.nearest('msc dianna')).toEqual([{ imo: diana, name: 'MSC DIANA' }]);
    expect(await open('T2').list()).toEqual([]);
  });

  it('from a file are saved together with its fleets, or not at all', async () => {
    const file = { kind: 'file', fileName: 'fleet.csv' } as const;
    const named = [{ imo: cypress, name: 'DS CYPRESS' }];
    const fleets = createFleets({ store: storeOf(store.database.db, workspaceId) });
    // A number that no row can hold.
    const broken = [{ name: 'NORTH', imos: [cypress, Number.NaN as Imo] }];
    await expect(names.save(named, by, file, { fleets: broken })).rejects.toThrow();
    expect(await names.list()).toEqual([]);
    expect(await fleets.list()).toEqual([]);
    await names.save(named, by, file, { fleets: [{ name: 'NORTH', imos: [cypress] }] });
    expect(await names.list()).toEqual(named);
    expect(await fleets.list()).toEqual([{ name: 'NORTH', imos: [cypress] }]);
  });

  it('are cached, and read again one second after another process changes them', async () => {
    await names.save([{ imo: unnamed, name: 'OURS' }], by);
    const first = await names.directory();
    expect(await names.directory()).toBe(first);
    const other = open();
    await other.forget([unnamed, diana], by);
    expect(await other.list()).toEqual([]);
    expect((await names.directory()).nameOf(unnamed)).toBe('OURS');
    expect(await names.directory()).toBe(first);
    realNow += 1_001;
    expect((await names.directory()).nameOf(unnamed)).toBeUndefined();
    expect(await names.directory()).not.toBe(first);
    await names.save([{ imo: unnamed, name: 'OURS' }], by);
    expect((await names.directory()).nameOf(unnamed)).toBe('OURS');
  });

  it('changed by this process are updated in the cache, with the same result as a new read', async () => {
    await names.directory();
    const steps = [
      () => names.save([{ imo: diana, name: 'Msc Diana' }], by),
      () => names.save([{ imo: cypress, name: 'ZULU' }], by),
      () => names.save([{ imo: diana, name: 'ALPHA' }], by),
      () => names.forget([cypress, diana], by),
      () => open().save([{ imo: diana, name: 'BRAVO' }], by),
      () => names.save([{ imo: cypress, name: 'BRAVO' }], by),
    ];
    for (const step of steps) {
      await step();
      realNow += 1_001;
      const asRead = open();
      expect(await names.list()).toEqual(await asRead.list());
      const [directory, other] = [await names.directory(), await asRead.directory()];
      expect(directory.all()).toEqual(other.all());
      for (const name of ['bravo', 'zulu', 'ds cypress', 'msc diana']) {
        expect(directory.named(name)).toEqual(other.named(name));
      }
    }
    expect((await names.directory()).named('bravo')).toHaveLength(2);
  });

  it('come with the names of the fleets, which show within a second, as does a fleet that is gone', async () => {
    const fleets = createFleets({ store: storeOf(store.database.db, workspaceId) });
    const known = async () => {
      realNow += 1_001;
      return (await names.directory()).fleets;
    };
    expect(await known()).toEqual([]);
    await fleets.add({ name: 'Asia Loop', imos: [cypress] }, by);
    expect(await known()).toEqual(['Asia Loop']);
    await names.save(
      [],
      by,
      { kind: 'file', fileName: 'a.csv' },
      { fleets: [{ name: 'NORTH', imos: [diana] }] },
    );
    expect(await known()).toEqual(['Asia Loop', 'NORTH']);
    await fleets.remove({ name: 'asia loop', imos: [cypress] }, by);
    expect(await known()).toEqual(['NORTH']);
  });

  it("don't come back when a deleted workspace is installed again", async () => {
    const { db } = store.database;
    const revisionIs = (revision: number) =>
      db.updateTable('workspaces').set({ names_revision: revision }).where('id', '=', workspaceId).execute();
    await revisionIs(0);
    await names.save([{ imo: cypress, name: 'OF BEFORE' }], by);
    await names.directory();
    await direct(db).deleteFrom('vessel_names').execute();
    await revisionIs(0);
    await names.save([{ imo: diana, name: 'MSC DIANA' }], by);
    expect(await names.list()).toEqual([{ imo: diana, name: 'MSC DIANA' }]);
  });

  it('are saved twenty thousand at once, all or none, and refused as a whole if there would be more; existing ones can still change', async () => {
    const fleets = createFleets({ store: storeOf(store.database.db, workspaceId) });
    const others = Array.from({ length: maxNames - 2 }, (_, index) => ({
      imo: (1_000_000 + index) as Imo,
      name: `V${index}`,
    }));
    // A number that no row can hold, in the last of several batches.
    await expect(names.save([...others, { imo: Number.NaN as Imo, name: 'B' }], by)).rejects.toThrow();
    expect(await names.list()).toEqual([]);
    await names.save(others, by);
    expect(await noted()).toHaveLength(1);
    const own = async () => (await names.list()).filter(({ imo }) => imo > 9_000_000);
    const gulsun = 9839430 as Imo;
    const two = [
      { imo: cypress, name: 'DS CYPRESS' },
      { imo: diana, name: 'MSC DIANA' },
    ];
    const more = [
      { imo: cypress, name: 'CYPRESS' },
      { imo: gulsun, name: 'MSC GULSUN' },
    ];
    await names.save(two, by);
    await expect(names.save(more, by)).rejects.toMatchObject({
      code: 'too-many-names',
      message:
        'A workspace can name at most 20,000 vessels. It has named 20,000, and this would add 1. Nothing was saved.',
      hint: 'Forget names that nobody uses, or add fewer.',
    });
    const file = { kind: 'file', fileName: 'fleet.csv' } as const;
    await expect(
      names.save(more, by, file, { fleets: [{ name: 'NORTH', imos: [cypress] }] }),
    ).rejects.toThrow(
      'It has named 20,000, and this would add 1. Nothing was saved: neither names nor fleets.',
    );
    expect(await own()).toEqual(two);
    expect(await fleets.list()).toEqual([]);
    await names.save([{ imo: diana, name: 'DIANA' }], by);
    await names.forget([cypress], by);
    await names.save([{ imo: gulsun, name: 'MSC GULSUN' }], by);
    expect(await own()).toEqual([
      { imo: diana, name: 'DIANA' },
      { imo: gulsun, name: 'MSC GULSUN' },
    ]);
  });

  it('are audited with their values before and after; a file is audited in one row', async () => {
    await names.save([{ imo: cypress, name: 'OLD NAME' }], by);
    await names.save([{ imo: cypress, name: 'DS CYPRESS' }], by);
    await names.save([{ imo: cypress, name: 'DS CYPRESS' }], by); // Nothing changes, nothing is written.
    const file = [
      { imo: cypress, name: 'CYPRESS' },
      { imo: diana, name: 'MSC DIANA' },
    ];
    await names.save(file, by, { kind: 'file', fileName: 'ours.csv' });
    await names.save(file, by, { kind: 'file', fileName: 'ours.csv' });
    await names.forget([cypress, diana], by);
    await names.save(file, by, { kind: 'first' });
    expect(await noted()).toEqual([
      'vessel.name IMO 9461477: nothing → {"names":[{"imo":9461477,"name":"OLD NAME"}]}',
      'vessel.name IMO 9461477: {"names":[{"imo":9461477,"name":"OLD NAME"}]} → {"names":[{"imo":9461477,"name":"DS CYPRESS"}]}',
      'vessel.import ours.csv: nothing → {"names":2,"added":1,"renamed":1,"changes":[{"imo":9461477,"before":"DS CYPRESS","after":"CYPRESS"},{"imo":9755933,"before":null,"after":"MSC DIANA"}]}',
      'vessel.import ours.csv: nothing → {"names":2,"added":0,"renamed":0,"changes":[]}',
      'vessel.forget 2 vessels: {"names":[{"imo":9461477,"name":"CYPRESS"},{"imo":9755933,"name":"MSC DIANA"}]} → nothing',
    ]);
  });
});

it('a file adds its new vessels to many fleets at once', async () => {
  const { db } = store.database;
  const fleets = createFleets({ store: storeOf(db, workspaceId) });
  const names = Array.from({ length: 6000 }, (_, count) => `FLEET ${String(count).padStart(4, '0')}`);
  const add = (imo: Imo) =>
    fleets.addAll(
      names.map((name) => ({ name, imos: [cypress, imo] })),
      by,
    );
  await add(cypress);
  await add(diana);
  expect(await fleets.list()).toEqual(names.map((name) => ({ name, imos: [cypress, diana] })));
  const audited = await direct(db)
    .selectFrom('audit')
    .select('after')
    .where('action', '=', 'fleet.add')
    .execute();
  expect(audited.filter(({ after }) => JSON.stringify(after) === `{"imos":[${cypress}]}`)).toHaveLength(6000);
  expect(audited.filter(({ after }) => JSON.stringify(after) === `{"imos":[${diana}]}`)).toHaveLength(6000);
});

it('fleet names ignore case; fleets grow, shrink, and are deleted when empty', async () => {
  const fleetsOf = (id: string) => createFleets({ store: storeOf(store.database.db, id) });
  const fleets = fleetsOf(workspaceId);
  await fleets.add({ name: 'North', imos: [diana] }, by);
  await fleets.add({ name: ' NORTH ', imos: [cypress, diana] }, by);
  expect(await fleets.list()).toEqual([{ name: 'North', imos: [cypress, diana] }]);
  expect(await fleetsOf('T2').find('north')).toBeUndefined();
  const removed = async (change: Parameters<typeof fleets.remove>[0]) =>
    (await fleets.remove(change, by)).vessels;
  expect(await removed({ name: 'north', imos: [cypress] })).toBe(1);
  expect(await fleets.find('north')).toEqual({ name: 'North', imos: [diana] });
  expect(await removed({ name: 'north', imos: [cypress, diana] })).toBe(1);
  expect(await fleets.list()).toEqual([]);
  await fleets.add({ name: 'South', imos: [diana] }, by);
  expect(await removed({ name: 'SOUTH' })).toBe(1);
  expect(await removed({ name: 'SOUTH' })).toBe(0);
  expect(await noted()).toEqual([
    'fleet.add North: nothing → {"imos":[9755933]}',
    'fleet.add NORTH: nothing → {"imos":[9461477]}',
    'fleet.remove North: {"imos":[9461477]} → nothing',
    'fleet.remove North: {"imos":[9755933]} → nothing',
    'fleet.add South: nothing → {"imos":[9755933]}',
    'fleet.forget South: {"imos":[9755933]} → nothing',
  ]);
});

/** The audit log, oldest first. */
async function noted(): Promise<string[]> {
  const rows = await direct(store.database.db).selectFrom('audit').selectAll().execute();
  const shown = (value: unknown) => (value === null ? 'nothing' : JSON.stringify(value));
  return rows.map(
    ({ action, subject, before, after }) => `${action} ${subject}: ${shown(before)} → ${shown(after)}`,
  );
}

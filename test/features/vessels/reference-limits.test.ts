import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import type { Imo } from '../../../src/reference/codes.ts';
import { direct } from '../../support/statements/direct.ts';
import { engines, seedWorkspace, workspaceId } from '../../support/store-engines.ts';
import { useStore } from '../../support/use-store.ts';
import { createVesselNames, firstOwnImo, leaveRoom, type VesselNames } from '../../support/vessel-stores.ts';

const cypress = 9461477 as Imo;
const diana = 9755933 as Imo;
const gulsun = 9839430 as Imo;
const by = { actorId: 'U1', now: new Date('2026-11-21T09:00:00Z') };

describe.each(engines)('on $engine', ({ open }) => {
  const store = useStore(open);
  let names: VesselNames;
  const namesOf = (db = store.database.db) =>
    createVesselNames({ store: storeOf(db, workspaceId), realNow: () => 1_000 });
  const room = (vessels: number, references: number) => leaveRoom(store.database.db, { vessels, references });
  beforeAll(() => seedWorkspace(store.database));
  beforeEach(async () => {
    for (const table of ['vessel_references', 'vessel_names', 'fleet_vessels', 'fleets', 'audit'] as const)
      await direct(store.database.db).deleteFrom(table).execute();
    names = namesOf();
  });

  /** How many vessels have references, and how many all have. */
  async function stored() {
    const rows = await direct(store.database.db)
      .selectFrom('vessel_references')
      .select('references')
      .where('imo', '>=', firstOwnImo)
      .execute();
    const lists = rows.map(({ references }) => references as string[]); // As they are written.
    return { vessels: lists.length, references: lists.flat().length };
  }

  const file = { kind: 'file', fileName: 'ours.csv' } as const;
  const change = (imo: number, ...added: string[]) => ({ imo: imo as Imo, added });

  test('imports at the same time cannot pass the limits together, and each is told what was left out', async () => {
    await room(10, 20);
    const services = await Promise.all(
      Array.from({ length: 3 }, async () => namesOf((await store.another()).db)),
    );
    const results = await Promise.all(
      services.map((service, part) => {
        const references = Array.from({ length: 8 }, (_, index) =>
          change(9_000_000 + part * 100 + index, `BK${part}${index}`, `BL${part}${index}`),
        );
        return service.save([], by, file, { references });
      }),
    );
    const saved = results.map((result) => result.references.flatMap(({ added }) => added).length);
    const left = results.map((result) => result.leftOut.flatMap(({ references }) => references).length);
    expect(await stored()).toEqual({ vessels: 10, references: 20 });
    expect(saved.reduce((sum, count) => sum + count)).toBe(20);
    expect(saved.map((count, index) => count + (left[index] ?? 0))).toEqual([16, 16, 16]);
  });

  test('typed changes at the same time cannot pass the limits together', async () => {
    await room(10, 20);
    const services = await Promise.all(
      Array.from({ length: 14 }, async () => namesOf((await store.another()).db)),
    );
    const outcomes = await Promise.allSettled(
      services.map((service, index) => service.changeReferences(change(9_000_000 + index, 'ACME'), by)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await stored()).toEqual({ vessels: 10, references: 10 });
  });

  test('a file is stored as far as there is room: the limit that is reached is named', async () => {
    await room(2, 4);
    const { references, leftOut } = await names.save([{ imo: cypress, name: 'DS CYPRESS' }], by, file, {
      references: [change(cypress, 'A11', 'a-11', 'A12'), change(diana, 'B11'), change(gulsun, 'C11')],
    });
    expect(references.map(({ added }) => added)).toEqual([['A11', 'A12'], ['B11']]);
    expect(leftOut).toEqual([{ imo: gulsun, references: ['C11'], limit: 'vessels' }]);
    const more = await names.save([], by, file, { references: [change(diana, 'B12', 'B13')] });
    expect(more.leftOut).toEqual([{ imo: diana, references: ['B13'], limit: 'references' }]);
    const twenty = Array.from({ length: 21 }, (_, index) => `D${100 + index}`);
    await room(5, 100);
    const full = await names.save([], by, file, { references: [change(gulsun, ...twenty)] });
    expect(full.leftOut).toEqual([{ imo: gulsun, references: ['D120'], limit: 'vessel' }]);
    expect(await names.list()).toEqual([{ imo: cypress, name: 'DS CYPRESS' }]);
  });

  test('at the limit a typed reference is refused with advice, nothing is saved, and removing makes room', async () => {
    await room(2, 3);
    await names.changeReferences(change(cypress, 'A11', 'A12'), by);
    await names.changeReferences(change(diana, 'B11'), by);
    await expect(names.changeReferences(change(diana, 'B12', 'B13'), by)).rejects.toMatchObject({
      code: 'too-many-references',
      message:
        'A workspace can have at most 20,000 references, and there are 20,000 here. Nothing was saved.',
      hint: 'To make room, remove those of bookings that are done, a vessel at a time: /vessel ref <vessel> forget. /vessel list shows who has some.',
      choices: [
        { label: 'List the vessels', line: 'vessel list' },
        { label: 'Try again', line: 'vessel ref 9755933 add B12, B13' },
      ],
    });
    await expect(names.changeReferences(change(gulsun, 'C11'), by)).rejects.toMatchObject({
      message:
        'At most 5,000 vessels of a workspace can have references, and 5,000 have some here. Nothing was saved.',
    });
    const typed = names.save([{ imo: gulsun, name: 'GULSUN' }], by, undefined, {
      references: [change(gulsun, 'C11')],
    });
    await expect(typed).rejects.toMatchObject({ code: 'too-many-references' });
    expect(await names.list()).toEqual([]);
    await names.changeReferences({ imo: cypress, added: ['A13'], removed: ['A11'] }, by);
    await names.changeReferences({ imo: cypress, removed: ['A12', 'A13'] }, by);
    await names.changeReferences(change(gulsun, 'C11', 'C12'), by);
    expect(await stored()).toEqual({ vessels: 2, references: 3 });
  });

  test('an import has one entry in the audit log, however many vessels and fleets it changes', async () => {
    const references = [change(cypress, 'A11', 'A12'), change(diana, 'B11')];
    const fleets = ['NORTH', 'SOUTH'].map((name) => ({ name, imos: [cypress, diana] }));
    await names.save([{ imo: cypress, name: 'DS CYPRESS' }], by, file, { references, fleets });
    const rows = await direct(store.database.db)
      .selectFrom('audit')
      .select(['action', 'subject', 'after'])
      .execute();
    expect(rows).toEqual([
      {
        action: 'vessel.import',
        subject: 'ours.csv',
        after: {
          names: 1,
          added: 1,
          renamed: 0,
          changes: [{ imo: cypress, before: null, after: 'DS CYPRESS' }],
          fleets: ['NORTH', 'SOUTH'],
          newReferences: 3,
          references: ['A11 (IMO 9461477)', 'A12 (IMO 9461477)', 'B11 (IMO 9755933)'],
        },
      },
    ]);
  });

  test('a change reads no other references again', async () => {
    await names.changeReferences(change(cypress, 'A11'), by);
    await names.directory();
    const row = { workspace_id: workspaceId, imo: diana, references: '["UNSEEN"]' };
    await direct(store.database.db)
      .insertInto('vessel_references')
      .values({ ...row, updated_at: by.now, updated_by: 'U1' })
      .execute();
    await names.changeReferences(change(cypress, 'A12'), by);
    const directory = await names.directory();
    expect(directory.referencesOf(cypress)).toEqual(['A12', 'A11']);
    expect(directory.referenced('a-12')).toEqual([{ imo: cypress, reference: 'A12' }]);
    expect(directory.referenced('UNSEEN')).toEqual([]);
    expect((await namesOf().directory()).referenced('UNSEEN')).toHaveLength(1);
  });
});

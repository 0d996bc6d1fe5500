import { addDays } from 'date-fns/addDays';
import { beforeEach, describe, expect, test } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import type { AskCtx } from '../../../src/features/ctx.ts';
import {
  finishImport,
  forgetImports,
  getImport,
  type Importable,
  type ImportUndo,
  storeImport,
  storeUndo,
  takeUndo,
} from '../../../src/features/vessels/pending-imports.ts';
import type { Imo, Locode } from '../../../src/reference/codes.ts';
import { runContext } from '../../support/run-command.ts';
import { direct } from '../../support/statements/direct.ts';
import { engines, workspaceId } from '../../support/store-engines.ts';
import { useWorkspace } from '../../support/use-store.ts';

const shown: Importable = {
  ...{ source: 'bookings.xlsx', totalRows: 3, usedRows: 2, isEncodingGuessed: false },
  vessels: [{ imo: 9461477 as Imo, name: 'DS CYPRESS', fleets: ['NORTH'], references: ['BK1'] }],
  promises: [{ imo: 9461477 as Imo, port: 'NLRTM' as Locode, by: new Date('2026-12-01T22:59:00Z') }],
  skippedRows: [{ line: 4, kind: 'bad-imo', detail: '9461478' }],
};

describe.each(engines)('what can be imported with one button, $engine', ({ open }) => {
  const store = useWorkspace(open);
  let ids = 0;
  const start = new Date('2026-11-21T09:00:00Z');
  let now = start;
  beforeEach(() => {
    now = start;
  });
  const ctxOf = (userId = 'U1', id = workspaceId): AskCtx => {
    const context = runContext();
    const services = { store: storeOf(store.database.db, id), newId: () => `i${ids++}` };
    // What these functions use of the services.
    return { ...context, services, actor: { ...context.actor, userId }, now: () => now } as unknown as AskCtx;
  };

  test('is read back as it was shown, by the person who shared it and nobody else', async () => {
    const id = await storeImport(shown, ctxOf());
    expect(await getImport(id, ctxOf())).toEqual(shown);
    await expect(getImport(id, ctxOf('U2'))).rejects.toMatchObject({
      message: 'Only the person who shared this can import it. Nothing was changed.',
    });
    await expect(getImport(id, ctxOf('U1', 'T2'))).rejects.toMatchObject({ code: 'not-allowed' });
  });

  test('is imported once, also if two instances do it at the same time', async () => {
    const id = await storeImport(shown, ctxOf());
    const press = () =>
      ctxOf().services.store.transaction((transaction) => finishImport(transaction, id, now));
    const outcomes = await Promise.allSettled([press(), press()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const done = { message: 'This is imported already, so nothing more was changed.' };
    await expect(press()).rejects.toMatchObject(done);
    await expect(getImport(id, ctxOf())).rejects.toMatchObject(done);
    const [row] = await direct(store.database.db).selectFrom('imports').select('content').execute();
    expect(row).toEqual({ content: '' });
  });

  test('is undone once, within a day, by the person who imported it', async () => {
    const id = await storeImport(shown, ctxOf());
    const undo: ImportUndo = {
      source: 'bookings.xlsx',
      names: [{ imo: 9461477 as Imo, before: null, after: 'DS CYPRESS' }],
      ...{ references: [], fleets: [], promises: { added: [], replaced: [] } },
    };
    const { store: here } = ctxOf().services;
    const take = (actorId = 'U1') =>
      here.transaction((transaction) => takeUndo(transaction, id, { actorId, now }));
    await expect(take()).rejects.toMatchObject({ code: 'not-allowed' });
    await here.transaction(async (transaction) => {
      await finishImport(transaction, id, now);
      await storeUndo(transaction, id, undo);
    });
    await expect(take('U2')).rejects.toMatchObject({ code: 'not-allowed' });
    now = addDays(start, 2);
    await expect(take()).rejects.toMatchObject({ code: 'not-allowed' });
    now = start;
    const outcomes = await Promise.allSettled([take(), take()]);
    expect(outcomes.flatMap((outcome) => ('value' in outcome ? [outcome.value] : []))).toEqual([undo]);
  });

  test('is forgotten after a day, and a person has five at most', async () => {
    const first = await storeImport(shown, ctxOf());
    const other = await storeImport(shown, ctxOf('U2'));
    for (let count = 1; count <= 5; count += 1) {
      now = new Date(start.getTime() + count * 1_000);
      await storeImport(shown, ctxOf());
    }
    await expect(getImport(first, ctxOf())).rejects.toMatchObject({ code: 'not-allowed' });
    expect(await getImport(other, ctxOf('U2'))).toEqual(shown);
    now = addDays(now, 1.1);
    await expect(getImport(other, ctxOf('U2'))).rejects.toMatchObject({
      message: 'What was read here can be imported for a day, and that is over. Nothing was changed.',
    });
    await forgetImports(store.database.db, now, () => true, addDays(now, 1));
    expect(await direct(store.database.db).selectFrom('imports').selectAll().execute()).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { dueWorkspaces } from '../../src/database/due.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { arePollsPaused, duePolls } from '../../src/features/polling/index.ts';
import type { WorkspaceServices } from '../../src/features/services.ts';
import { createAuditedTransaction, createAuditLog } from '../../src/workspaces/audit.ts';
import { createWorkPauses } from '../../src/workspaces/work-pause.ts';
import { direct } from '../support/statements/direct.ts';
import { addSubjects, engines, type TestStore, workspaceId } from '../support/store-engines.ts';
import { useWorkspace } from '../support/use-store.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 21, 9, minutes));
let ids = 0;

const pausesOf = ({ database: { db } }: TestStore, id = workspaceId) => {
  const store = storeOf(db, id);
  const newId = () => `${++ids}`;
  return createWorkPauses({ store, audited: createAuditedTransaction(store), newId });
};

const noWork = async (): Promise<void> => undefined;

describe.each(engines)('pauses of the background work, $engine', ({ open }) => {
  const store = useWorkspace(open);
  const due = (minutes: number) => dueWorkspaces(store.database.db, { ...duePolls, now: at(minutes) });
  const arePaused = (minutes: number) => {
    const pauses = pausesOf(store);
    const shared = { newId: () => `${++ids}`, realNow: () => at(minutes).getTime() };
    const services = { pauses, botUserId: 'UBOT', ...shared } as WorkspaceServices; // those that it uses
    return arePollsPaused(at(minutes), { services });
  };
  const actions = async () => {
    const { changes } = await createAuditLog(storeOf(store.database.db, workspaceId)).list({}, { limit: 10 });
    return changes.map(({ actorId, action }) => `${actorId} ${action}`);
  };

  it('hold up the polls of that workspace until they are over, and each change is audited once', async () => {
    const { db } = store.database;
    await db
      .insertInto('workspaces')
      .values({ id: 'T2', name: 'Other', created_at: at(0) })
      .execute();
    await addSubjects(store.database, ['S1'], at(0));
    await addSubjects(store.database, ['S2'], at(0), 'T2');
    const begin = (minutes: number | null, actorId: string) =>
      pausesOf(store).begin({ actorId, now: at(1), until: minutes === null ? null : at(minutes) }, noWork);
    await begin(null, 'U1');
    await begin(null, 'U2');
    // Another process sees it in its next round.
    expect([await due(2), await arePaused(2)]).toEqual([['T2'], true]);
    expect(await pausesOf(store, 'T2').at(at(2))).toBeUndefined();
    expect(await begin(30, 'U2')).toEqual({ by: 'U2', since: at(1), until: at(30) });
    expect([await due(29), await arePaused(29)]).toEqual([['T2'], true]);
    expect(await due(30)).toEqual(expect.arrayContaining([workspaceId, 'T2']));
    expect([await arePaused(30), await arePaused(31)]).toEqual([false, false]);
    expect(await actions()).toEqual(['UBOT workspace.resume', 'U2 workspace.pause', 'U1 workspace.pause']);
  });

  it('can be planned: nothing waits until they begin, and they can be changed or cancelled before', async () => {
    await addSubjects(store.database, ['S1'], at(0));
    const pauses = pausesOf(store);
    const by = { actorId: 'U1', now: at(1) };
    await pauses.begin({ ...by, from: at(20), until: at(40) }, noWork);
    expect([await due(19), await arePaused(19), await pauses.at(at(19))]).toEqual([
      [workspaceId],
      false,
      undefined,
    ]);
    const moved = await pauses.begin({ ...by, from: at(10), until: at(30) }, noWork);
    expect(await pauses.next(at(2))).toEqual(moved);
    expect([await due(10), await arePaused(10)]).toEqual([[], true]);
    expect(await pauses.begin({ actorId: 'U2', now: at(11), from: at(15), until: at(50) }, noWork)).toEqual({
      ...{ by: 'U2', since: at(10), until: at(50) },
    });
    expect([await due(50), await arePaused(50)]).toEqual([[workspaceId], false]);
    await pauses.begin({ ...by, now: at(51), from: at(60), until: null }, noWork);
    let wasWorked = false;
    await pauses.end({ ...by, now: at(52) }, async () => {
      wasWorked = true;
    });
    expect([await pauses.next(at(53)), await arePaused(61), wasWorked]).toEqual([undefined, false, false]);
  });

  it('end with their polls spread: the nearest ETAs first, the others one by one', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `S${String(index).padStart(3, '0')}`);
    await addSubjects(store.database, names, at(0));
    await addSubjects(store.database, ['later'], at(90));
    const db = direct(store.database.db);
    await db
      .updateTable('subjects')
      .set({ nearest_eta: at(500) })
      .where('id', '=', 'S110')
      .execute();
    await pausesOf(store).begin({ actorId: 'U1', now: at(1), until: at(60) }, noWork);
    expect(await arePaused(60)).toBe(false);
    const rows = await db.selectFrom('subjects').select(['id', 'due_at']).orderBy('id').execute();
    const waitMs = new Map(rows.map(({ id, due_at }) => [id, due_at.getTime() - at(60).getTime()]));
    expect(['S110', 'S000', 'S001', 'S119'].map((id) => waitMs.get(id))).toEqual([0, 300, 600, 119 * 300]);
    expect(waitMs.get('later')).toBe(30 * 60_000);
  });
});

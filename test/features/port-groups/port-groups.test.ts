import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/database/connect.ts';
import { storeOf } from '../../../src/database/workspace-store.ts';
import type { AskCtx } from '../../../src/features/ctx.ts';
import { followPortGroups } from '../../../src/features/polling/follow.ts';
import type { Watch } from '../../../src/features/polling/watch.ts';
import { listWatches } from '../../../src/features/polling/watch-list.ts';
import { changeGroup, groupsHere } from '../../../src/features/port-groups/store.ts';
import type { GroupChange } from '../../../src/features/port-groups/words.ts';
import { readDirectory } from '../../../src/features/vessels/vessel-names.ts';
import type { Locode } from '../../../src/reference/codes.ts';
import { createAuditLog } from '../../../src/workspaces/audit.ts';
import { failAfter } from '../../support/fail-after.ts';
import { engines, workspaceId } from '../../support/store-engines.ts';
import { useWatches } from '../../support/use-watches.ts';
import { vesselsCtx } from '../../support/vessel-stores.ts';
import { cypress, diana } from '../../support/watch-story.ts';

const [rotterdam, antwerp, amsterdam] = ['NLRTM', 'BEANR', 'NLAMS'] as Locode[]; // known codes
const all = [rotterdam, antwerp, amsterdam].flatMap((port) => port ?? []);

describe.each(engines)('groups of ports, $engine', ({ open }) => {
  const { store, fixture, workspace, outboxRows, send } = useWatches(open);
  let ctx: AskCtx;
  beforeEach(() => {
    const { services } = vesselsCtx({ store: workspace(), newId: fixture.newId });
    const registry = {
      followPortGroups: ((transaction, groups, { record, ...by }) =>
        followPortGroups(transaction, groups, {
          newId: fixture.newId,
          by: { ...by, realNow: fixture.by().realNow },
          record,
        })) satisfies AskCtx['registry']['followPortGroups'],
    };
    // What a change of a group uses.
    ctx = { services, registry, actor: { userId: 'U1' }, now: () => fixture.by().now } as unknown as AskCtx;
  });

  const change = (how: GroupChange['change'], ports: readonly Locode[] = [], name = 'ARA', through = ctx) =>
    changeGroup({ name, change: how, ports }, through);

  /** The same of another process, or of one that ends early. */
  const through = (db: Database['db'], userId = 'U1'): AskCtx => ({
    ...ctx,
    services: vesselsCtx({ store: storeOf(db, workspaceId), newId: fixture.newId }).services,
    actor: { ...ctx.actor, userId },
  });

  const read = async ({ id }: Pick<Watch, 'id'>) => {
    const { watches } = await listWatches(workspace(), { ids: [id] }, { limit: 1 });
    const [watch] = watches;
    if (!watch) throw new Error('the watch is gone');
    return watch;
  };
  const portsOf = async (watch: Watch) =>
    (await read(watch)).followedSubjects.flatMap(({ subject }) => ('port' in subject ? [subject.port] : []));

  it('keep their ports in the typed order, and are gone with the last one', async () => {
    expect(await change('set', all)).toMatchObject({ before: [], after: all });
    expect((await readDirectory(ctx)).portsOf('ara')).toEqual(all);
    await change('remove', all.slice(0, 1));
    expect((await readDirectory(ctx)).portsOf('ARA')).toEqual(all.slice(1));
    await change('add', all);
    expect(await groupsHere(ctx)).toEqual([
      { name: 'ARA', ports: ['BEANR', 'NLAMS', 'NLRTM'], updatedBy: 'U1' },
    ]);
    await change('remove', all);
    expect(await groupsHere(ctx)).toEqual([]);
    expect((await readDirectory(ctx)).portsOf('ARA')).toBeUndefined();
    const { changes } = await createAuditLog(workspace()).list({}, { limit: 10 });
    expect(changes.map(({ action }) => action).sort()).toEqual([
      'ports.forget',
      'ports.set',
      'ports.set',
      'ports.set',
    ]);
  });

  it('that two admins set at once are those of one, and the other is asked', async () => {
    const other = through((await store.another()).db, 'U2');
    const outcomes = await Promise.all([change('set', all), change('set', all.slice(1), 'ARA', other)]);
    const asked = outcomes.flatMap((outcome) => ('another' in outcome ? [outcome.another] : []));
    expect(asked).toEqual(await groupsHere(ctx));
    const { total } = await createAuditLog(workspace()).list({}, { limit: 10 });
    expect(total).toBe(1);
  });

  it('change with their watches, the card and the audit log, or not at all, wherever the process ends', async () => {
    fixture.vessels.set(cypress, { NLRTM: [0.9, 40] });
    await change('set', all);
    const watch = await fixture.watch([], { title: 'ports ARA', portGroup: 'ARA' });
    await fixture.at(0);
    const state = async () => ({
      groups: await groupsHere(ctx),
      follows: await portsOf(watch),
      changes: (await createAuditLog(workspace()).list({}, { limit: 10 })).total,
      updates: (await outboxRows()).filter(({ status }) => status === 'pending').map(({ kind }) => kind),
    });
    await send();
    const before = await state();
    let statements = 0;
    for (; statements < 99; statements += 1) {
      const db = store.database.db.withPlugin(failAfter(statements));
      const isDone = await change('replace', all.slice(1), 'ARA', through(db)).then(
        () => true,
        () => false,
      );
      if (isDone) break;
      expect(await state()).toEqual(before);
    }
    expect(statements).toBeGreaterThan(8);
    expect(await state()).toMatchObject({
      ...{
        groups: [{ ports: ['BEANR', 'NLAMS'] }],
        follows: ['BEANR', 'NLAMS'],
        changes: before.changes + 2,
      },
      updates: ['card-update'],
    });
  });

  it('are read by another process within a second', async () => {
    let realNow = 1_000;
    const other = vesselsCtx({ store: workspace(), realNow: () => realNow });
    expect((await readDirectory(other)).portGroups()).toEqual([]);
    await change('set', all);
    realNow += 1_001;
    expect((await readDirectory(other)).portGroups()).toEqual(['ARA']);
  });

  it('have at most six ports: a change that makes more changes nothing', async () => {
    await change('set', all);
    const more = ['DEHAM', 'DEBRV', 'FRLEH', 'GBFXT'] as Locode[]; // known codes
    await expect(change('add', more)).rejects.toThrow('at most 6 ports; this one would have 7');
    expect((await readDirectory(ctx)).portsOf('ARA')).toEqual(all);
  });

  it('are followed by their watches, which keep the last ports of a group that is gone', async () => {
    fixture.vessels.set(cypress, { NLRTM: [0.9, 40] });
    fixture.vessels.set(diana, { NLAMS: [0.9, 50] });
    await change('set', all.slice(0, 2));
    const watch = await fixture.watch([], { title: 'ports ARA', portGroup: 'ARA' });
    expect(await portsOf(watch)).toEqual(['BEANR', 'NLRTM']);
    await fixture.at(0);
    expect(fixture.calls.sort()).toEqual(['port BEANR', 'port NLRTM']);
    fixture.calls.length = 0;
    expect(await change('replace', all.slice(1))).toMatchObject({ watches: [{ id: watch.id }] });
    await fixture.at(1);
    expect(fixture.calls).toContain('port NLAMS');
    expect(fixture.calls).not.toContain('port NLRTM');
    expect(await portsOf(watch)).toEqual(['BEANR', 'NLAMS']);
    await change('forget');
    expect(await read(watch)).toMatchObject({ isPortGroupGone: true });
    expect(await portsOf(watch)).toEqual(['BEANR', 'NLAMS']);
  });

  it('can be watched for some vessels: the members of a fleet at the ports of a group', async () => {
    fixture.vessels.set(cypress, { NLRTM: [0.9, 40] });
    fixture.vessels.set(diana, { BEANR: [0.9, 50] });
    await change('set', all.slice(0, 2));
    const condition = { port: null, imos: [cypress] };
    const watch = await fixture.watch([], { title: 'DS CYPRESS at ARA', portGroup: 'ARA', condition });
    await fixture.at(0);
    const expected = (await read(watch)).followedSubjects.flatMap(({ state }) =>
      state?.kind === 'port' ? (state.expected ?? []).map(({ imo, port }) => [imo, port]) : [],
    );
    expect(expected).toEqual([[cypress, 'NLRTM']]);
  });
});

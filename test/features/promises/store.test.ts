import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import {
  addPromises,
  changePromisesOwner,
  forgetPastPromises,
  promiseLimits,
  readPromises,
  removePromises,
  replacePromises,
  setOwnPromises,
} from '../../../src/features/promises/store.ts';
import type { Due } from '../../../src/predictions/promises.ts';
import type { Imo, Locode } from '../../../src/reference/codes.ts';
import { engines, workspaceId } from '../../support/store-engines.ts';
import { useWorkspace } from '../../support/use-store.ts';
import { cypress, diana, hour } from '../../support/watch-story.ts';

const port = 'NLRTM' as Locode;
const options = { by: { actorId: 'U1', now: hour(0) }, newId: () => randomUUID() };
const booking: Due = { port, at: hour(50), earliest: hour(40), minimum: 0.8, reference: 'BK-4401' };

describe.each(engines)('promises, $engine', ({ open }) => {
  const engine = useWorkspace(open);
  const store = (id = workspaceId) => storeOf(engine.database.db, id);
  const promise = (due: Due, imo: Imo = cypress) => ({ imo, due, channelId: 'C1' });
  const add = (...promises: ReturnType<typeof promise>[]) =>
    store().transaction((transaction) => addPromises(transaction, promises, options));
  const stored = async (query: Parameters<typeof readPromises>[1] = {}) =>
    (await readPromises(store(), query)).map(({ imo, due }) => [imo, due]);

  test('are stored whole, once, the soonest first, for their workspace only', async () => {
    await add(promise(booking), promise({ port, at: hour(30) }, diana));
    await add(promise({ ...booking, reference: 'bk 4401' }), promise(booking));
    expect(await stored()).toEqual([
      [diana, { port, at: hour(30) }],
      [cypress, booking],
    ]);
    expect(await stored({ imos: [cypress] })).toEqual([[cypress, booking]]);
    expect(await stored({ after: hour(30) })).toEqual([[cypress, booking]]);
    expect(await readPromises(store('T2'))).toEqual([]);
    const [first] = await readPromises(store());
    await removePromises(store(), [first?.id ?? '']);
    expect(await stored()).toEqual([[cypress, booking]]);
  });

  test("another date for a reference's call replaces the old one, and the vessel is polled soon", async () => {
    const subject = { kind: 'vessel', key: String(cypress), interval_minutes: 360, attempts: 0 };
    await store()
      .insertInto('subjects', { id: 'S1', due_at: hour(6), ...subject })
      .execute();
    const elsewhere: Due = { port: 'BEANR' as Locode, at: hour(60), reference: 'BK-4401' };
    await add(promise(booking), promise(elsewhere), promise({ port, at: hour(30) }));
    const changed: Due = { port, at: hour(45), reference: 'bk 4401' };
    const replace = () =>
      store().transaction((transaction) => replacePromises(transaction, [promise(changed)], options));
    expect(await replace()).toMatchObject({ added: [{ due: changed }], replaced: [{ due: booking }] });
    expect(await replace()).toEqual({ added: [], replaced: [] });
    expect((await stored()).map(([, due]) => due)).toEqual([{ port, at: hour(30) }, changed, elsewhere]);
    const polled = await store().selectFrom('subjects').select('due_at').executeTakeFirstOrThrow();
    expect(polled.due_at).toEqual(hour(0));
  });

  test('a vessel has so many at most, and then nothing is stored; those that are over do not count', async () => {
    const many = (from: number) =>
      Array.from({ length: promiseLimits.vessel }, (_, index) => promise({ port, at: hour(from + index) }));
    await add(...many(-promiseLimits.vessel));
    await add(...many(1));
    await expect(add(promise(booking))).rejects.toMatchObject({ code: 'too-many-promises' });
    expect(await stored()).toHaveLength(2 * promiseLimits.vessel);
    expect(await stored({ after: hour(0) })).not.toContainEqual([cypress, booking]);
  });

  test("a watch's own are those of its rules, and end with it; others see them only in its place", async () => {
    const watch = { id: 'W1', channel_id: 'C1', owner_id: 'U1', destination: 'channel', title: 'x' };
    const row = { ...watch, rules: '{}', status: 'active', created_at: hour(0) };
    await store().insertInto('watches', row).execute();
    const set = (...dates: Due[]) =>
      store().transaction((transaction) =>
        setOwnPromises(transaction, { watchId: 'W1', channelId: 'C1', imos: [cypress], dates }, options),
      );
    const [one, other] = [
      { port, at: hour(10) },
      { port, at: hour(20) },
    ];
    await add(promise(booking));
    await set(one, other);
    const [kept] = await readPromises(store(), { after: hour(15), scope: { channelId: 'C1' } });
    await set(other, { port, at: hour(30) });
    expect((await stored()).map(([, due]) => due)).toEqual([other, { port, at: hour(30) }, booking]);
    expect((await readPromises(store())).map(({ id }) => id)).toContain(kept?.id);
    expect(await stored({ scope: { channelId: 'C2' } })).toEqual([[cypress, booking]]);
    expect(await stored({ scope: { channelId: 'C1' } })).toHaveLength(3);
    await changePromisesOwner(store(), { watchId: 'W1', ownerId: 'U2' });
    expect(await stored({ scope: { ownerId: 'U1' } })).toEqual([[cypress, booking]]);
    expect(await stored({ scope: { ownerId: 'U2' } })).toHaveLength(3);
    await store().deleteFrom('watches').where('id', '=', 'W1').execute();
    expect(await stored()).toEqual([[cypress, booking]]);
  });

  test('are forgotten some time after', async () => {
    await add(promise(booking), promise({ port, at: hour(-9) }));
    await forgetPastPromises(engine.database.db, hour(-8));
    expect(await stored()).toEqual([[cypress, booking]]);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { createSecretBox } from '../../src/database/secrets.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { adoptServiceAddress, createAccountStore } from '../../src/workspaces/accounts.ts';
import { createDigestFixture } from '../support/digest-fixture.ts';
import { direct } from '../support/statements/direct.ts';
import { engines, workspaceId } from '../support/store-engines.ts';
import { useWorkspace } from '../support/use-store.ts';
import { createWatchFixture, type WatchFixture } from '../support/watch-fixture.ts';
import { cypress, hour } from '../support/watch-story.ts';

describe.each(engines)('the address of the service, $engine', ({ open }) => {
  const store = useWorkspace(open);
  let fixture: WatchFixture;
  beforeEach(async () => {
    await adopt('sandbox');
    fixture = createWatchFixture(store.database);
    fixture.vessels.set(cypress, { NLRTM: [0.9, 500] });
    await fixture.watch([{ kind: 'vessel', imo: cypress }]);
    await fixture.at(0);
    fixture.vessels.set(cypress, { DEHAM: [0.9, 500] });
    expect(await fixture.at(7)).toMatchObject({ replies: 1 });
  });

  const adopt = (address: string, of = workspaceId, now = hour(8)) =>
    store.database.db
      .transaction()
      .execute((transaction) => adoptServiceAddress(storeOf(transaction, of), { address, now }));
  const count = async (table: 'history' | 'finished_calls' | 'outbox' | 'alerts') =>
    (await direct(store.database.db).selectFrom(table).select('workspace_id').execute()).length;
  const watches = () => direct(store.database.db).selectFrom('watches').selectAll().execute();

  it('that stays the same changes nothing', async () => {
    const before = [await count('history'), await watches()];
    expect(await adopt('sandbox')).toBe(false);
    expect([await count('history'), await watches()]).toEqual(before);
    expect(await adopt('https://service.example', 'T-unknown')).toBe(false);
  });

  it('that changes deletes what is stored of the former one, and the next poll notifies nobody', async () => {
    const { db } = store.database;
    const digests = createDigestFixture(store.database, { next: 500 });
    const { id: digestId } = await digests.add();
    await direct(db).updateTable('digests').set({ baseline: '{}' }).where('id', '=', digestId).execute();
    expect(await adopt('https://service.example')).toBe(true);
    expect(await count('history')).toBe(0);
    expect(await watches()).toMatchObject([{ status: 'active' }]);
    expect(await count('alerts')).toBe(0);
    expect(await direct(db).selectFrom('subjects').selectAll().execute()).toMatchObject([
      { due_at: hour(8), polled_at: null, nearest_eta: null, attempts: 0 },
    ]);
    expect(await direct(db).selectFrom('digests').select('baseline').execute()).toEqual([{ baseline: null }]);

    const messages = await count('outbox');
    fixture.vessels.set(cypress, { SGSIN: [0.95, 300] });
    expect(await fixture.at(8)).toMatchObject({ answered: 1, replies: 0 });
    expect(await count('history')).toBe(1);
    // Only the card is written again.
    const kinds = (await direct(db).selectFrom('outbox').select('kind').orderBy('sequence').execute()).slice(
      messages,
    );
    expect(kinds.every(({ kind }) => kind === 'card-update')).toBe(true);
    // From this baseline on, changes are alerts again.
    fixture.vessels.set(cypress, { DEHAM: [0.95, 300] });
    expect(await fixture.at(15)).toMatchObject({ replies: 1 });
  });

  it('that changes during a poll drops the answer, which is of the former one', async () => {
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    fixture.gate = () => {
      asked.resolve();
      return answered.promise;
    };
    const polling = fixture.at(14);
    await asked.promise;
    await adopt('https://service.example');
    answered.resolve();
    expect(await polling).toMatchObject({ answered: 0, lost: 1 });
    expect(await count('history')).toBe(0);
  });

  it('changes with the account, in one transaction, and for this workspace alone', async () => {
    const { db } = store.database;
    await db
      .insertInto('workspaces')
      .values({ id: 'T2', name: 'Two', created_at: hour(0) })
      .execute();
    await adopt('sandbox', 'T2');
    const box = createSecretBox([Buffer.alloc(32, 1)]);
    const accounts = createAccountStore({ store: storeOf(db, 'T2'), box });
    const account = { address: 'https://service.example', apiKey: 'key', userId: 'u', password: 'p' };
    const addressOf = async (id: string) => {
      const query = db.selectFrom('workspaces').select('service_address').where('id', '=', id);
      return (await query.executeTakeFirstOrThrow()).service_address;
    };
    const before = await count('history');
    await accounts.save(account, { id: 'a1', actorId: 'U1', now: hour(9) });
    expect(await addressOf('T2')).toBe('https://service.example');
    expect(await addressOf(workspaceId)).toBe('sandbox');
    expect(await count('history')).toBe(before);
    // Without an account the answers stay: the next one may be at the same address.
    await accounts.remove({ id: 'a2', actorId: 'U1', now: hour(9), nextAddress: undefined });
    expect(await addressOf('T2')).toBe('https://service.example');
    await accounts.save(account, { id: 'a3', actorId: 'U1', now: hour(9) });
    await accounts.remove({ id: 'a4', actorId: 'U1', now: hour(9), nextAddress: 'sandbox' });
    expect(await addressOf('T2')).toBe('sandbox');
  });
});

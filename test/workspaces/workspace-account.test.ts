import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type AnalyticsClient, createAnalyticsClient } from '../../src/analytics/client.ts';
import { createSecretBox } from '../../src/database/secrets.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { StoreUnavailable } from '../../src/errors.ts';
import { silentLogger } from '../../src/log.ts';
import { type Account, createAccountStore } from '../../src/workspaces/accounts.ts';
import { saveInstallation } from '../../src/workspaces/save-installation.ts';
import { createLiveLogins, createWorkspaceAccount } from '../../src/workspaces/workspace-account.ts';
import { cypress, failure, prediction } from '../support/analytics-harness.ts';
import { startFakeService } from '../support/fake-service.ts';
import { granted } from '../support/installation.ts';
import { direct } from '../support/statements/direct.ts';
import { engines } from '../support/store-engines.ts';
import { useStarted } from '../support/use-started.ts';
import { useEmptyStore } from '../support/use-store.ts';

const box = createSecretBox([Buffer.alloc(32, 1)]);
const at = new Date('2026-11-21T09:00:00Z');

describe.each(engines)('the account of a workspace, $engine', ({ open }) => {
  const store = useEmptyStore(open);
  const startService = () => startFakeService(() => ({ body: { predictions: [prediction()] } }));
  const service = useStarted(startService, { perTest: true });
  let nowMs: number;
  let ids = 0;
  beforeEach(async () => {
    nowMs = 1_000_000;
    for (const id of ['T1', 'T2'])
      await store.database.db.insertInto('workspaces').values({ id, name: id, created_at: at }).execute();
  });

  const accountAt = (userId = 'ops'): Account => ({
    address: service.url,
    apiKey: 'key',
    userId,
    password: 'p',
  });
  const signal = new AbortController().signal;

  /** What one process has. */
  function startProcess() {
    const { db } = store.database;
    const logins = createLiveLogins({
      db,
      box,
      service: { baseUrlOf: (address) => address, loginSettings: { realNow: () => nowMs, retryDelayMs: 1 } },
      logger: silentLogger,
    });
    const openWorkspace = (
      workspaceId: string,
      more: { operators?: Account; addresses?: readonly string[]; isStoreGone?: () => boolean } = {},
    ) => {
      const { operators, addresses = [service.url], isStoreGone = () => false } = more;
      const accounts = createAccountStore({ store: storeOf(db, workspaceId), box });
      const find = async () => {
        if (isStoreGone()) throw new StoreUnavailable('gone');
        return await accounts.find();
      };
      const opened = createWorkspaceAccount({
        store: storeOf(db, workspaceId),
        accounts: { ...accounts, find },
        logins,
        operators,
        isOperatorsShared: true,
        addresses,
        createClient: (login): AnalyticsClient =>
          createAnalyticsClient({ login, now: () => at, realNow: () => nowMs }),
        now: () => at,
        realNow: () => nowMs,
        newId: () => `id-${++ids}`,
      });
      onTestFinished(opened.close);
      return opened;
    };
    return { logins, openWorkspace };
  }

  it('without one, calls throw, and say who installed Landfall', async () => {
    const { db } = store.database;
    const { analytics, account } = startProcess().openWorkspace('T1');
    expect(await failure(analytics.vesselPredictions(cypress))).toMatchObject({
      code: 'no-account',
      installerId: undefined,
    });
    expect(await account.state()).toEqual({ kind: 'none', installerId: undefined });
    expect(await account.exists()).toBe(false);
    expect(analytics.status()).toEqual({ token: { state: 'none' }, inFlight: 0, queued: 0 });
    await saveInstallation({ db, box, now: at }, granted({ installerId: 'U7' }));
    expect(await failure(analytics.vesselPredictions(cypress))).toMatchObject({ installerId: 'U7' });
    // Whoever installed it for an organisation may be in another workspace.
    await db.updateTable('installations').set({ is_org_wide: true }).where('id', '=', 'T1').execute();
    expect(await failure(analytics.vesselPredictions(cypress))).toMatchObject({ installerId: undefined });
    await expect(async () => {
      for await (const _ of analytics.usage({ year: 2026, month: 11 })) break;
    }).rejects.toMatchObject({ code: 'no-account' });
  });

  it('is tried before it is saved; then it serves at once', async () => {
    const { analytics, account } = startProcess().openWorkspace('T1');
    await failure(analytics.vesselPredictions(cypress));
    service.login = () => ({ status: 401 });
    expect(await failure(account.connect(accountAt(), { actorId: 'U1', signal }))).toMatchObject({
      code: 'unauthorized',
    });
    expect(await account.exists()).toBe(false);
    service.login = (times) => ({ body: { token: `t${times}` } });
    const aborted = AbortSignal.abort(new Error('too late'));
    expect((await failure(account.connect(accountAt(), { actorId: 'U1', signal: aborted }))).message).toBe(
      'too late',
    );
    expect(await account.exists()).toBe(false);
    await account.connect(accountAt(), { actorId: 'U1', signal });
    expect((await analytics.vesselPredictions(cypress)).predictions).toHaveLength(1);
    expect(await account.state()).toMatchObject({ kind: 'own', connectedBy: 'U1' });
    expect(analytics.status().token.state).toBe('live');
    expect(await account.disconnect('U1')).toBe(true);
    expect(analytics.status().token.state).toBe('none');
    expect(await failure(analytics.vesselPredictions(cypress))).toMatchObject({ code: 'no-account' });
  });

  it('comes before that of the operator, which serves without it', async () => {
    const operators = accountAt('operator');
    const { analytics, account } = startProcess().openWorkspace('T1', { operators });
    const users = () => service.logins.map(({ body }) => (JSON.parse(body) as { user_id: string }).user_id);
    await analytics.vesselPredictions(cypress);
    expect(users()).toEqual(['operator']);
    await account.connect(accountAt(), { actorId: 'U1', signal });
    await analytics.vesselPredictions(cypress);
    // Once to try it, once to use it.
    expect(users()).toEqual(['operator', 'ops', 'ops']);
    await account.disconnect('U1');
    await analytics.vesselPredictions(cypress);
    expect(await account.state()).toEqual({ kind: 'operators', address: service.url });
    expect(users()).toEqual(['operator', 'ops', 'ops']);
  });

  it('of the operator shows no workspace the usage report, which counts others too', async () => {
    service.answer = () => ({ body: { last_updated_datetime: at.toISOString(), usage: [] } });
    const { analytics, account } = startProcess().openWorkspace('T1', { operators: accountAt('operator') });
    const usage = () => Array.fromAsync(analytics.usage({ year: 2026, month: 11 }));
    expect(await failure(usage())).toMatchObject({ code: 'not-allowed' });
    expect(service.requests).toHaveLength(0);
    await account.connect(accountAt(), { actorId: 'U1', signal });
    expect(await usage()).toHaveLength(1);
  });

  it('shows within a second what another process has changed', async () => {
    const { analytics } = startProcess().openWorkspace('T1');
    await failure(analytics.vesselPredictions(cypress));
    await startProcess().openWorkspace('T1').account.connect(accountAt(), { actorId: 'U1', signal });
    expect(await failure(analytics.vesselPredictions(cypress))).toMatchObject({ code: 'no-account' });
    nowMs += 1_001;
    expect((await analytics.vesselPredictions(cypress)).predictions).toHaveLength(1);
  });

  it('stays the last known one while the store does not answer', async () => {
    let isGone = true;
    const { analytics } = startProcess().openWorkspace('T1', { isStoreGone: () => isGone });
    expect(await failure(analytics.vesselPredictions(cypress))).toBeInstanceOf(StoreUnavailable);
    isGone = false;
    await startProcess().openWorkspace('T1').account.connect(accountAt(), { actorId: 'U1', signal });
    await analytics.vesselPredictions(cypress);
    isGone = true;
    nowMs += 60_000;
    expect((await analytics.vesselPredictions(cypress, { fresh: true })).predictions).toHaveLength(1);
  });

  it('at an address that is no longer allowed does not serve', async () => {
    const { openWorkspace } = startProcess();
    await openWorkspace('T1').account.connect(accountAt(), { actorId: 'U1', signal });
    const { analytics, account } = openWorkspace('T1', { addresses: ['https://another.example'] });
    expect(await failure(analytics.vesselPredictions(cypress))).toMatchObject({ code: 'no-account' });
    expect(await account.state()).toMatchObject({ kind: 'none' });
  });

  it('is shared as a login by workspaces with the same account, and let go of with the last of them', async () => {
    const { openWorkspace, logins } = startProcess();
    const [one, two] = [openWorkspace('T1'), openWorkspace('T2')];
    for (const { account } of [one, two]) await account.connect(accountAt(), { actorId: 'U1', signal });
    const tries = service.logins.length;
    await Promise.all([one, two].map(({ analytics }) => analytics.vesselPredictions(cypress)));
    expect(service.logins).toHaveLength(tries + 1);
    expect(service.requests).toHaveLength(2);
    expect(logins.count()).toBe(1);
    one.close();
    await new Promise(setImmediate);
    expect(logins.count()).toBe(1);
    two.close();
    await new Promise(setImmediate);
    expect(logins.count()).toBe(0);
    // Work under way may still ask, and holds nothing.
    await one.analytics.vesselPredictions(cypress, { fresh: true });
    expect(logins.count()).toBe(0);
  });

  it('begins with empty history if the operator has changed the address', async () => {
    const { db } = store.database;
    const values = { workspace_id: 'T1', kind: 'vessel', key: '9461477', polled_at: at, predictions: '{}' };
    const count = async () => (await direct(db).selectFrom('history').select('key').execute()).length;
    const { openWorkspace } = startProcess();
    await openWorkspace('T1', { operators: accountAt() }).analytics.vesselPredictions(cypress);
    await db.insertInto('history').values(values).execute();
    await openWorkspace('T1', { operators: accountAt('another') }).analytics.vesselPredictions(cypress);
    expect(await count()).toBe(1);
    const moved = { ...accountAt(), address: `${service.url}/` };
    await openWorkspace('T1', { operators: moved }).analytics.vesselPredictions(cypress);
    expect(await count()).toBe(0);
  });
});

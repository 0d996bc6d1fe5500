import { describe, expect, test } from 'vitest';
import { createMetrics } from '../../../src/app/metrics/metrics.ts';
import { type GaugeSources, readGauges } from '../../../src/app/metrics/metrics-server.ts';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { pendingMessage } from '../../../src/outbox/outgoing-message.ts';
import { addSubjects, engines, workspaceId } from '../../support/store-engines.ts';
import { useWorkspace } from '../../support/use-store.ts';

const now = new Date('2026-11-23T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const revokedInstallation = {
  ...{
    id: 'I1',
    team_id: workspaceId,
    name: 'Harbour',
    is_org_wide: false,
    bot_user_id: 'U1',
    installer_id: 'U2',
  },
  ...{ scopes: '[]', sealed_token: 'sealed', installed_at: minutesAgo(60), revoked_at: now },
};

describe.each(engines)('the gauges of the store, $engine', ({ open }) => {
  const store = useWorkspace(open);

  async function gauges(changes: Partial<GaugeSources> = {}): Promise<string> {
    const metrics = createMetrics();
    await readGauges(metrics, {
      ...{ version: '1.2.3', source: 'sandbox', store: store.database, dailyCalls: undefined },
      now: () => now,
      realNow: () => now.getTime(),
      whyNotReady: () => [],
      ...changes,
    });
    const lines = (await metrics.registry.metrics()).split('\n');
    return lines.filter((line) => line.startsWith('landfall_')).join('\n');
  }

  async function addMessage(id: string, status: string, at: Date): Promise<void> {
    const message = { id, channelId: 'C1', message: { kind: 'reply' }, now: at, dueAt: at };
    await storeOf(store.database.db, workspaceId)
      .insertInto('outbox', { ...pendingMessage(message), status })
      .execute();
  }

  test('without work', async () => {
    const text = await gauges();
    expect(text).toContain('landfall_due_rows{work="polls"} 0');
    expect(text).toContain('landfall_oldest_due_age_seconds{work="messages"} 0');
    expect(text).toContain('landfall_outbox_messages{state="pending"} 0');
    expect(text).toContain('landfall_outbox_oldest_age_seconds{state="held"} 0');
    expect(text).toContain('landfall_installations 1');
    expect(text).toContain('landfall_ready 1');
    expect(text).toContain('landfall_build_info{version="1.2.3",source="sandbox"} 1');
    expect(text).not.toContain('landfall_budget');
    expect(Number(/landfall_store_size_bytes (\d+)/.exec(text)?.[1])).toBeGreaterThan(100_000);
  });

  test('due and late rows, with the age of the oldest', async () => {
    await addSubjects(store.database, ['in the future'], minutesAgo(-1));
    await addSubjects(store.database, ['due'], minutesAgo(1));
    await addSubjects(store.database, ['late'], minutesAgo(30));
    const text = await gauges({ whyNotReady: () => ['starting'] });
    expect(text).toContain('landfall_due_rows{work="polls"} 2');
    expect(text).toContain('landfall_late_rows{work="polls"} 1');
    expect(text).toContain('landfall_oldest_due_age_seconds{work="polls"} 1800');
    expect(text).toContain('landfall_ready 0');
  });

  test.each(['paused', 'revoked'])('nothing is due in a %s workspace: messages are held', async (state) => {
    await addSubjects(store.database, ['late'], minutesAgo(30));
    await addMessage('1', 'pending', minutesAgo(30));
    await addMessage('2', 'failed', minutesAgo(30));
    const { db } = store.database;
    const ofWorkspace = db.updateTable('workspaces').where('id', '=', workspaceId);
    if (state === 'paused') await ofWorkspace.set({ paused_at: now }).execute();
    else {
      await db.insertInto('installations').values(revokedInstallation).execute();
      await ofWorkspace.set({ installation_id: revokedInstallation.id }).execute();
    }
    const text = await gauges();
    expect(text).toContain('landfall_due_rows{work="polls"} 0');
    expect(text).toContain('landfall_outbox_oldest_age_seconds{state="pending"} 0');
    expect(text).toContain('landfall_outbox_messages{state="held"} 1');
    expect(text).toContain('landfall_outbox_oldest_age_seconds{state="held"} 1800');
    expect(text).toContain('landfall_outbox_messages{state="failed"} 1');
  });

  test('messages by state, with the age of the oldest', async () => {
    await addMessage('1', 'sent', minutesAgo(600));
    await addMessage('2', 'pending', minutesAgo(3));
    await addMessage('3', 'pending', minutesAgo(1));
    await addMessage('4', 'failed', minutesAgo(60));
    const text = await gauges();
    expect(text).toContain('landfall_outbox_messages{state="pending"} 2');
    expect(text).toContain('landfall_outbox_oldest_age_seconds{state="pending"} 180');
    expect(text).toContain('landfall_outbox_messages{state="failed"} 1');
    expect(text).not.toContain('"sent"');
    expect(text).toContain('landfall_due_rows{work="messages"} 2');
  });

  test('what is left of the budget', async () => {
    const add = (id: string) =>
      store.database.db.insertInto('workspaces').values({ id, name: id, created_at: now }).execute();
    await add('T2');
    await add('T3');
    const count = (workspace: string, day: string, calls: number) =>
      store.database.db
        .insertInto('call_counts')
        .values({ workspace_id: workspace, day, kind: 'watch', calls })
        .execute();
    await count(workspaceId, '2026-11-23', 30);
    await count(workspaceId, '2026-11-22', 100);
    await count('T2', '2026-11-23', 120);
    const text = await gauges({ dailyCalls: 100 });
    expect(text).toContain('landfall_installations 3');
    expect(text).toContain('landfall_budget_calls_left 170');
    expect(text).toContain('landfall_budget_exhausted_workspaces 1');
    // The lower limit of an admin counts, and one is enough.
    const own = JSON.stringify({ calls: 40, per: 'day', by: 'U1', at: now });
    await store.database.db
      .updateTable('workspaces')
      .set({ call_limit: own })
      .where('id', '=', workspaceId)
      .execute();
    expect(await gauges({ dailyCalls: 100 })).toContain('landfall_budget_calls_left 110');
    expect(await gauges()).toContain('landfall_budget_calls_left 10');
  });
});

import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeOf } from '../../src/database/workspace-store.ts';
import {
  createAssistantTokenStore,
  findAssistantToken,
  forgetExpiredTokens,
  maxAssistantTokens,
  recordUse,
} from '../../src/workspaces/assistant-tokens.ts';
import { createAuditLog } from '../../src/workspaces/audit.ts';
import { direct } from '../support/statements/direct.ts';
import { engines } from '../support/store-engines.ts';
import { useStore } from '../support/use-store.ts';

const start = Date.parse('2026-11-23T09:00:00Z');
const dayMs = 24 * 3_600_000;
const month = { scope: 'read', lifetimeMs: 30 * dayMs } as const;
/** The audit log follows the domain clock. */
const domainNow = new Date('2027-02-03T00:00:00Z');

describe.each(engines)('tokens for assistants, $engine', ({ open }) => {
  const store = useStore(open);
  let realMs = start;
  beforeEach(async () => {
    realMs = start;
    const { db } = store.database;
    await db.deleteFrom('workspaces').execute();
    for (const id of ['T1', 'T2'])
      await db.insertInto('workspaces').values({ id, name: id, created_at: domainNow }).execute();
  });

  let ids = 0;
  const tokensOf = (workspaceId: string, { db } = store.database) =>
    createAssistantTokenStore({
      ...{ store: storeOf(db, workspaceId) },
      now: () => domainNow,
      realNow: () => realMs,
      newId: () => `id-${++ids}`,
    });
  const find = (token: string) => findAssistantToken(store.database.db, token, new Date(realMs));
  const auditOf = async (workspaceId: string) => {
    const { changes } = await createAuditLog(storeOf(store.database.db, workspaceId)).list({}, { limit: 99 });
    return changes.map(({ id: _, ...entry }) => entry);
  };
  const allRows = async () => {
    const db = direct(store.database.db);
    return [
      ...(await db.selectFrom('assistant_tokens').selectAll().execute()),
      ...(await db.selectFrom('audit').selectAll().execute()),
    ];
  };

  it('are found by what was shown once, of which only the hash is stored', async () => {
    const tokens = tokensOf('T1');
    const { token, ...shown } = await tokens.create({ ...month, label: 'Desktop' }, 'U1');
    expect(token).toMatch(/^lf_[\w-]{43}$/);
    const other = await tokensOf('T2').create({ ...month, label: 'Script', scope: 'write' }, 'U2');
    expect(await find(token)).toEqual({ id: shown.id, workspaceId: 'T1', personId: 'U1', scope: 'read' });
    expect(await find(other.token)).toEqual({
      ...{ id: other.id, workspaceId: 'T2', personId: 'U2', scope: 'write' },
    });
    expect(await tokens.list()).toEqual([shown]);
    expect(shown).toEqual({
      ...{ id: shown.id, label: 'Desktop', scope: 'read', personId: 'U1', lastUsedAt: undefined },
      ...{ createdAt: new Date(start), expiresAt: new Date(start + 30 * dayMs) },
    });
    const stored = JSON.stringify(await allRows());
    expect(stored).not.toContain(token.slice(3));
    expect(stored).toContain(createHash('sha256').update(token).digest('hex'));
  });

  it('that were never made are not found', async () => {
    const { token } = await tokensOf('T1').create({ ...month, label: 'Desktop' }, 'U1');
    const hash = createHash('sha256').update(token).digest('hex');
    for (const forged of ['', 'lf_', hash, `${token} `, `${token}x`, token.toLowerCase(), token.slice(3)])
      expect(await find(forged)).toBeUndefined();
    expect(await find(`lf_${'A'.repeat(43)}`)).toBeUndefined();
  });

  it('expire by the real clock, and are deleted 30 days later', async () => {
    const tokens = tokensOf('T1');
    const made = await tokens.create({ ...month, label: 'Desktop' }, 'U1');
    await tokens.create({ ...month, label: 'Later', lifetimeMs: 31 * dayMs }, 'U1');
    const labels = async () => (await tokens.list()).map(({ label }) => label).sort();
    realMs = start + 30 * dayMs - 1;
    expect(await find(made.token)).toBeDefined();
    expect(tokens.isExpired(made)).toBe(false);
    realMs += 1;
    expect(await find(made.token)).toBeUndefined();
    expect(tokens.isExpired(made)).toBe(true);
    realMs = start + 60 * dayMs;
    await forgetExpiredTokens(store.database.db, new Date(realMs));
    expect(await labels()).toEqual(['Desktop', 'Later']);
    realMs += 1;
    await forgetExpiredTokens(store.database.db, new Date(realMs));
    expect(await labels()).toEqual(['Later']);
  });

  it('are revoked at once, only in their workspace, and only once', async () => {
    const tokens = tokensOf('T1');
    const { id, token } = await tokens.create({ ...month, label: 'Desktop' }, 'U1');
    expect(await tokensOf('T2').revoke(id, 'U2')).toBeUndefined();
    expect(await find(token)).toBeDefined();
    expect(await tokens.revoke(id, 'U2')).toMatchObject({ label: 'Desktop' });
    expect(await find(token)).toBeUndefined();
    expect(await tokens.revoke(id, 'U2')).toBeUndefined();
    expect(await auditOf('T2')).toEqual([]);
    const common = { at: domainNow, subject: 'Desktop' };
    const values = { scope: 'read', expires: '2026-12-23' };
    expect(await auditOf('T1')).toEqual(
      expect.arrayContaining([
        { ...common, actorId: 'U1', action: 'token.create', after: values },
        { ...common, actorId: 'U2', action: 'token.revoke', before: { ...values, personId: 'U1' } },
      ]),
    );
  });

  it('made again by a repeated request replace the first one, and count as one change', async () => {
    const tokens = tokensOf('T1');
    const first = await tokens.create({ ...month, id: 'form-1', label: 'Desktop' }, 'U1');
    const second = await tokens.create({ ...month, id: 'form-1', label: 'Desktop' }, 'U1');
    expect(await find(first.token)).toBeUndefined();
    expect(await find(second.token)).toMatchObject({ id: 'form-1' });
    expect(await auditOf('T1')).toHaveLength(1);
    // An id says nothing about who may replace it.
    await expect(tokens.create({ ...month, id: 'form-1', label: 'Mine' }, 'U2')).rejects.toThrow();
    expect(await find(second.token)).toMatchObject({ personId: 'U1' });
    // Ids are the workspace's own.
    await tokensOf('T2').create({ ...month, id: 'form-1', label: 'Desktop' }, 'U1');
    expect(await find(second.token)).toMatchObject({ workspaceId: 'T1' });
  });

  it('are at most 20 that are valid, also if several are made at once', async () => {
    const another = await store.another();
    const make = async (index: number) => {
      const tokens = tokensOf('T1', index % 2 === 0 ? store.database : another);
      return await tokens.create({ ...month, label: `Number ${index}` }, 'U1');
    };
    const made = await Promise.allSettled(Array.from({ length: maxAssistantTokens + 3 }, (_, i) => make(i)));
    const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toMatchObject(
      Array(3).fill({
        message: "This workspace already has 20 tokens, and can't have more. None was created.",
        hint: 'Revoke one that nobody uses.',
        example: 'landfall assistants',
      }),
    );
    expect(await tokensOf('T1').list()).toHaveLength(maxAssistantTokens);
    expect(await auditOf('T1')).toHaveLength(maxAssistantTokens);
    await tokensOf('T2').create({ ...month, label: 'Desktop' }, 'U1');
    // Expired ones don't count.
    realMs += 30 * dayMs;
    await make(99);
    expect(await tokensOf('T1').list()).toHaveLength(maxAssistantTokens + 1);
  });

  it('remember their last use, written at most once a minute', async () => {
    const tokens = tokensOf('T1');
    const { token } = await tokens.create({ ...month, label: 'Desktop' }, 'U1');
    await tokens.create({ ...month, label: 'Another' }, 'U1');
    const found = await find(token);
    if (!found) throw new Error('not found');
    const useAfter = async (ms: number) => {
      realMs = start + ms;
      await recordUse(storeOf(store.database.db, found.workspaceId), found.id, new Date(realMs));
      return (await tokens.list()).map(({ lastUsedAt }) => lastUsedAt && lastUsedAt.getTime() - start);
    };
    expect(await useAfter(5_000)).toEqual(expect.arrayContaining([5_000, undefined]));
    expect(await useAfter(64_999)).toContain(5_000);
    expect(await useAfter(65_000)).toContain(65_000);
    await recordUse(storeOf(store.database.db, 'T2'), found.id, new Date(start + dayMs));
    expect(await useAfter(65_001)).toContain(65_000);
  });

  it('of a scope that this version does not know may only ask', async () => {
    const { id, token } = await tokensOf('T1').create({ ...month, label: 'Desktop' }, 'U1');
    await direct(store.database.db)
      .updateTable('assistant_tokens')
      .set({ scope: 'everything' })
      .where('id', '=', id)
      .execute();
    expect(await find(token)).toMatchObject({ scope: 'read' });
  });
});

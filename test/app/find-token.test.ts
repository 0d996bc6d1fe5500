import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { assistantLimit, createFindToken, unknownTokenLimit } from '../../src/app/assistants.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { createAssistantTokenStore } from '../../src/workspaces/assistant-tokens.ts';
import { aroundStatements } from '../support/fail-after.ts';
import { openSqlite, workspaceId } from '../support/store-engines.ts';
import { useWorkspace } from '../support/use-store.ts';

const start = Date.parse('2026-11-23T09:00:00Z');
const tooMany = {
  code: 'too-busy',
  message: 'This assistant sends too many requests.',
  hint: 'Try again in 5 seconds.',
};
const madeUp = (index: number) => `lf_${String(index).padStart(43, 'x')}`;

describe('the token of a request', () => {
  const store = useWorkspace(openSqlite);
  let realMs: number;
  let statements: number;
  let find: ReturnType<typeof createFindToken>;
  let tokens: ReturnType<typeof createAssistantTokenStore>;
  let token: string;
  let id: string;

  beforeEach(async () => {
    realMs = start;
    statements = 0;
    const { db } = store.database;
    const realNow = () => realMs;
    tokens = createAssistantTokenStore({
      ...{ store: storeOf(db, workspaceId), realNow },
      now: () => new Date(start),
      newId: randomUUID,
    });
    const month = { scope: 'read', lifetimeMs: 30 * 24 * 3_600_000 } as const;
    ({ token, id } = await tokens.create({ ...month, label: 'Desktop' }, 'U1'));
    const counting = aroundStatements({
      before() {
        statements += 1;
      },
    });
    find = createFindToken({ db: db.withPlugin(counting), realNow });
  });

  test('is found as often as an assistant needs, and then refused without the store until time has passed', async () => {
    for (let asked = 0; asked <= assistantLimit.max; asked += 1)
      expect(await find(token)).toMatchObject({ workspaceId, personId: 'U1' });
    const before = statements;
    await expect(find(token)).rejects.toMatchObject(tooMany);
    expect(statements).toBe(before);
    realMs += 5_000;
    for (let asked = 0; asked < (assistantLimit.perMinute * 5) / 60; asked += 1)
      expect(await find(token)).toMatchObject({ personId: 'U1' });
    await expect(find(token)).rejects.toMatchObject(tooMany);
  });

  test('is looked up only if it has the shape of one', async () => {
    for (let asked = 0; asked < 1_000; asked += 1) expect(await find(`lf_${asked}`)).toBeUndefined();
    expect(statements).toBe(0);
  });

  test('is found while strangers make up tokens, of which only some are looked up', async () => {
    expect(await find(token)).toBeDefined();
    const before = statements;
    for (let asked = 0; asked < unknownTokenLimit.max - 1; asked += 1)
      expect(await find(madeUp(asked))).toBeUndefined();
    for (let asked = 0; asked < 500; asked += 1)
      await expect(find(madeUp(1_000 + asked))).rejects.toMatchObject(tooMany);
    expect(statements - before).toBe(unknownTokenLimit.max - 1);
    expect(await find(token)).toBeDefined();
    realMs += 5_000;
    expect(await find(madeUp(2_000))).toBeUndefined();
  });

  test('is refused at once when it has been revoked, and counts as made up from then on', async () => {
    expect(await find(token)).toBeDefined();
    await tokens.revoke(id, 'U1');
    for (let asked = 0; asked < unknownTokenLimit.max; asked += 1) expect(await find(token)).toBeUndefined();
    await expect(find(token)).rejects.toMatchObject(tooMany);
  });
});

import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { FieldErrors } from '../../../src/answers/fields.ts';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { revoke, tokenForm } from '../../../src/features/assistants/index.ts';
import type { WorkCtx } from '../../../src/features/ctx.ts';
import { createAuditedTransaction } from '../../../src/workspaces/audit.ts';
import { lineOf } from '../../support/answer-message.ts';
import { runContext } from '../../support/run-command.ts';
import { direct } from '../../support/statements/direct.ts';
import { openSqlite, seedWorkspace, workspaceId } from '../../support/store-engines.ts';
import { useStore } from '../../support/use-store.ts';
import { now, reader } from '../../support/view-fixtures.ts';

const store = useStore(openSqlite);
let isAdmin: boolean;
let asked: boolean[];
beforeAll(() => seedWorkspace(store.database));
beforeEach(async () => {
  isAdmin = true;
  asked = [];
  await direct(store.database.db).deleteFrom('assistant_tokens').execute();
});

let ids = 0;
const ctxOf = () => {
  const own = storeOf(store.database.db, workspaceId);
  const services = {
    ...{ store: own, audited: createAuditedTransaction(own), assistantsUrl: undefined },
    slack: {
      async personOf(_: string, options?: { fresh: boolean }) {
        asked.push(options?.fresh ?? false);
        return { isAdmin };
      },
    },
    ...{ now: () => now, realNow: () => now.getTime(), newId: () => `id-${++ids}` },
  };
  // The feature needs nothing else.
  return { services, registry: { lineOf } } as unknown as WorkCtx;
};

const contextOf = (actorIsAdmin: boolean) => ({
  ...runContext(ctxOf()),
  actor: { userId: 'U1', isAdmin: actorIsAdmin, zone: 'UTC' },
});
const filled = (values: Record<string, string>) => ({
  target: {},
  memo: undefined,
  values: { text: (field: string) => values[field] ?? '', ticked: () => [] },
});
const valid = { label: 'Laptop', scope: 'read', lifetime: '30d' };
const submit = (values: Record<string, string>, actorIsAdmin = true) =>
  tokenForm.submit(filled(values), contextOf(actorIsAdmin));
const rows = () => direct(store.database.db).selectFrom('assistant_tokens').selectAll().execute();

test.each([
  [
    'a scope that does not exist',
    { ...valid, scope: 'admin' },
    { scope: 'Choose what the assistant may do.' },
  ],
  [
    'a token that never expires',
    { ...valid, lifetime: '100y' },
    { lifetimeMs: 'Choose when the token expires.' },
  ],
  [
    'a name of every object',
    { ...valid, lifetime: 'constructor' },
    { lifetimeMs: 'Choose when the token expires.' },
  ],
  ['a long label', { ...valid, label: 'x'.repeat(61) }, { label: 'Use at most 60 characters.' }],
])('a forged form with %s creates nothing', async (_, values, fields) => {
  const error = await submit(values).then(
    () => undefined,
    (thrown: FieldErrors) => thrown.fields,
  );
  expect(error).toEqual(fields);
  expect(await rows()).toEqual([]);
});

test('nobody but an admin opens or submits the form, or revokes a token', async () => {
  await submit(valid);
  const [token] = await rows();
  const only = { code: 'not-allowed', message: expect.stringContaining('Only workspace admins can') };
  await expect(tokenForm.open({}, contextOf(false), reader)).rejects.toMatchObject(only);
  await expect(submit(valid, false)).rejects.toMatchObject(only);
  const context = { ...contextOf(false), openForm: notUsed, openMessage: notUsed, runDue: notUsed };
  await expect(revoke.run(token?.id ?? '', context)).rejects.toMatchObject(only);
  // Slack says that the role is gone; what was known before says otherwise.
  isAdmin = false;
  await expect(submit(valid)).rejects.toMatchObject(only);
  const asAdmin = { ...context, ...contextOf(true) };
  await expect(revoke.run(token?.id ?? '', asAdmin)).rejects.toMatchObject(only);
  expect(asked).toEqual([true, true, true]);
  expect(await rows()).toEqual([token]);
});

test('nothing is created once the person has been answered that it failed', async () => {
  const late = { ...contextOf(true), signal: AbortSignal.abort(new Error('too late')) };
  await expect(tokenForm.submit(filled(valid), late)).rejects.toThrow('too late');
  expect(await rows()).toEqual([]);
});

test('a form that is submitted again replaces the token that nobody saw', async () => {
  const context = { ...contextOf(true), idempotencyKey: 'form-7' };
  for (const label of ['First', 'Second']) await tokenForm.submit(filled({ ...valid, label }), context);
  expect(await rows()).toMatchObject([{ id: 'form-7', label: 'Second' }]);
});

test('what is sent without a window names the token, and does not hold it', async () => {
  const answer = await submit(valid);
  const shown = JSON.stringify(answer?.view(reader).blocks);
  expect(shown).toMatch(/lf_[\w-]{43}/);
  expect(shown).toContain('followed by `/mcp`');
  expect(answer?.view(reader).text).not.toContain('lf_');
  expect(JSON.stringify(answer?.withoutWindow)).toContain('The token “Laptop” was created');
  expect(JSON.stringify(answer?.withoutWindow)).not.toContain('lf_');
});

async function notUsed(): Promise<never> {
  throw new Error('not used');
}

import { beforeAll, describe, expect, it } from 'vitest';
import type { AskCtx } from '../../../src/features/ctx.ts';
import { readOwn, readWorkspace, toFile } from '../../../src/features/stored-data/read-stored.ts';
import { forgettingCtx } from '../../support/forgetting.ts';
import { fillWithPerson, secretMark } from '../../support/person-rows.ts';
import { direct } from '../../support/statements/direct.ts';
import { engines, seedWorkspace, workspaceId } from '../../support/store-engines.ts';
import { useStore } from '../../support/use-store.ts';

const [person, dm, other] = ['U0AAA', 'D0AAA', 'U0OTHER'];

describe.each(engines)('an export, $engine', ({ open }) => {
  const store = useStore(open);
  beforeAll(async () => {
    const { db } = store.database;
    await seedWorkspace(store.database);
    await direct(db).deleteFrom('workspaces').execute();
    await fillWithPerson(store.database, { person, owner: person, row: 0 });
    await fillWithPerson(store.database, { person: dm, owner: dm, row: 1 });
    await fillWithPerson(store.database, { person: other, owner: other, row: 2 });
    await fillWithPerson(store.database, { person: other, owner: 'C0SEEN', row: 3 });
    await direct(db).updateTable('promises').set({ watch_id: null }).where('id', '=', 'promises 3').execute();
  });
  const ctx = (): AskCtx => {
    const own = forgettingCtx(store.database.db, { dms: { [person]: dm }, joined: ['C0SEEN'] });
    return { ...own, actor: { userId: person } } as unknown as AskCtx; // reading needs nothing else
  };
  const rowsOf = (text: string, table: string): Record<string, unknown>[] => JSON.parse(text)[table] ?? [];

  it('of a person has all rows that name them, and nothing of others', async () => {
    const text = toFile(await readOwn(ctx()), { of: 'person' });
    const { counts } = JSON.parse(text);
    expect(Object.keys(counts).sort()).toEqual([
      ...['accounts', 'alerts', 'assistant_tokens', 'audit', 'channels', 'digest_numbers', 'digests'],
      ...['fleet_vessels', 'fleets', 'followings', 'imports', 'installations', 'outbox', 'port_groups'],
      ...[
        'promises',
        'subjects',
        'vessel_names',
        'vessel_references',
        'watched_times',
        'watches',
        'workspaces',
      ],
    ]);
    expect(rowsOf(text, 'watches').map(({ id }) => id)).toEqual(['watches 1', 'watches 0']);
    expect(text).not.toContain(other);
    expect(text).not.toContain(secretMark);
  });

  it('of a workspace has the contents only of what the admin may see, and counts of all', async () => {
    const text = toFile(await readWorkspace(ctx()), { of: 'workspace' });
    const { counts } = JSON.parse(text);
    expect(counts).toMatchObject({ watches: 4, digests: 4, history: 4, vessel_names: 4, workspaces: 1 });
    const ids = (table: string) => rowsOf(text, table).map(({ id }) => id);
    // Somebody else's are the third of each.
    expect(ids('watches')).toEqual(['watches 3', 'watches 1', 'watches 0']);
    expect(ids('digests')).toEqual(['digests 3', 'digests 1', 'digests 0']);
    expect(ids('alerts')).toEqual(['alerts 3', 'alerts 1', 'alerts 0']);
    expect(ids('audit')).toEqual(['audit 3', 'audit 1', 'audit 0']);
    expect(ids('imports')).toEqual(['imports 1', 'imports 0']);
    expect(rowsOf(text, 'history')).toEqual([]);
    expect(text).not.toContain(secretMark);
  });

  it('of a workspace names nothing of private channels and direct messages of others', async () => {
    const { db } = store.database;
    const hidden = { title: 'U0HIDDEN', desk: 'C0PRIVATE', dm: 'D0HIDDEN' };
    const tables = [
      ...(['channels', 'audit', 'watched_times', 'subjects', 'watches', 'promises', 'followings'] as const),
      ...(['alerts', 'digests', 'digest_numbers', 'outbox', 'imports'] as const),
    ];
    for (const [owner, row] of [
      [hidden.desk, 4],
      [hidden.dm, 5],
    ] as const)
      await fillWithPerson(store.database, { person: hidden.title, owner, row, tables });
    const rows = direct(db);
    await rows.updateTable('audit').set({ is_personal: false }).where('id', '=', 'audit 4').execute();
    await rows
      .updateTable('promises')
      .set({ watch_id: null, reference: 'BK-1', port: 'NLRTM' })
      .where('id', 'in', ['promises 4', 'promises 5'])
      .execute();
    const entry = { workspace_id: workspaceId, at: new Date(0), actor_id: person, subject: 'CYPRESS' };
    await db
      .insertInto('audit')
      .values({ ...entry, id: 'of all', action: 'name.set' })
      .execute();
    const calls = { workspace_id: workspaceId, month: '2026-11', calls: 7 };
    await db
      .insertInto('call_details')
      .values([
        { ...calls, kind: 'command', key: 'nextport', channel_id: '' },
        { ...calls, kind: 'command', key: 'lane', channel_id: 'C0SEEN' },
        { ...calls, kind: 'command', key: 'usage', channel_id: hidden.desk },
        { ...calls, kind: 'digest', key: hidden.title, channel_id: '' },
        { ...calls, kind: 'watch', key: hidden.title, channel_id: '' },
        { ...calls, kind: 'watch', key: hidden.title, channel_id: hidden.desk },
        { ...calls, kind: 'watch', key: 'imo:1', channel_id: `C0SEEN,${hidden.desk}` },
      ])
      .execute();
    const text = toFile(await readWorkspace(ctx()), {});
    for (const secret of Object.values(hidden)) expect(text).not.toContain(secret);
    const keys = rowsOf(text, 'call_details').map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(['nextport', 'lane']));
    expect(keys).not.toContain('imo:1');
    expect(rowsOf(text, 'audit').map(({ id }) => id)).toContain('of all');
    expect(rowsOf(text, 'promises')).toContainEqual(
      expect.objectContaining({ id: 'promises 5', reference: 'BK-1', owner_id: null, channel_id: null }),
    );
    expect(rowsOf(text, 'promises')).toContainEqual(
      expect.objectContaining({ id: 'promises 3', channel_id: 'C0SEEN' }),
    );
  });

  it('never has a column that may be a secret', async () => {
    const text = toFile(await readWorkspace(ctx()), {});
    const columns = Object.values<unknown>(JSON.parse(text)).flatMap((rows) =>
      Array.isArray(rows) ? rows.flatMap((row: object) => Object.keys(row)) : [],
    );
    expect(columns.filter((column) => /seal|hash|token|secret|password|login|lease/.test(column))).toEqual([
      // When it expires, not what it is.
      'token_expires_at',
    ]);
  });

  it('says so if it has not all rows', async () => {
    const { db } = store.database;
    const rows = Array.from({ length: 10_001 }, (_, index) => ({
      ...{ workspace_id: workspaceId, imo: 1_000_000 + index, name: 'X', updated_by: other },
      updated_at: new Date(0),
    }));
    for (let from = 0; from < rows.length; from += 1_000)
      await db
        .insertInto('vessel_names')
        .values(rows.slice(from, from + 1_000))
        .execute();
    const text = toFile(await readWorkspace(ctx()), {});
    expect(rowsOf(text, 'vessel_names')).toHaveLength(10_000);
    expect(JSON.parse(text)).toMatchObject({ about: { isCut: true }, counts: { vessel_names: 10_005 } });
  });
});

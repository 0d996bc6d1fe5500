import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { operateWorkspaces, UsageError } from '../../../src/app/operator/operate-workspaces.ts';
import { createConfig } from '../../../src/config/config.ts';
import { connectDatabase, type Database } from '../../../src/database/connect.ts';
import { fullMessageOf } from '../../../src/errors.ts';
import { silentLogger } from '../../../src/log.ts';
import { ada, ops } from '../../support/bot.ts';
import { createTestDatabase } from '../../support/create-test-database.ts';
import { countRows, fillEveryTable } from '../../support/every-table.ts';
import { runScript } from '../../support/run-script.ts';
import { useBot } from '../../support/use-bot.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { untilTestEnds } from '../../support/use-started.ts';

const encryptionKey = 'c2VjcmV0LWVuY3J5cHRpb24ta2V5LTAxMjM0NTY3ODk=';

let home: string;
beforeEach(async () => {
  home = await useDirectory();
});
type Settings = Record<string, string>;

interface Ran {
  code: unknown;
  output: string;
  errors: string;
}

/** The command in this process, which is quicker; `typed` is what it can read. See src/workspaces.ts. */
async function workspaces(
  settings: Settings,
  args: string[],
  { typed = '', now = new Date() } = {},
): Promise<Ran> {
  let errors = '';
  try {
    const { text, isRefused } = await operateWorkspaces(args, {
      readConfig: () => createConfig(settings),
      async ask(question) {
        errors += question;
        return typed === '' ? undefined : typed.trimEnd();
      },
      now,
      logger: silentLogger,
    });
    return isRefused
      ? { code: 1, output: '', errors: `${errors}${text}\n` }
      : { code: 0, output: `${text}\n`, errors };
  } catch (error) {
    const isUsage = error instanceof UsageError;
    return {
      code: isUsage ? 2 : 1,
      output: '',
      errors: `${isUsage ? error.message : fullMessageOf(error)}\n`,
    };
  }
}

/** `npm run workspaces`, as a process of its own. */
async function workspacesProcess(settings: Settings, args: string[], { typed = '' } = {}): Promise<Ran> {
  const { child, ended } = runScript('workspaces', args, settings);
  child.stdin.end(typed);
  const { code, stdout: output, stderr: errors } = await ended;
  return { code, output, errors };
}

const settingsOf: Record<string, () => Promise<Settings>> = {
  sqlite: async () => ({ LANDFALL_DATA_DIR: home }),
  postgres: async () => ({
    LANDFALL_DATA_DIR: home,
    DATABASE_URL: await createTestDatabase('empty'),
    LANDFALL_ENCRYPTION_KEY: encryptionKey,
  }),
};

/** The store that the playground's bot would use. */
async function openStore({ LANDFALL_DATA_DIR = '', DATABASE_URL: url }: Settings): Promise<Database> {
  const database = untilTestEnds(
    await connectDatabase({
      url,
      dataDir: join(LANDFALL_DATA_DIR, 'playground'),
      logger: silentLogger,
    }),
  );
  return database;
}

describe.each(Object.entries(settingsOf))('npm run workspaces, %s', (engine, createSettings) => {
  let settings: Settings;
  const run = engine === 'sqlite' ? workspacesProcess : workspaces;
  beforeEach(async () => {
    settings = await createSettings();
  });

  test('lists and pauses beside a running bot, which notices within a second', async () => {
    const bot = await useBot('http', { env: settings });
    const { id } = bot.playground.world.team;
    await bot.say(ada, ops, '/watch 9461477', { match: ({ ephemeralTo }) => ephemeralTo === ada });
    await bot.say(ada, ops, '/digest add weekdays 08:00: usage');
    bot.advance(60_000);
    await bot.runDue();
    const listed = await run(settings, ['--json']);
    expect(listed).toMatchObject({ code: 0, errors: '' });
    const parsed: unknown = JSON.parse(listed.output);
    expect(parsed).toEqual([
      {
        id,
        name: 'Harbour & Co',
        organisation: null,
        installedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        lastUsedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        watches: 1,
        digests: 1,
        callsToday: expect.any(Number),
        account: { kind: 'operators', isRefused: false },
        state: 'active',
        pausedAt: null,
      },
    ]);
    // The process has another day than the bot.
    const { output: counted } = await workspaces(settings, ['--json'], { now: bot.realNow() });
    const { total, logins } = bot.sandbox.requests;
    expect(JSON.parse(counted)).toMatchObject([{ callsToday: total - logins }]);
    const table = await workspaces(settings, []);
    expect(table.output).toMatch(/^ID +NAME +ORGANISATION .* STATE\n\S+ +Harbour & Co +- .* active\n/);
    for (const secret of [
      bot.playground.botToken,
      bot.playground.signingSecret,
      ...Object.values(bot.sandbox.credentials),
    ])
      expect(listed.output + table.output).not.toContain(secret);

    expect(await workspaces(settings, ['pause', id])).toMatchObject({
      code: 0,
      output: expect.stringContaining(`Harbour & Co (${id}) is paused`),
    });
    bot.advance(1_001);
    expect((await bot.say(ada, ops, '/nextport 9461477')).text).toContain(
      'Landfall is paused in this workspace',
    );
    expect((await workspaces(settings, ['list'])).output).toMatch(/paused since \d{4}-\d\d-\d\d \d\d:\d\d\n/);
    expect((await workspaces(settings, ['pause', id])).output).toContain('is paused already, since');
    expect((await workspaces(settings, ['resume', id])).output).toContain('goes on');
    bot.advance(1_001);
    expect((await bot.say(ada, ops, '/nextport 9461477')).text).toMatch(/^DS CYPRESS [→·] /);
    expect((await workspaces(settings, ['resume', id])).output).toContain('is not paused');
  });

  test('removes a workspace after its name was typed, and no other', async () => {
    const { db } = await openStore(settings);
    for (const workspaceId of ['T1', 'T2']) {
      // More than are deleted at once.
      await fillEveryTable({ db }, { workspaceId, rows: workspaceId === 'T1' ? 201 : 20 });
      await db
        .updateTable('workspaces')
        .set({ name: `Team ${workspaceId}`, paused_at: null })
        .where('id', '=', workspaceId)
        .execute();
    }
    const [before, others] = [await countRows(db, 'T1'), await countRows(db, 'T2')];
    for (const typed of ['', 'no\n', 'team t1\n']) {
      const refused = await workspaces(settings, ['remove', 'T1'], { typed });
      expect(refused).toMatchObject({ code: 1, output: '' });
      expect(refused.errors).toContain('Type Team T1 to go on: ');
      expect(refused.errors).toContain('Nothing was removed');
    }
    expect(await countRows(db, 'T1')).toEqual(before);
    expect(await run(settings, ['remove', 'T1'], { typed: 'Team T1\n' })).toMatchObject({
      code: 0,
      output: expect.stringContaining('Team T1 (T1) is removed, with all its data.'),
    });
    expect(Object.values(await countRows(db, 'T1')).every((rows) => rows === 0)).toBe(true);
    expect(await countRows(db, 'T2')).toEqual(others);
  });

  test('a removal that was cut off shows, can be taken up again, and cannot be undone', async () => {
    const { db } = await openStore(settings);
    await fillEveryTable({ db }, { workspaceId: 'T1' });
    const at = new Date('2026-11-22T09:00:00Z');
    await db.updateTable('workspaces').set({ uninstalled_at: at, name: '\u001b[2J' }).execute();
    expect((await workspaces(settings, [])).output).toMatch(/^T1 +\[2J .* being removed$/m);
    for (const verb of ['pause', 'resume'])
      expect(await workspaces(settings, [verb, 'T1'])).toMatchObject({
        code: 1,
        errors: expect.stringContaining("is being removed, which can't be undone"),
      });
    expect(await workspaces(settings, ['remove', 'T1'])).toMatchObject({ code: 0 });
    expect((await workspaces(settings, [])).output).toBe('No workspace uses Landfall yet.\n');
  });
});

describe('npm run workspaces', () => {
  const run = (...args: string[]) => workspaces({ LANDFALL_DATA_DIR: home }, args);

  test('says what was typed wrong, and what to type', async () => {
    const { db } = await openStore({ LANDFALL_DATA_DIR: home });
    const created = { created_at: new Date(0) };
    await db
      .insertInto('workspaces')
      .values([
        { id: 'T024BE7LH', name: 'Harbour & Co', ...created },
        { id: 'T0ACME0001', name: 'Acme', ...created },
      ])
      .execute();
    expect(await workspacesProcess({ LANDFALL_DATA_DIR: home }, ['pause', 'T024BE7LX'])).toEqual({
      code: 2,
      output: '',
      errors:
        'There is no workspace T024BE7LX. Did you mean Harbour & Co (T024BE7LH)? npm run workspaces -- pause T024BE7LH\n',
    });
    expect((await run('remove', 'acme', '--yes')).errors).toContain('Did you mean Acme (T0ACME0001)?');
    expect((await run('resume', 'somebody')).errors).toBe(
      'There is no workspace somebody. npm run workspaces lists the ids. Example: npm run workspaces -- resume T024BE7LH\n',
    );
    expect((await run('pause')).errors).toBe(
      'Name one workspace by its id. Example: npm run workspaces -- pause T024BE7LH\n',
    );
    for (const [args, text] of [
      [['puase', 'T1'], 'There is no command puase. Did you mean pause?'],
      [['constructor', 'T1'], 'There is no command constructor.'],
      [['list', 'T1'], 'T1 is one word too many.'],
      [['--jason'], "Unknown option '--jason'"],
    ] as const)
      expect(await run(...args)).toMatchObject({
        code: 2,
        output: '',
        errors: expect.stringContaining(text),
      });
    expect(await db.selectFrom('workspaces').select('id').execute()).toHaveLength(2);
  });

  test.each([
    ['help'],
    ['--help'],
    ['pause', '-h'],
  ])('%s shows the commands, without a store', async (...args) => {
    expect(await run(...args)).toMatchObject({
      code: 0,
      errors: '',
      output: expect.stringContaining('pause ID'),
    });
  });

  test('says why there is nothing to list', async () => {
    expect(await run()).toEqual({
      code: 1,
      output: '',
      errors: `There is no store in ${join(home, 'playground')}\n`,
    });
    const settings = await (settingsOf.postgres as () => Promise<Settings>)();
    expect(await workspaces(settings, [])).toMatchObject({
      code: 1,
      errors: 'The store has no tables yet: start Landfall first\n',
    });
    expect(await workspacesProcess({ LANDFALL_DATA_DIR: home, PORT: 'many' }, [])).toMatchObject({ code: 2 });
  });
});

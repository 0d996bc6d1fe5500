import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { forgottenPerson } from '../../../src/answers/text.ts';
import { forgetPerson, forgetWorkspace } from '../../../src/features/stored-data/forget.ts';
import { contentOf, countRows, fillEveryTable } from '../../support/every-table.ts';
import { failAfter } from '../../support/fail-after.ts';
import { forgettingCtx, now } from '../../support/forgetting.ts';
import { columnsWith, fillWithPerson } from '../../support/person-rows.ts';
import { direct } from '../../support/statements/direct.ts';
import { engines, seedWorkspace, workspaceId } from '../../support/store-engines.ts';
import { useEmptyStore } from '../../support/use-store.ts';

const [person, dm] = ['U0AAA', 'D0AAA'];
/** Another person, whose id begins with theirs. */
const other = 'U0AAA2';

/** Columns of text that never hold a person's id, by why. */
const harmless: Record<string, readonly string[]> = {
  'what people or the service typed': [
    ...['name', 'title', 'label', 'subject', 'reference', 'content', 'references', 'port', 'ports', 'zone'],
    ...['fleet', 'port_group', 'previous_port'],
  ],
  'one of a few words': [
    ...[
      'kind',
      'status',
      'mode',
      'visibility',
      'who_may_add',
      'destination',
      'action',
      'scope',
      'guests',
      'links',
    ],
    ...['pause_reason', 'error', 'month', 'day'],
  ],
  'an id or a time of ours or of Slack': [
    ...[
      'id',
      'key',
      'list',
      'message_id',
      'edit_key',
      'thread_key',
      'goes_before',
      'card_ts',
      'ts',
      'address',
    ],
    ...['bot_user_id', 'bot_id', 'app_id', 'team_id', 'enterprise_id', 'service_address'],
  ],
  'JSON about vessels, ports and times': [
    ...['rules', 'snooze', 'condition', 'state', 'events', 'predictions', 'readings', 'open_calls', 'lines'],
    ...['schedule', 'baseline', 'missed', 'scopes', 'budget_alarm'],
  ],
};

/** Direct messages have no settings, and calls there are counted without a channel. */
const onlyChannels = ['channels.channel_id', 'call_details.channel_id'];

describe.each(engines)('forgetting, $engine', ({ open }) => {
  const store = useEmptyStore(open);
  const by = { actorId: person, now };
  const forget = (db = store.database.db, entryId = 'entry', actorId = person) =>
    forgetPerson(
      person,
      { entryId, by: { ...by, actorId }, mayGoOn: () => true },
      forgettingCtx(db, { dms: { [person]: dm } }),
    );
  const isHarmless = (hit: string) =>
    onlyChannels.includes(hit) ||
    Object.values(harmless)
      .flat()
      .includes(hit.split('.')[1] ?? '');
  const hitsOf = async (id: string) =>
    (await columnsWith(store.database, id)).filter((hit) => !isHarmless(hit));
  const hits = () => hitsOf(person);

  describe('a person', () => {
    beforeEach(async () => {
      await seedWorkspace(store.database);
      await direct(store.database.db).deleteFrom('accounts').execute();
      await direct(store.database.db).deleteFrom('workspaces').execute();
      // All of the rows are theirs; those of their direct message; those of others that name them.
      for (const [row, owner] of [person, dm, other].entries())
        await fillWithPerson(store.database, { person, owner, row });
    });

    it('leaves their id in no column, however often the process dies', async () => {
      expect((await hits()).length).toBeGreaterThan(20);
      const { db } = store.database;
      let crashes = 0;
      for (const statements of [2, 5, 9, 14, 20, 27, 35, 44])
        await forget(db.withPlugin(failAfter(statements))).catch(() => {
          crashes += 1;
        });
      expect(crashes).toBeGreaterThan(4);
      expect(await forget()).toBe(true);
      expect(await hits()).toEqual([]);
      expect(await hitsOf(dm)).toEqual([]);
      const entries = direct(db).selectFrom('audit').selectAll().where('action', '=', 'person.forget');
      expect(await entries.execute()).toMatchObject([{ id: 'entry', actor_id: forgottenPerson }]);
    });

    it('changes nothing that only others are named in', async () => {
      const { db } = store.database;
      const ofOthers = async () =>
        Object.entries(await contentOf(db)).flatMap(([table, rows]) =>
          rows.filter((row) => row.includes(`"${other}x"`)).map((row) => `${table} ${row}`),
        );
      await fillWithPerson(store.database, { person: `${other}x`, owner: `${other}x`, row: 7 });
      const before = await ofOthers();
      expect(before.length).toBeGreaterThan(15);
      await forget();
      expect(await ofOthers()).toEqual(before);
    });

    it('names the admin who forgets somebody else', async () => {
      await forget(store.database.db, 'entry', 'U0ADMIN');
      const query = direct(store.database.db).selectFrom('audit').selectAll();
      expect(await query.where('id', '=', 'entry').executeTakeFirst()).toMatchObject({
        ...{ actor_id: 'U0ADMIN', subject: 'somebody else' },
      });
      expect(await hits()).toEqual([]);
    });
  });

  it('a workspace leaves its installation, its account and one entry, however often the process dies', async () => {
    const { db } = store.database;
    for (const id of [workspaceId, 'T2']) await fillEveryTable(store.database, { workspaceId: id, rows: 3 });
    const ofOther = async () => JSON.stringify(await countRows(db, 'T2'));
    const before = await ofOther();
    const forgetAll = (through = db) =>
      forgetWorkspace({ entryId: 'entry', by, mayGoOn: () => true }, forgettingCtx(through));
    for (const statements of [3, 12, 24, 30])
      await forgetAll(db.withPlugin(failAfter(statements))).catch(() => {});
    expect(await forgetAll()).toBe(true);
    const counts = await countRows(db, workspaceId);
    const left = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
    // Leases expire; the days of calls are random text, some of it later than today.
    expect({ ...left, leases: 0, call_counts: 0 }).toEqual({
      ...{ workspaces: 1, installations: 1, logins: 1, accounts: 1, audit: 1, leases: 0, call_counts: 0 },
    });
    expect(await ofOther()).toBe(before);
    const { rows } = await sql<{ guests: string }>`
      select guests from workspaces where id = ${workspaceId}`.execute(db);
    expect(rows).toEqual([{ guests: 'ask' }]);
  });
});

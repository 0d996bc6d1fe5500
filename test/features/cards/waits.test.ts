import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Schema } from '../../../src/database/schema.ts';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { createOutbox } from '../../../src/outbox/outbox.ts';
import { deleteUnsent, PostError, pendingMessage } from '../../../src/outbox/outgoing-message.ts';
import type { Imo } from '../../../src/reference/codes.ts';
import { pausingOf } from '../../support/pausing.ts';
import { direct } from '../../support/statements/direct.ts';
import { engines, seedWorkspace, type TestStore, workspaceId } from '../../support/store-engines.ts';
import { createStoreLogger } from '../../support/store-logger.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createWatchFixture, type WatchFixture } from '../../support/watch-fixture.ts';
import {
  createWatchSlack,
  outgoingOf,
  permanent,
  rateLimited,
  type WatchSlack,
} from '../../support/watch-slack.ts';
import { cypress, hour } from '../../support/watch-story.ts';

const diana = 9755933 as Imo;
const vessel = (imo: Imo) => ({ kind: 'vessel', imo }) as const;

describe.each(engines)('waiting messages of watches, $engine', ({ engine, open }) => {
  let store: TestStore;
  let fixture: WatchFixture;
  let slack: WatchSlack;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await store.database.db.deleteFrom('workspaces').execute();
    await seedWorkspace(store.database);
    fixture = createWatchFixture(store.database);
    slack = createWatchSlack();
    outbox = openOutbox();
    fixture.vessels.set(cypress, { NLRTM: [0.9, 500] }).set(diana, { NLRTM: [0.9, 500] });
  });

  /** One message at a time, in their order. */
  const openOutbox = (db = store.database.db, ofWorkspace = workspaceId) =>
    createOutbox({
      ctx: undefined,
      store: storeOf(db, ofWorkspace),
      poster: slack,
      realNow: () => fixture.clock.realMs,
      newId: fixture.newId,
      logger: createStoreLogger(),
      outgoing: outgoingOf(db, undefined, ofWorkspace),
      concurrency: 1,
    });
  let outbox: ReturnType<typeof openOutbox>;
  const send = () => outbox.runDue(hour(fixture.clock.hours));
  const sendAfter = (ms: number) => {
    fixture.clock.realMs += ms;
    return send();
  };
  const change = async (hours: number, port: string) => {
    for (const imo of [cypress, diana]) fixture.vessels.set(imo, { [port]: [0.9, 500] });
    await fixture.at(hours);
  };

  it.runIf(engine === 'postgres')(
    'a watch can be stopped while the outcome of a message is stored',
    async () => {
      const { id } = await fixture.watch([vessel(cypress)]);
      await fixture.at(0);
      await send();
      await change(7, 'DEHAM');
      const other = await store.another();
      await other.db.transaction().execute(async (transaction) => {
        const ofWatch = direct(transaction).selectFrom('outbox').select('id').where('thread_key', '=', id);
        await ofWatch.forUpdate().execute();
        await fixture.store.stop(id, fixture.by());
      });
      await sendAfter(0);
      expect(slack.posted).toEqual([]);
      const { rows } = await sql`select 1 from outbox where thread_key = ${id} and status <> 'sent'`.execute(
        direct(store.database.db),
      );
      expect(rows).toEqual([]);
    },
  );

  describe.runIf(engine === 'postgres')('while the refusal of a message is stored', () => {
    /** The refusal comes to wait for a transaction that has locked the watch, and that then does `meanwhile`. */
    async function refuseWhile(
      lock: 'key share' | 'update',
      meanwhile: (transaction: Kysely<Schema>, watchId: string) => Promise<unknown>,
    ) {
      const { id } = await fixture.watch([vessel(cypress)]);
      await fixture.at(0);
      await send();
      await change(7, 'DEHAM');
      slack.onPost = ({ message }) => (message.kind === 'reply' ? permanent('is_archived') : undefined);
      const other = await store.another();
      const isWaiting = async () => {
        const { rows } = await sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          other.db,
        );
        return rows.length === 1;
      };
      const { sending } = await other.db.transaction().execute(async (transaction) => {
        await sql`select id from watches where id = ${id} for ${sql.raw(lock)}`.execute(direct(transaction));
        const begun = send();
        await waitUntil('the refusal waits for the watch', isWaiting);
        await meanwhile(transaction, id);
        // Not awaited here: it waits for this transaction.
        return { sending: begun };
      });
      expect(await sending).toMatchObject({ refused: 1, retried: 0 });
      const rows = await direct(store.database.db)
        .selectFrom('outbox')
        .select('status')
        .where('kind', '=', 'reply')
        .execute();
      return rows.map(({ status }) => status);
    }

    it('its watch can be stopped, and the message waits for nothing', async () => {
      const statuses = await refuseWhile('update', async (transaction, id) => {
        await direct(transaction).deleteFrom('watches').where('id', '=', id).execute();
        await deleteUnsent(storeOf(transaction, workspaceId), id);
      });
      expect(statuses).toEqual(['failed']);
    });

    it('a poll of its watch can be stored', async () => {
      const statuses = await refuseWhile('key share', (transaction, id) =>
        direct(transaction).updateTable('watches').set({ snooze: null }).where('id', '=', id).execute(),
      );
      expect(statuses).toEqual(['held']);
    });
  });

  it('a clock rollback of an hour does not delay a look-up by that hour', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    await send();
    await change(7, 'DEHAM');
    slack.onPost = ({ message }) => (message.kind === 'reply' ? 'cut' : undefined);
    await send();
    slack.onPost = () => undefined;
    expect(await sendAfter(-3_600_000)).toMatchObject({ found: 0 });
    expect(await sendAfter(10 * 60_000)).toMatchObject({ found: 1 });
  });

  it('does not update cards while Slack asks to wait, not even one whose outcome is unknown', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.watch([vessel(diana)], { channelId: 'C2' });
    await fixture.at(0);
    const met = [new Error('timeout'), rateLimited(30_000)];
    slack.onPost = () => met.shift();
    expect(await send()).toMatchObject({ retried: 2 });
    expect(await sendAfter(29_000)).toMatchObject({ sent: 0, retried: 0 });
    expect(await sendAfter(1_000)).toMatchObject({ sent: 2 });
  });

  it('is looked up from its first attempt on, however often Slack did not answer', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    await send();
    await change(7, 'DEHAM');
    const firstTry = new Date(fixture.clock.realMs);
    const since: Date[] = [];
    slack.find = async (_, attemptedAt) => {
      since.push(attemptedAt);
      return 'absent';
    };
    slack.onPost = ({ message }) => (message.kind === 'reply' ? new Error('timeout') : undefined);
    await send();
    await sendAfter(60_000);
    await sendAfter(60_000);
    expect(since).toEqual([firstTry, firstTry]);
  });

  it('fails after Slack has refused it 20 times, whatever the reason', async () => {
    const { id } = await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    await send();
    await change(7, 'DEHAM');
    const odd = new PostError({ code: 'invalid_blocks', isPermanent: false });
    slack.onPost = ({ message }) => (message.kind === 'reply' ? odd : undefined);
    await send();
    for (let tries = 2; tries < 20; tries += 1)
      expect(await sendAfter(600_000)).toMatchObject({ refused: 0 });
    expect(await sendAfter(600_000)).toMatchObject({ refused: 1 });
    expect(await fixture.find(id)).toMatchObject({ status: 'paused', pauseReason: 'invalid_blocks' });
  });

  it('never fails because of a rate limit, however often Slack did not answer before', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    await send();
    await change(7, 'DEHAM');
    await direct(store.database.db).updateTable('outbox').set({ attempts: 25 }).execute();
    slack.onPost = ({ message }) => (message.kind === 'reply' ? rateLimited(1_000) : undefined);
    expect(await send()).toMatchObject({ retried: 1, refused: 0 });
    slack.onPost = () => undefined;
    expect(await sendAfter(1_000)).toMatchObject({ sent: 1 });
  });

  it('waits for a second if Slack says to wait for none', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    slack.onPost = () => rateLimited(0);
    expect(await send()).toMatchObject({ retried: 1 });
    slack.onPost = () => undefined;
    expect(await sendAfter(999)).toMatchObject({ sent: 0 });
    expect(await sendAfter(1)).toMatchObject({ sent: 1 });
  });

  describe('while Slack asks to wait', () => {
    const retryLater = rateLimited(1_000);
    const twoWatches = async (channelId: string) => {
      const watches = [
        await fixture.watch([vessel(cypress)]),
        await fixture.watch([vessel(diana)], { channelId }),
      ];
      await fixture.at(0);
      await send();
      await change(7, 'DEHAM');
      return watches.map(({ id }) => id);
    };

    it('is sent in another channel', async () => {
      const [first, second] = await twoWatches('C2');
      slack.onPost = ({ watch, message }) =>
        watch?.id === first && message.kind === 'reply' ? retryLater : undefined;
      await send();
      expect(slack.posted.map(({ watch }) => watch?.id)).toEqual([second]);
    });

    it('is not tried before its own back-off ends', async () => {
      const [first, second] = await twoWatches('C1');
      const odd = new PostError({ code: 'invalid_blocks', isPermanent: false });
      slack.onPost = ({ watch, message }) => {
        if (message.kind !== 'reply') return undefined;
        return watch?.id === first ? odd : retryLater;
      };
      await send();
      slack.onPost = () => undefined;
      await sendAfter(1_000);
      expect(slack.posted.map(({ watch }) => watch?.id)).toEqual([second]);
      await sendAfter(1_000);
      expect(slack.posted.map(({ watch }) => watch?.id)).toEqual([second, first]);
    });

    it('is sent although the removal of a card waits', async () => {
      const since = new Date(fixture.clock.realMs);
      const ids = await twoWatches('C1');
      const message = { kind: 'card-removal', watchId: 'gone', since } as const;
      const removal = { id: 'removal', channelId: 'C1', message };
      await storeOf(store.database.db, workspaceId)
        .insertInto('outbox', pendingMessage({ ...removal, now: hour(0), dueAt: since }))
        .execute();
      slack.onPost = ({ message: { kind } }) => (kind === 'card-removal' ? retryLater : undefined);
      expect(await send()).toMatchObject({ retried: 1 });
      expect(slack.posted.map(({ watch }) => watch?.id)).toEqual(ids);
    });

    it('is sent in another workspace', async () => {
      const { db } = store.database;
      await db
        .insertInto('workspaces')
        .values({ id: 'T2', name: 'Other', created_at: hour(0) })
        .execute();
      const realNow = new Date(fixture.clock.realMs);
      const stopped = { kind: 'card-stopped', cardTs: '1', title: 'x', userId: 'U1', at: hour(0) } as const;
      const theirs = { id: 'theirs', channelId: 'C1', message: stopped };
      const later = new Date(realNow.getTime() + 500);
      await storeOf(db, 'T2')
        .insertInto('outbox', pendingMessage({ ...theirs, now: hour(0), dueAt: later }))
        .execute();
      await fixture.watch([vessel(cypress)]);
      await fixture.at(0);
      slack.onPost = () => retryLater;
      await send();
      slack.onPost = () => undefined;
      expect(await sendAfter(500)).toMatchObject({ sent: 0 });
      expect(await openOutbox(db, 'T2').runDue(hour(0))).toMatchObject({ sent: 1 });
      expect(slack.posted.map(({ id }) => id)).toEqual(['theirs']);
    });
  });

  it('is not posted when another process has taken it over meanwhile', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    const { db } = store.database;
    let isTaken = false;
    const takeOver: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        // Its watch has been read; it is marked next.
        if (!isTaken && result.rows.some((row) => 'card_ts' in row)) {
          isTaken = true;
          await direct(db).updateTable('outbox').set({ lease_token: 'of another' }).execute();
        }
        return result;
      },
    };
    outbox = openOutbox(db.withPlugin(takeOver));
    expect(await send()).toMatchObject({ sent: 0, retried: 0 });
    expect(isTaken).toBe(true);
    expect(slack.updates).toEqual([]);
  });

  it('does not delay the notice that its watch is paused', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    await send();
    await change(7, 'DEHAM');
    slack.onPost = ({ message }) => (message.kind === 'reply' ? 'cut' : undefined);
    await send();
    const { now, realNow } = fixture.by();
    const lost = { channelId: 'C1', code: 'is_archived', now, realNow };
    await pausingOf(store.database.db).markUnavailable(lost);
    await send();
    expect(slack.posted.map(({ message }) => message.kind)).toEqual(['reply', 'notice']);
  });

  it('updates no card before it is posted again', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    slack.onPost = ({ message }) =>
      message.kind === 'card-update'
        ? new PostError({ code: 'message_not_found', isPermanent: false })
        : rateLimited(8 * 3_600_000);
    await send();
    await change(7, 'DEHAM');
    const kinds: string[] = [];
    slack.onPost = ({ message }) => void kinds.push(message.kind);
    await send();
    expect(kinds).toEqual([]);
    await sendAfter(3_600_000);
    expect(kinds).toEqual(['card', 'reply', 'card-update']);
  });

  it('a summary waits for a reply whose outcome is unknown', async () => {
    for (let imo = 9_300_000; imo < 9_300_004; imo += 1) {
      fixture.vessels.set(imo, { NLRTM: [0.9, 500] });
      // The fixture accepts any number for a vessel.
      await fixture.watch([vessel(imo as Imo)]);
    }
    await fixture.at(0);
    await send();
    for (const imo of fixture.vessels.keys()) fixture.vessels.set(imo, { DEHAM: [0.9, 500] });
    await fixture.at(7);
    let isFirst = true;
    slack.onPost = () => {
      const met = isFirst ? 'cut' : undefined;
      isFirst = false;
      return met;
    };
    await send();
    expect(slack.posted.map(({ message }) => message.kind)).toEqual(['reply', 'reply', 'reply', 'reply']);
    await sendAfter(2_000);
    expect(slack.posted.at(-1)).toMatchObject({ message: { kind: 'summary' } });
    expect(slack.posted.at(-1)?.members).toHaveLength(4);
  });
});

import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../src/database/schema.ts';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { watchState } from '../../../src/features/rules/evaluation/state.ts';
import { deleteUnsent, PostError, pendingMessage } from '../../../src/outbox/outgoing-message.ts';
import { pausingOf } from '../../support/pausing.ts';
import { direct } from '../../support/statements/direct.ts';
import { engines, workspaceId } from '../../support/store-engines.ts';
import { createStoreLogger } from '../../support/store-logger.ts';
import { useWatches } from '../../support/use-watches.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { outgoingOf, permanent, rateLimited, shownOf } from '../../support/watch-slack.ts';
import { cypress, diana, hour, vessel } from '../../support/watch-story.ts';

const unreadable = JSON.stringify({ kind: 'reply', events: [{ kind: 'of a later version' }] });

describe.each(engines)('waiting messages of watches, $engine', ({ engine, open }) => {
  const { store, fixture, slack, openOutbox, useOutbox, send, db, workspace, watched, divert } =
    useWatches(open);
  /** One message at a time, in their order. */
  const watchApart = async (channelId = 'C1') => {
    useOutbox({ concurrency: 1 });
    for (const imo of [cypress, diana]) fixture.vessels.set(imo, { NLRTM: [0.9, 500] });
    const watches = [
      await fixture.watch([vessel(cypress)]),
      await fixture.watch([vessel(diana)], { channelId }),
    ];
    return watches.map(({ id }) => id);
  };
  const change = async (hours: number, port: string) => {
    await fixture.at(hours, { [cypress]: { [port]: [0.9, 500] }, [diana]: { [port]: [0.9, 500] } });
  };
  /** A watch whose reply waits. */
  const changed = async () => {
    const { id } = await watched({ NLRTM: [0.9, 500] });
    await send();
    await change(7, 'DEHAM');
    return id;
  };

  it.runIf(engine === 'postgres')(
    'a watch can be stopped while the outcome of a message is stored',
    async () => {
      const id = await changed();
      const other = await store.another();
      await other.db.transaction().execute(async (transaction) => {
        const ofWatch = direct(transaction).selectFrom('outbox').select('id').where('thread_key', '=', id);
        await ofWatch.forUpdate().execute();
        await fixture.store.stop(id, fixture.by());
      });
      await send();
      expect(slack.posted).toEqual([]);
      const { rows } = await sql`select 1 from outbox where thread_key = ${id} and status <> 'sent'`.execute(
        db(),
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
      const id = await changed();
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
      const rows = await db().selectFrom('outbox').select('status').where('kind', '=', 'reply').execute();
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
    await changed();
    slack.onPost = ({ message }) => (message.kind === 'reply' ? 'cut' : undefined);
    await send();
    slack.onPost = () => undefined;
    expect(await send(-3_600_000)).toMatchObject({ found: 0 });
    expect(await send(10 * 60_000)).toMatchObject({ found: 1 });
  });

  it('is looked up from its first attempt on, however often Slack did not answer', async () => {
    await changed();
    const firstTry = new Date(fixture.clock.realMs);
    const since: Date[] = [];
    slack.find = async (_, attemptedAt) => {
      since.push(attemptedAt);
      return 'absent';
    };
    slack.onPost = ({ message }) => (message.kind === 'reply' ? new Error('timeout') : undefined);
    await send();
    await send(60_000);
    await send(60_000);
    expect(since).toEqual([firstTry, firstTry]);
  });

  describe('while Slack asks to wait', () => {
    const retryLater = rateLimited(1_000);
    const twoWatches = async (channelId: string) => {
      const ids = await watchApart(channelId);
      await fixture.at(0);
      await send();
      await change(7, 'DEHAM');
      return ids;
    };

    it('is not tried before its own back-off ends', async () => {
      const [first, second] = await twoWatches('C1');
      const odd = new PostError({ code: 'invalid_blocks', isPermanent: false });
      slack.onPost = ({ watch, message }) => {
        if (message.kind !== 'reply') return undefined;
        return watch?.id === first ? odd : retryLater;
      };
      await send();
      slack.onPost = () => undefined;
      await send(1_000);
      expect(slack.posted.map(({ watch }) => watch?.id)).toEqual([second]);
      await send(1_000);
      expect(slack.posted.map(({ watch }) => watch?.id)).toEqual([second, first]);
    });

    it('is sent although the removal of a card waits', async () => {
      const since = new Date(fixture.clock.realMs);
      const ids = await twoWatches('C1');
      const message = { kind: 'card-removal', watchId: 'gone', since } as const;
      const removal = { id: 'removal', channelId: 'C1', message };
      await workspace()
        .insertInto('outbox', pendingMessage({ ...removal, now: hour(0), dueAt: since }))
        .execute();
      slack.onPost = ({ message: { kind } }) => (kind === 'card-removal' ? retryLater : undefined);
      expect(await send()).toMatchObject({ retried: 1 });
      expect(slack.posted.map(({ watch }) => watch?.id)).toEqual(ids);
    });

    it('is sent in another workspace', async () => {
      await store.database.db
        .insertInto('workspaces')
        .values({ id: 'T2', name: 'Other', created_at: hour(0) })
        .execute();
      const realNow = new Date(fixture.clock.realMs);
      const stopped = { kind: 'card-stopped', cardTs: '1', title: 'x', userId: 'U1', at: hour(0) } as const;
      const theirs = { id: 'theirs', channelId: 'C1', message: stopped };
      const later = new Date(realNow.getTime() + 500);
      await storeOf(store.database.db, 'T2')
        .insertInto('outbox', pendingMessage({ ...theirs, now: hour(0), dueAt: later }))
        .execute();
      await fixture.watch([vessel(cypress)]);
      await fixture.at(0);
      slack.onPost = () => retryLater;
      await send();
      slack.onPost = () => undefined;
      expect(await send(500)).toMatchObject({ sent: 0 });
      expect(await openOutbox({ of: 'T2' }).runDue(hour(0))).toMatchObject({ sent: 1 });
      expect(slack.posted.map(({ id }) => id)).toEqual(['theirs']);
    });
  });

  it('is not posted when another process has taken it over meanwhile', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    let isTaken = false;
    const takeOver: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        // Its watch has been read; it is marked next.
        if (!isTaken && result.rows.some((row) => 'card_ts' in row)) {
          isTaken = true;
          await db().updateTable('outbox').set({ lease_token: 'of another' }).execute();
        }
        return result;
      },
    };
    useOutbox({ db: store.database.db.withPlugin(takeOver) });
    expect(await send()).toMatchObject({ sent: 0, retried: 0 });
    expect(isTaken).toBe(true);
    expect(slack.updates).toEqual([]);
  });

  it('does not delay the notice that its watch is paused', async () => {
    await changed();
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
    await send(3_600_000);
    expect(kinds).toEqual(['card', 'reply', 'card-update']);
  });

  it('a summary waits for a reply whose outcome is unknown', async () => {
    for (let imo = 9_300_000; imo < 9_300_004; imo += 1) {
      fixture.vessels.set(imo, { NLRTM: [0.9, 500] });
      // The fixture accepts any number for a vessel.
      await fixture.watch([vessel(imo)]);
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
    await send(2_000);
    expect(slack.posted.at(-1)).toMatchObject({ message: { kind: 'summary' } });
    expect(slack.posted.at(-1)?.members).toHaveLength(4);
  });

  describe('that cannot be read', () => {
    const row = (id: string) =>
      db().selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const replyOf = (watchId: string) =>
      db()
        .selectFrom('outbox')
        .selectAll()
        .where('thread_key', '=', watchId)
        .where('kind', '=', 'reply')
        .where('status', '<>', 'sent')
        .executeTakeFirstOrThrow();
    const spoil = (id: string) =>
      db().updateTable('outbox').set({ payload: unreadable }).where('id', '=', id).execute();
    /** Two watches, each with a reply that waits. */
    const twoWaiting = async () => {
      for (const imo of [cypress, diana]) fixture.vessels.set(imo, { NLRTM: [0.9, 500] });
      const [one, other] = [await fixture.watch([vessel(cypress)]), await fixture.watch([vessel(diana)])];
      await fixture.at(0);
      await send();
      fixture.vessels.set(diana, { DEHAM: [0.9, 500] });
      await divert(7, 'DEHAM');
      return { one, other };
    };

    it('waits alone, longer each time, and fails after about two hours; then its watch goes on', async () => {
      const logger = createStoreLogger();
      useOutbox({ logger });
      const { one, other } = await twoWaiting();
      const { id } = await replyOf(one.id);
      await spoil(id);
      expect(await send()).toMatchObject({ sent: 3, retried: 1 });
      expect(slack.posted.map(({ watch }) => watch?.id)).toEqual([other.id]);
      expect(await row(id)).toMatchObject({ status: 'pending', attempts: 1, error: 'unreadable' });
      expect(logger.lines).toContainEqual(
        expect.objectContaining({
          level: 'error',
          fields: expect.objectContaining({ message: id, kind: 'reply', attempts: 1 }),
        }),
      );
      expect(await send(1_999)).toMatchObject({ retried: 0 });
      expect(await send(1)).toMatchObject({ retried: 1 });
      expect(await send(2_000)).toMatchObject({ retried: 0 });
      fixture.vessels.set(diana, { BEANR: [0.9, 500] });
      await divert(34, 'BEANR');
      for (let tries = 3; tries < 20; tries += 1) {
        expect(await row(id)).toMatchObject({ status: 'pending' });
        expect(await send(600_000)).toMatchObject({ refused: 0 });
      }
      expect(await send(600_000)).toMatchObject({ refused: 1, sent: 1 });
      expect(await row(id)).toMatchObject({ status: 'failed', attempts: 20 });
      expect(slack.posted.at(-1)).toMatchObject({
        watch: { id: one.id },
        message: { events: [{ next: { port: 'BEANR' } }] },
      });
    });

    it('is deleted if its watch is gone', async () => {
      const { one } = await twoWaiting();
      const { id } = await replyOf(one.id);
      await db().deleteFrom('watches').where('id', '=', one.id).execute();
      await send();
      expect(slack.posted.filter(({ watch }) => watch?.id === one.id)).toEqual([]);
      await expect(row(id)).rejects.toThrow('no result');
    });

    it('does not stop others from being grouped', async () => {
      const { one } = await twoWaiting();
      const first = await replyOf(one.id);
      const copies = Array.from({ length: 4 }, (_, index) => ({
        ...pendingMessage({
          id: `copy-${index}`,
          threadKey: one.id,
          channelId: 'C1',
          message: { kind: 'card' },
          now: hour(7),
          dueAt: new Date(fixture.clock.realMs),
        }),
        kind: 'reply',
        payload: JSON.stringify(first.payload),
      }));
      await workspace().insertInto('outbox', copies).execute();
      await spoil('copy-3');
      expect(await send()).toMatchObject({ retried: 1 });
      expect(slack.posted.filter(({ watch }) => watch?.id === one.id)).toMatchObject([
        { message: { events: Array(4).fill({ kind: 'diverted' }) } },
      ]);
    });

    it('does not stop later polls of its channel', async () => {
      const { one } = await twoWaiting();
      const { id } = await replyOf(one.id);
      const payload = JSON.stringify({ kind: 'reply', place: 'broadcast' });
      await db().updateTable('outbox').set({ payload }).where('id', '=', id).execute();
      expect(await fixture.at(9, { [diana]: { BEANR: [0.9, 500] } })).toMatchObject({ failed: 0 });
      expect(await fixture.at(14, { [diana]: { GBFXT: [0.9, 500] } })).toMatchObject({
        failed: 0,
        replies: 1,
      });
    });

    it('is not looked up if its view could not read the store, since it was not posted', async () => {
      const { one, other } = await twoWaiting();
      const { post } = slack;
      slack.post = async (message) => {
        const shown = await shownOf(message);
        if (shown.message.kind === 'reply' && shown.watch?.id === one.id) watchState.parse({});
        return await post(message);
      };
      const { id } = await replyOf(one.id);
      expect(await send()).toMatchObject({ retried: 1 });
      expect(slack.posted.map(({ watch }) => watch?.id)).toEqual([other.id]);
      expect(await row(id)).toMatchObject({ status: 'pending', attempted_at: null, error: 'unreadable' });
      slack.post = post;
      expect(await send(2_000)).toMatchObject({ sent: 1, found: 0 });
      expect(slack.lookups).toEqual([]);
    });

    it('waits alone too when its refusal cannot be stored', async () => {
      const { one, other } = await twoWaiting();
      const { id } = await replyOf(one.id);
      slack.onPost = ({ watch, message }) =>
        watch?.id === one.id && message.kind === 'reply' ? permanent('msg_too_long') : undefined;
      const outgoing = outgoingOf(store.database.db).map((kind) => ({
        ...kind,
        onRefused: () => Promise.reject(new Error('a constraint')),
      }));
      useOutbox({ outgoing });
      expect(await send()).toMatchObject({ retried: 1 });
      expect(slack.posted.map(({ watch }) => watch?.id)).toEqual([other.id]);
      expect(await row(id)).toMatchObject({ attempts: 1, error: 'a constraint', lease_token: null });
    });

    it('waits alone too when its watch cannot be read', async () => {
      const { one, other } = await twoWaiting();
      const rules = '{"etaMoved":"soon"}';
      await db().updateTable('watches').set({ rules }).where('id', '=', one.id).execute();
      expect(await send()).toMatchObject({ sent: 2, retried: 2 });
      expect(slack.posted.map(({ watch }) => watch?.id)).toEqual([other.id]);
    });
  });
});

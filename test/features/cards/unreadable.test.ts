import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { watchState } from '../../../src/features/rules/evaluation/state.ts';
import { createOutbox, type Outbox } from '../../../src/outbox/outbox.ts';
import { pendingMessage } from '../../../src/outbox/outgoing-message.ts';
import type { Imo } from '../../../src/reference/codes.ts';
import { direct } from '../../support/statements/direct.ts';
import { engines, seedWorkspace, type TestStore, workspaceId } from '../../support/store-engines.ts';
import { createStoreLogger } from '../../support/store-logger.ts';
import { createWatchFixture, type WatchFixture } from '../../support/watch-fixture.ts';
import {
  createWatchSlack,
  outgoingOf,
  permanent,
  shownOf,
  type WatchSlack,
} from '../../support/watch-slack.ts';
import { cypress, hour } from '../../support/watch-story.ts';

const diana = 9755933 as Imo;
const vessel = (imo: Imo) => ({ kind: 'vessel', imo }) as const;
const unreadable = JSON.stringify({ kind: 'reply', events: [{ kind: 'of a later version' }] });

describe.each(engines)('a message that cannot be read, $engine', ({ open }) => {
  let store: TestStore;
  let fixture: WatchFixture;
  let slack: WatchSlack;
  let logger: ReturnType<typeof createStoreLogger>;
  let outbox: Outbox;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await store.database.db.deleteFrom('workspaces').execute();
    await seedWorkspace(store.database);
    fixture = createWatchFixture(store.database);
    slack = createWatchSlack();
    logger = createStoreLogger();
    const { db } = store.database;
    const realNow = () => fixture.clock.realMs;
    const outgoing = outgoingOf(db);
    outbox = createOutbox({
      ctx: undefined,
      store: storeOf(db, workspaceId),
      poster: slack,
      realNow,
      newId: fixture.newId,
      logger,
      outgoing,
    });
    fixture.vessels.set(cypress, { NLRTM: [0.9, 500] }).set(diana, { NLRTM: [0.9, 500] });
  });

  const send = () => outbox.runDue(hour(fixture.clock.hours));
  const sendAfter = (ms: number) => {
    fixture.clock.realMs += ms;
    return send();
  };
  const row = (id: string) =>
    direct(store.database.db).selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const replyOf = (watchId: string) =>
    direct(store.database.db)
      .selectFrom('outbox')
      .selectAll()
      .where('thread_key', '=', watchId)
      .where('kind', '=', 'reply')
      .where('status', '<>', 'sent')
      .executeTakeFirstOrThrow();
  const spoil = (id: string) =>
    direct(store.database.db)
      .updateTable('outbox')
      .set({ payload: unreadable })
      .where('id', '=', id)
      .execute();
  const change = async (hours: number, port: string) => {
    for (const imo of [cypress, diana]) fixture.vessels.set(imo, { [port]: [0.9, 500] });
    await fixture.at(hours);
  };
  /** Two watches, each with a reply that waits. */
  const twoWaiting = async () => {
    const [one, other] = [await fixture.watch([vessel(cypress)]), await fixture.watch([vessel(diana)])];
    await fixture.at(0);
    await send();
    await change(7, 'DEHAM');
    return { one, other };
  };

  it('waits alone, longer each time, and fails after about two hours; then its watch goes on', async () => {
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
    expect(await sendAfter(1_999)).toMatchObject({ retried: 0 });
    expect(await sendAfter(1)).toMatchObject({ retried: 1 });
    expect(await sendAfter(2_000)).toMatchObject({ retried: 0 });
    await change(34, 'BEANR');
    for (let tries = 3; tries < 20; tries += 1) {
      expect(await row(id)).toMatchObject({ status: 'pending' });
      expect(await sendAfter(600_000)).toMatchObject({ refused: 0 });
    }
    expect(await sendAfter(600_000)).toMatchObject({ refused: 1, sent: 1 });
    expect(await row(id)).toMatchObject({ status: 'failed', attempts: 20 });
    expect(slack.posted.at(-1)).toMatchObject({
      watch: { id: one.id },
      message: { events: [{ next: { port: 'BEANR' } }] },
    });
  });

  it('is deleted if its watch is gone', async () => {
    const { one } = await twoWaiting();
    const { id } = await replyOf(one.id);
    await direct(store.database.db).deleteFrom('watches').where('id', '=', one.id).execute();
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
    await storeOf(store.database.db, workspaceId).insertInto('outbox', copies).execute();
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
    await direct(store.database.db).updateTable('outbox').set({ payload }).where('id', '=', id).execute();
    fixture.vessels.set(diana, { BEANR: [0.9, 500] });
    expect(await fixture.at(9)).toMatchObject({ failed: 0 });
    fixture.vessels.set(diana, { GBFXT: [0.9, 500] });
    expect(await fixture.at(14)).toMatchObject({ failed: 0, replies: 1 });
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
    expect(await sendAfter(2_000)).toMatchObject({ sent: 1, found: 0 });
    expect(slack.lookups).toEqual([]);
  });

  it('waits alone too when its refusal cannot be stored', async () => {
    const { one, other } = await twoWaiting();
    const { db } = store.database;
    const { id } = await replyOf(one.id);
    slack.onPost = ({ watch, message }) =>
      watch?.id === one.id && message.kind === 'reply' ? permanent('msg_too_long') : undefined;
    outbox = createOutbox({
      ctx: undefined,
      store: storeOf(db, workspaceId),
      poster: slack,
      realNow: () => fixture.clock.realMs,
      newId: fixture.newId,
      logger,
      outgoing: outgoingOf(db).map((one) => ({
        ...one,
        onRefused: () => Promise.reject(new Error('a constraint')),
      })),
    });
    expect(await send()).toMatchObject({ retried: 1 });
    expect(slack.posted.map(({ watch }) => watch?.id)).toEqual([other.id]);
    expect(await row(id)).toMatchObject({ attempts: 1, error: 'a constraint', lease_token: null });
  });

  it('waits alone too when its watch cannot be read', async () => {
    const { one, other } = await twoWaiting();
    const { db } = store.database;
    await direct(db)
      .updateTable('watches')
      .set({ rules: '{"etaMoved":"soon"}' })
      .where('id', '=', one.id)
      .execute();
    expect(await send()).toMatchObject({ sent: 2, retried: 2 });
    expect(slack.posted.map(({ watch }) => watch?.id)).toEqual([other.id]);
  });
});

import { describe, expect, it } from 'vitest';
import { watchState } from '../../../src/features/rules/evaluation/state.ts';
import { pendingMessage } from '../../../src/outbox/outgoing-message.ts';
import { engines } from '../../support/store-engines.ts';
import { createStoreLogger } from '../../support/store-logger.ts';
import { useWatches } from '../../support/use-watches.ts';
import { outgoingOf, permanent, shownOf } from '../../support/watch-slack.ts';
import { cypress, diana, hour, vessel } from '../../support/watch-story.ts';

const unreadable = JSON.stringify({ kind: 'reply', events: [{ kind: 'of a later version' }] });

describe.each(engines)('a message that cannot be read, $engine', ({ open }) => {
  const { store, fixture, slack, useOutbox, send, db, workspace, divert } = useWatches(open);
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
    expect(await fixture.at(14, { [diana]: { GBFXT: [0.9, 500] } })).toMatchObject({ failed: 0, replies: 1 });
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
    await db()
      .updateTable('watches')
      .set({ rules: '{"etaMoved":"soon"}' })
      .where('id', '=', one.id)
      .execute();
    expect(await send()).toMatchObject({ sent: 2, retried: 2 });
    expect(slack.posted.map(({ watch }) => watch?.id)).toEqual([other.id]);
  });
});

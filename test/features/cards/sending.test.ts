import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { watchMessage } from '../../../src/features/cards/messages.ts';
import { chooseRules } from '../../../src/features/rules/registry.ts';
import { createOutbox, type Outbox } from '../../../src/outbox/outbox.ts';
import { PostError } from '../../../src/outbox/outgoing-message.ts';
import type { Imo } from '../../../src/reference/codes.ts';
import { saveChannelSettings } from '../../support/channel-settings.ts';
import { pausingOf } from '../../support/pausing.ts';
import { direct } from '../../support/statements/direct.ts';
import {
  engines,
  passLeaseTime,
  seedWorkspace,
  type TestStore,
  workspaceId,
} from '../../support/store-engines.ts';
import { createStoreLogger } from '../../support/store-logger.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createWatchFixture, type WatchFixture } from '../../support/watch-fixture.ts';
import {
  createWatchSlack,
  outgoingOf,
  permanent,
  rateLimited,
  shownOf,
  type WatchSlack,
} from '../../support/watch-slack.ts';
import { cypress, hour } from '../../support/watch-story.ts';

const diana = 9755933 as Imo;
const vessel = (imo: Imo) => ({ kind: 'vessel', imo }) as const;
const imosFrom = (first: number, count: number): Imo[] =>
  Array.from({ length: count }, (_, index) => (first + index) as Imo);

describe.each(engines)('the messages of watches, $engine', ({ open }) => {
  let store: TestStore;
  let fixture: WatchFixture;
  let slack: WatchSlack;
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
    outbox = openOutbox();
    fixture.vessels.set(cypress, { NLRTM: [0.9, 500] }).set(diana, { NLRTM: [0.9, 500] });
  });

  const openOutbox = (db = store.database.db, concurrency = 8) =>
    createOutbox({
      ctx: undefined,
      store: storeOf(db, workspaceId),
      poster: slack,
      realNow: () => fixture.clock.realMs,
      newId: fixture.newId,
      logger: createStoreLogger(),
      outgoing: outgoingOf(db),
      concurrency,
    });
  const send = () => outbox.runDue(hour(fixture.clock.hours));
  const rows = () => direct(store.database.db).selectFrom('outbox').selectAll().orderBy('sequence').execute();
  /** Watches of a vessel each. */
  const watchApart = async (count: number) => {
    const watches = [];
    for (const [index, imo] of imosFrom(9_300_000, count).entries()) {
      fixture.vessels.set(imo, { NLRTM: [0.9, 500] });
      watches.push(await fixture.watch([vessel(imo)], { title: `watch ${index + 1}` }));
    }
    return watches;
  };
  const changeAll = async (hours: number) => {
    for (const imo of fixture.vessels.keys()) fixture.vessels.set(imo, { DEHAM: [0.9, 500] });
    await fixture.at(hours);
  };
  /** The vessel's next port changes to another, and the poll is kept. */
  const change = async (hours: number, port: string, imo = cypress) => {
    fixture.vessels.set(imo, { [port]: [0.9, 500] });
    await fixture.at(hours);
  };

  it('posts alerts in order, once, and updates the card', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    expect(await send()).toMatchObject({ sent: 1 });
    await change(7, 'DEHAM');
    await change(34, 'BEANR');
    expect(await send()).toMatchObject({ sent: 3 });
    expect(
      slack.posted.map(({ message }) => (message.kind === 'reply' ? message.events[0] : message)),
    ).toMatchObject([
      { kind: 'diverted', next: { port: 'DEHAM' } },
      { kind: 'diverted', next: { port: 'BEANR' } },
    ]);
    expect(slack.updates).toHaveLength(2);
    expect(await send()).toEqual({ sent: 0, found: 0, retried: 0, refused: 0 });
  });

  it('ignores messages of another workspace', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    const { db } = store.database;
    const common = { poster: slack, realNow: () => fixture.clock.realMs, newId: fixture.newId };
    const open = (id: string) =>
      createOutbox({
        ctx: undefined,
        ...common,
        store: storeOf(db, id),
        logger: createStoreLogger(),
        outgoing: outgoingOf(db),
      });
    expect(await open('T9').runDue(hour(0))).toMatchObject({ sent: 0 });
    expect(await open(workspaceId).runDue(hour(0))).toMatchObject({ sent: 1 });
  });

  it('posts once when the answer was cut: the message is found again', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    await change(7, 'DEHAM');
    slack.onPost = ({ message }) => (message.kind === 'reply' ? 'cut' : undefined);
    expect(await send()).toMatchObject({ retried: 1 });
    slack.onPost = () => undefined;
    expect(await send()).toMatchObject({ sent: 0, found: 0 });
    fixture.clock.realMs += 2000;
    expect(await send()).toMatchObject({ found: 1 });
    expect(slack.posted).toHaveLength(1);
    expect((await rows()).find(({ kind }) => kind === 'reply')).toMatchObject({ status: 'sent', ts: '1' });
  });

  it('posts a missing message again, marked “possibly repeated” if Slack refuses the look-up', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    await send();
    await change(7, 'DEHAM');
    slack.onPost = () => new Error('timeout');
    await send();
    fixture.clock.realMs += 60_000;
    slack.onPost = () => undefined;
    await send();
    expect(slack.posted.map(({ isPossiblyRepeated }) => isPossiblyRepeated)).toEqual([false]);
    await change(34, 'BEANR');
    slack.onPost = () => 'cut';
    await send();
    slack.onPost = () => undefined;
    slack.refuseLookups = true;
    fixture.clock.realMs += 60_000;
    await send();
    expect(slack.posted.map(({ isPossiblyRepeated }) => isPossiblyRepeated)).toEqual([false, false, true]);
  });

  it('is not taken over while Slack takes longer than a lease', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    await send();
    await change(7, 'DEHAM');
    const leaseUntil = async () =>
      Number((await rows()).find(({ status }) => status === 'sending')?.lease_until);
    const other = openOutbox((await store.another()).db);
    const { post } = slack;
    let answer = () => {};
    const asked = Promise.withResolvers<void>();
    slack.post = async (message) => {
      if ((await shownOf(message)).message.kind === 'reply') {
        asked.resolve();
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      }
      return await post(message);
    };
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const slow = send();
    await asked.promise;
    // The card waits for nobody.
    expect(await other.runDue(hour(7))).toMatchObject({ sent: 1, found: 0, retried: 0 });
    for (let passed = 0; passed < 60_000; passed += 10_000) {
      await passLeaseTime(store.database, 10_000);
      const before = await leaseUntil();
      vi.advanceTimersByTime(10_000);
      await waitUntil('it is held longer', async () => (await leaseUntil()) > before);
      expect(await other.runDue(hour(7))).toMatchObject({ sent: 0, found: 0, retried: 0 });
    }
    vi.useRealTimers();
    answer();
    expect(await slow).toMatchObject({ sent: 1 });
    expect(slack.posted).toHaveLength(1);
    expect(slack.lookups).toEqual([]);
  });

  it('claims no more messages once its round is over, and goes on in the next one', async () => {
    for (let count = 1; count <= 10; count += 1)
      await fixture.watch([vessel(cypress)], { channelId: `C${count}` });
    await fixture.at(0);
    outbox = openOutbox(store.database.db, 1);
    let tries = 0;
    slack.onPost = () => {
      tries += 1;
      return undefined;
    };
    expect(await outbox.runDue(hour(0), () => tries < 3)).toMatchObject({ sent: 3 });
    expect(await send()).toMatchObject({ sent: 7 });
  });

  it('does not look up refused messages, and waits in the whole channel as long as Slack asks', async () => {
    for (let count = 1; count <= 3; count += 1) await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    await send();
    await change(7, 'DEHAM');
    outbox = openOutbox(store.database.db, 1);
    const tries: string[] = [];
    slack.onPost = ({ message }) => {
      tries.push(message.kind);
      return rateLimited(30_000);
    };
    await send();
    expect(tries).toEqual(['reply', 'card-update']);
    slack.onPost = () => undefined;
    fixture.clock.realMs += 29_000;
    expect(await send()).toMatchObject({ sent: 0 });
    fixture.clock.realMs += 1000;
    await send();
    expect(slack.posted).toHaveLength(3);
    expect(slack.lookups).toEqual([]);
  });

  it('sends alerts while card updates wait, which wait in all channels', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.watch([vessel(cypress)], { channelId: 'C2' });
    outbox = openOutbox(store.database.db, 1);
    let tries = 0;
    slack.onPost = ({ message }) => {
      if (message.kind !== 'card-update') return undefined;
      tries += 1;
      return rateLimited(30_000);
    };
    await fixture.at(0);
    await send();
    expect(tries).toBe(1);
    await change(7, 'DEHAM');
    await send();
    expect(slack.posted.map(({ channelId }) => channelId).sort()).toEqual(['C1', 'C2']);
    slack.onPost = () => undefined;
    fixture.clock.realMs += 30_000;
    await send();
    expect(new Set(slack.updates.map(({ channelId }) => channelId))).toEqual(new Set(['C1', 'C2']));
  });

  it('sends alerts before it updates cards', async () => {
    await fixture.watch([vessel(diana)]);
    await fixture.at(0);
    await fixture.watch([vessel(cypress)]);
    await send();
    await fixture.at(1);
    fixture.vessels.set(diana, { DEHAM: [0.9, 500] });
    await change(8, 'DEHAM');
    outbox = openOutbox(store.database.db, 1);
    const kinds: string[] = [];
    slack.onPost = ({ message }) => void kinds.push(message.kind);
    await send();
    expect(kinds).toEqual(['reply', 'reply', 'card-update', 'card-update']);
  });

  it('waits exactly as long as Slack asks, however often, and never fails because of it', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    await send();
    await change(7, 'DEHAM');
    slack.onPost = ({ message }) => (message.kind === 'reply' ? rateLimited(3_000) : undefined);
    for (let time = 0; time < 25; time += 1) {
      expect(await send()).toMatchObject({ retried: 1, refused: 0 });
      fixture.clock.realMs += 3_000;
    }
    slack.onPost = ({ message }) =>
      message.kind === 'reply' ? new PostError({ code: 'internal_error', isPermanent: false }) : undefined;
    expect(await send()).toMatchObject({ retried: 1, refused: 0 });
    slack.onPost = () => undefined;
    fixture.clock.realMs += 2_000;
    expect(await send()).toMatchObject({ sent: 1 });
  });

  it('sends new alerts while Slack refuses look-ups', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.watch([vessel(diana)]);
    await fixture.at(0);
    await send();
    await change(7, 'DEHAM');
    slack.onPost = ({ message }) => (message.kind === 'reply' ? 'cut' : undefined);
    await send();
    slack.onPost = () => undefined;
    const { find } = slack;
    slack.find = () => Promise.reject(rateLimited(60_000));
    outbox = openOutbox(store.database.db, 1);
    fixture.clock.realMs += 2_000;
    await change(14, 'DEHAM', diana);
    await send();
    expect(slack.posted).toHaveLength(2);
    slack.find = find;
    fixture.clock.realMs += 60_000;
    expect(await send()).toMatchObject({ found: 1 });
  });

  it('looks up a reply under the old card before the card is posted again, and replies under the new one', async () => {
    const { id } = await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    await send();
    const before = (await fixture.find(id))?.cardTs;
    await change(7, 'DEHAM');
    slack.onPost = ({ message }) => {
      if (message.kind === 'reply') return 'cut';
      return message.kind === 'card-update'
        ? new PostError({ code: 'message_not_found', isPermanent: false })
        : undefined;
    };
    await send();
    slack.onPost = () => undefined;
    await change(34, 'BEANR');
    const cards: (string | null | undefined)[] = [];
    const { find } = slack;
    slack.find = (post, at) => {
      cards.push(post.delivery.operation === 'post' ? post.delivery.threadTs : undefined);
      return find(post, at);
    };
    fixture.clock.realMs += 2_000;
    await send();
    expect(cards).toEqual([before]);
    expect(slack.posted.map(({ message }) => message.kind)).toEqual(['reply', 'card', 'reply']);
    expect(slack.posted[2]?.watch?.cardTs).toBe('2');
  });

  it("pauses a watch that can't be posted, notifies its owner once, holds the rest, and goes on when resumed", async () => {
    const { id } = await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    await send();
    await change(7, 'DEHAM');
    await change(34, 'BEANR');
    slack.onPost = ({ message }) => (message.kind === 'notice' ? undefined : permanent('is_archived'));
    await send();
    await send();
    expect(slack.posted).toMatchObject([
      {
        channelId: 'U1',
        message: { kind: 'notice', reason: 'is_archived', channelId: 'C1', title: 'DS CYPRESS' },
      },
    ]);
    expect(await fixture.find(id)).toMatchObject({ status: 'paused', pauseReason: 'is_archived' });
    await change(41, 'GBFXT');
    const calls = fixture.calls.length;
    await fixture.at(60);
    expect(fixture.calls.length).toBe(calls);
    slack.onPost = () => undefined;
    await fixture.store.resume(id, fixture.by());
    await fixture.at(60);
    await send();
    expect(slack.posted.slice(1).map(({ message }) => message)).toMatchObject([
      { events: [{ next: { port: 'DEHAM' } }] },
      { events: [{ next: { port: 'BEANR' } }] },
      { events: [{ next: { port: 'GBFXT' } }] },
    ]);
    expect(await fixture.find(id)).toMatchObject({ status: 'active', pauseReason: null });
  });

  it('looks up a message that may have been sent before its watch was paused, and posts it once', async () => {
    const { id } = await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    await send();
    await change(7, 'DEHAM');
    slack.onPost = ({ message }) => (message.kind === 'reply' ? 'cut' : undefined);
    await send();
    slack.onPost = ({ message }) => (message.kind === 'notice' ? undefined : permanent('not_in_channel'));
    slack.refuseLookups = true;
    fixture.clock.realMs += 2_000;
    await send();
    expect(await fixture.find(id)).toMatchObject({ status: 'paused' });
    slack.onPost = () => undefined;
    slack.refuseLookups = false;
    await fixture.store.resume(id, fixture.by());
    expect(await send()).toMatchObject({ found: 1 });
    expect(slack.posted.map(({ message }) => message.kind)).toEqual(['reply', 'notice']);
  });

  it('marks a message “possibly repeated” after Resume if Slack still refuses the look-up', async () => {
    const { id } = await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    await send();
    await change(7, 'DEHAM');
    slack.onPost = ({ message }) => (message.kind === 'reply' ? new Error('timeout') : undefined);
    await send();
    slack.onPost = ({ message }) => (message.kind === 'notice' ? undefined : permanent('not_in_channel'));
    slack.refuseLookups = true;
    fixture.clock.realMs += 2_000;
    await send();
    slack.onPost = () => undefined;
    await fixture.store.resume(id, fixture.by());
    await send();
    expect(slack.posted).toMatchObject([
      { message: { kind: 'notice' }, isPossiblyRepeated: false },
      { message: { kind: 'reply' }, isPossiblyRepeated: true },
    ]);
  });

  it('does not look up refused messages after Resume', async () => {
    const { id } = await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    await send();
    await change(7, 'DEHAM');
    slack.onPost = ({ message }) => (message.kind === 'reply' ? rateLimited(1_000) : undefined);
    await send();
    slack.onPost = ({ message }) => (message.kind === 'notice' ? undefined : permanent('not_in_channel'));
    fixture.clock.realMs += 1_000;
    await send();
    slack.onPost = () => undefined;
    await fixture.store.resume(id, fixture.by());
    expect(await send()).toMatchObject({ found: 0 });
    expect(slack.posted.map(({ message }) => message.kind)).toEqual(['notice', 'reply']);
    expect(slack.lookups).toEqual([]);
  });

  it('an ended watch is paused too, and its owner notified, if its end could not be posted', async () => {
    const { id } = await fixture.watch([vessel(cypress)], { rules: chooseRules({ untilNextPort: true }) });
    await fixture.at(0);
    await send();
    await change(7, 'DEHAM');
    expect(await fixture.find(id)).toMatchObject({ status: 'ended' });
    slack.onPost = ({ message }) => (message.kind === 'notice' ? undefined : permanent('is_archived'));
    await send();
    await send();
    expect(slack.posted).toMatchObject([{ channelId: 'U1', message: { kind: 'notice' } }]);
    slack.onPost = () => undefined;
    await fixture.store.resume(id, fixture.by());
    await send();
    await fixture.at(8);
    await send();
    expect(slack.posted.slice(1)).toMatchObject([{ message: { events: [{ next: { port: 'DEHAM' } }] } }]);
    expect(await fixture.find(id)).toMatchObject({ status: 'ended' });
    const lost = {
      channelId: 'C1',
      code: 'is_archived',
      now: hour(8),
      realNow: fixture.by().realNow,
    };
    await pausingOf(store.database.db).markUnavailable(lost);
    expect(await fixture.find(id)).toMatchObject({ status: 'ended' });
  });

  it('updates a refreshed card as soon as it is polled, not before', async () => {
    const { id } = await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    await send();
    slack.updates = [];
    await fixture.store.refresh(id, fixture.by());
    await send();
    expect(slack.updates).toHaveLength(0);
    // A second later.
    await fixture.at(1 / 3600);
    await send();
    expect(slack.updates).toHaveLength(1);
  });

  it('does not wait an hour longer after a clock rollback of an hour', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    await change(7, 'DEHAM');
    slack.onPost = () => rateLimited(60_000);
    await send();
    slack.onPost = () => undefined;
    fixture.clock.realMs -= 3_600_000;
    await send();
    expect(slack.posted).toHaveLength(0);
    fixture.clock.realMs += 10 * 60_000;
    await send();
    expect(slack.posted.map(({ message }) => message.kind)).toEqual(['reply']);
  });

  it('keeps trying to notify an owner while the token is revoked', async () => {
    await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    await change(7, 'DEHAM');
    slack.onPost = () => permanent('token_revoked');
    await send();
    fixture.clock.realMs += 86_400_000;
    await send();
    // As after a weekend of tries, ten minutes apart.
    const { db } = store.database;
    await direct(db).updateTable('outbox').set({ attempts: 450 }).where('kind', '=', 'notice').execute();
    fixture.clock.realMs += 86_400_000;
    await send();
    slack.onPost = () => undefined;
    fixture.clock.realMs += 86_400_000;
    await send();
    expect(slack.posted.map(({ message }) => message.kind)).toEqual(['notice']);
  });

  it('notifies an owner once of all paused watches while the token is revoked', async () => {
    for (let count = 0; count < 30; count += 1)
      await fixture.watch([vessel(cypress)], { title: `watch ${String(count).padStart(2, '0')}` });
    await fixture.at(0);
    await change(7, 'DEHAM');
    slack.onPost = () => permanent('token_revoked');
    const other = openOutbox((await store.another()).db);
    await Promise.all([send(), other.runDue(hour(7))]);
    slack.onPost = () => undefined;
    fixture.clock.realMs += 86_400_000;
    await send();
    const notices = slack.posted.filter(({ message }) => message.kind.endsWith('notice'));
    expect(notices).toMatchObject([{ channelId: 'U1', message: { kind: 'channel-notice' } }]);
    const [{ message }] = notices as [(typeof notices)[0]]; // there is one
    const things = message.kind === 'channel-notice' ? message.things : [];
    expect(things.map(({ what, title }) => [what, title]).sort()).toEqual(
      Array.from({ length: 30 }, (_, count) => ['watch', `watch ${String(count).padStart(2, '0')}`]),
    );
  });

  it('posts a deleted card again, and replies under the new one', async () => {
    const { id } = await fixture.watch([vessel(cypress)]);
    await fixture.at(0);
    slack.onPost = ({ message }) =>
      message.kind === 'card-update'
        ? new PostError({ code: 'message_not_found', isPermanent: false })
        : undefined;
    await send();
    expect(slack.posted).toMatchObject([{ message: { kind: 'card' } }]);
    expect((await fixture.find(id))?.cardTs).toBe('1');
    slack.onPost = () => undefined;
    await change(7, 'DEHAM');
    await send();
    expect(slack.posted[1]?.watch?.cardTs).toBe('1');
  });

  it('groups four replies of a thread into one', async () => {
    const imos = [cypress, diana, 9811000 as Imo, 9839430 as Imo];
    for (const imo of imos) fixture.vessels.set(imo, { NLRTM: [0.9, 500] });
    await fixture.watch(imos.map(vessel));
    await fixture.at(0);
    for (const imo of imos) fixture.vessels.set(imo, { DEHAM: [0.9, 500] });
    await fixture.at(7);
    await send();
    expect(slack.posted).toHaveLength(1);
    const [{ message }] = slack.posted as [(typeof slack.posted)[0]];
    expect(message).toMatchObject({ kind: 'reply', place: 'broadcast' });
    expect(
      message.kind === 'reply' ? message.events.map((event) => 'imo' in event && event.imo).sort() : [],
    ).toEqual([...imos].sort());
  });

  it('reports all changes of a fleet in as few replies as possible', async () => {
    const imos = imosFrom(9_100_000, 40);
    for (const imo of imos) fixture.vessels.set(imo, { NLRTM: [0.9, 200] });
    await fixture.watch(imos.map(vessel), { title: 'fleet NORTH' });
    await fixture.at(0);
    await send();
    for (const [index, imo] of imos.entries())
      fixture.vessels.set(imo, index < 30 ? { NLRTM: [0.9, 230] } : { DEHAM: [0.9, 200] });
    await fixture.at(7);
    await send();
    const replies = slack.posted.flatMap(({ message }) => (message.kind === 'reply' ? [message] : []));
    expect(replies.map(({ place, more, events }) => [place, events.length, more])).toEqual([
      ['thread', 12, 18],
      ['thread', 12, 6],
      ['thread', 6, 0],
      ['broadcast', 10, 0],
    ]);
    const notified = replies.flatMap(({ events }) => events);
    expect(notified.filter(({ kind }) => kind === 'diverted')).toHaveLength(10);
    expect(notified.map((event) => 'imo' in event && event.imo).sort()).toEqual([...imos].sort());
  });

  it('names each vessel of a fleet once however often Slack has made its replies wait', async () => {
    const imos = imosFrom(9_100_000, 60);
    for (const imo of imos) fixture.vessels.set(imo, { NLRTM: [0.9, 500] });
    await fixture.watch(imos.map(vessel), { title: 'fleet NORTH' });
    await fixture.at(0);
    await send();
    for (const imo of imos) fixture.vessels.set(imo, { DEHAM: [0.9, 500] });
    await fixture.at(7);
    slack.onPost = () => rateLimited(1_000);
    for (let time = 0; time < 3; time += 1) {
      await send();
      fixture.clock.realMs += 1_000;
    }
    const named = (await rows()).flatMap(({ status, payload }) => {
      const message = watchMessage.parse(payload);
      return status === 'pending' && message.kind === 'reply' ? [message.subjects.length] : [];
    });
    expect(named).toEqual(Array(5).fill(12));
  });

  it('reports those of a list, which come in one answer', async () => {
    const imos = imosFrom(9_200_000, 30);
    const all = (port: string) =>
      Object.fromEntries(imos.map((imo) => [imo, { [port]: [0.9, 500] as const }]));
    fixture.lists.set('FEEDERS', all('NLRTM'));
    await fixture.watch([{ kind: 'shiplist', name: 'FEEDERS' }], { title: 'list FEEDERS' });
    await fixture.at(0);
    await send();
    fixture.lists.set('FEEDERS', all('DEHAM'));
    await fixture.at(7);
    await send();
    const replies = slack.posted.flatMap(({ message }) => (message.kind === 'reply' ? [message] : []));
    expect(replies.map(({ place, more, events }) => [place, events.length, more])).toEqual([
      ['broadcast', 12, 18],
      ['thread', 12, 6],
      ['thread', 6, 0],
    ]);
  });

  it('broadcasts what is critical in one answer on its own; the rest is in the thread', async () => {
    const imos = imosFrom(9_200_000, 30);
    const all = (moved: number, port: string) =>
      Object.fromEntries(
        imos.map((imo, index) => [imo, { [index < 20 ? 'NLRTM' : port]: [0.9, moved] as const }]),
      );
    fixture.lists.set('FEEDERS', all(200, 'NLRTM'));
    await fixture.watch([{ kind: 'shiplist', name: 'FEEDERS' }], { title: 'list FEEDERS' });
    await fixture.at(0);
    await send();
    fixture.lists.set('FEEDERS', all(230, 'DEHAM'));
    expect(await fixture.at(7)).toMatchObject({ replies: 1 });
    await send();
    const replies = slack.posted.flatMap(({ message }) => (message.kind === 'reply' ? [message] : []));
    expect(
      replies.map(({ place, more, events }) => [
        place,
        more,
        events.length,
        new Set(events.map(({ kind }) => kind)),
      ]),
    ).toEqual([
      ['broadcast', 0, 10, new Set(['diverted'])],
      ['thread', 8, 12, new Set(['eta-slipped'])],
      ['thread', 0, 8, new Set(['eta-slipped'])],
    ]);
  });

  it("posts each part of a long answer once, even if Slack's answers were lost", async () => {
    const imos = imosFrom(9_200_000, 30);
    const all = (port: string) =>
      Object.fromEntries(imos.map((imo) => [imo, { [port]: [0.9, 500] as const }]));
    fixture.lists.set('FEEDERS', all('NLRTM'));
    await fixture.watch([{ kind: 'shiplist', name: 'FEEDERS' }], { title: 'list FEEDERS' });
    await fixture.at(0);
    await send();
    fixture.lists.set('FEEDERS', all('DEHAM'));
    await fixture.at(7);
    slack.onPost = ({ message }) => (message.kind === 'reply' ? 'cut' : undefined);
    for (let time = 0; time < 4; time += 1) {
      await send();
      fixture.clock.realMs += 60_000;
    }
    const replies = slack.posted.flatMap(({ message }) => (message.kind === 'reply' ? [message] : []));
    expect(replies.map(({ events, more }) => [events.length, more])).toEqual([
      [12, 18],
      [12, 6],
      [6, 0],
    ]);
  });

  it('posts one message in a channel instead of four, after their threads', async () => {
    await watchApart(4);
    await fixture.at(0);
    await send();
    await changeAll(7);
    await send();
    expect(
      slack.posted.map(({ message }) => (message.kind === 'reply' ? message.place : message.kind)),
    ).toEqual(['thread', 'thread', 'thread', 'thread', 'summary']);
    const summary = slack.posted[4];
    expect(summary?.members.map(({ ts }) => ts).sort()).toEqual(['1', '2', '3', '4']);
    expect(
      summary?.message.kind === 'summary' ? summary.message.items.map(({ title }) => title).sort() : [],
    ).toEqual(['watch 1', 'watch 2', 'watch 3', 'watch 4']);
  });

  it('posts one message instead of five if each alert would be one; the alerts are in their threads', async () => {
    const { db } = store.database;
    await saveChannelSettings(
      db,
      { workspaceId, channelId: 'C1' },
      { change: { mode: 'new-message' }, actorId: 'U1', now: hour(0), id: fixture.newId() },
    );
    await watchApart(5);
    await fixture.at(0);
    await send();
    await changeAll(7);
    await send();
    expect(
      slack.posted.map(({ message }) => (message.kind === 'reply' ? message.place : message.kind)),
    ).toEqual(['thread', 'thread', 'thread', 'thread', 'thread', 'summary']);
  });

  it('shows each event in one summary only, if further alerts come before the first summary goes out', async () => {
    await watchApart(4);
    await fixture.at(0);
    await send();
    const ports = ['DEHAM', 'BEANR', 'GBFXT', 'FRLEH', 'SGSIN'];
    slack.onPost = () => rateLimited(3_600_000);
    for (const [index, port] of ports.entries()) {
      for (const imo of fixture.vessels.keys()) fixture.vessels.set(imo, { [port]: [0.9, 500] });
      await fixture.at(7 * (index + 1));
      await send();
    }
    slack.onPost = () => undefined;
    fixture.clock.realMs += 7_200_000;
    await send();
    const shown = slack.posted.flatMap(({ message }) =>
      message.kind === 'summary'
        ? message.items.flatMap(({ title, events }) => events.map(({ kind, ...event }) => [title, event]))
        : [],
    );
    expect(shown).toHaveLength(4 * ports.length);
    expect(new Set(shown.map((event) => JSON.stringify(event))).size).toBe(shown.length);
  });

  it('loses no alert if Slack refuses a summary: the threads have them, and the watches are paused', async () => {
    const { db } = store.database;
    await saveChannelSettings(
      db,
      { workspaceId, channelId: 'C1' },
      { change: { mode: 'new-message' }, actorId: 'U1', now: hour(0), id: fixture.newId() },
    );
    const watches = await watchApart(4);
    await fixture.at(0);
    await send();
    await changeAll(7);
    slack.onPost = ({ message }) => (message.kind === 'summary' ? permanent('restricted_action') : undefined);
    await send();
    expect(slack.posted.map(({ channelId, message }) => [channelId, message.kind])).toEqual([
      ...watches.map(() => ['C1', 'reply']),
      ['U1', 'channel-notice'],
    ]);
    slack.onPost = () => undefined;
    for (const { id } of watches) {
      expect(await fixture.find(id)).toMatchObject({ status: 'paused', pauseReason: 'restricted_action' });
      await fixture.store.resume(id, fixture.by());
    }
    await send();
    expect(slack.posted.slice(5)).toEqual([]);
  });

  it('two processes that send at once post each message once', async () => {
    for (let count = 1; count <= 3; count += 1) {
      await fixture.watch([vessel(cypress), vessel(diana)], { channelId: `C${count}` });
    }
    await fixture.at(0);
    await send();
    const other = openOutbox((await store.another()).db);
    for (const [index, port] of ['DEHAM', 'BEANR', 'GBFXT'].entries()) {
      fixture.vessels.set(diana, { [port]: [0.9, 500] });
      await change(30 * (index + 1), port);
    }
    await Promise.all([send(), other.runDue(hour(90))]);
    await send();
    const ids = slack.posted.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const notified = slack.posted.flatMap(({ message }) => (message.kind === 'reply' ? message.events : []));
    expect(notified).toHaveLength(18);
  });
});

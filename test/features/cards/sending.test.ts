import { describe, expect, it, vi } from 'vitest';
import { watchMessage } from '../../../src/features/cards/messages.ts';
import { chooseRules } from '../../../src/features/rules/registry.ts';
import { PostError } from '../../../src/outbox/outgoing-message.ts';
import type { Imo } from '../../../src/reference/codes.ts';
import { pausingOf } from '../../support/pausing.ts';
import { engines, passLeaseTime } from '../../support/store-engines.ts';
import { useWatches } from '../../support/use-watches.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { permanent, rateLimited, shownOf } from '../../support/watch-slack.ts';
import { cypress, diana, hour, vessel } from '../../support/watch-story.ts';

const imosFrom = (first: number, count: number): Imo[] =>
  Array.from({ length: count }, (_, index) => (first + index) as Imo);

describe.each(engines)('the messages of watches, $engine', ({ open }) => {
  const { store, fixture, slack, openOutbox, useOutbox, send, divert, outboxRows, setMode, watched } =
    useWatches(open);
  /** Vessels far from Rotterdam, whose first answer is stored and shown. */
  const begin = async (...watched: readonly (readonly Imo[])[]) => {
    const watches = [];
    for (const [index, imos] of watched.entries()) {
      for (const imo of imos) fixture.vessels.set(imo, { NLRTM: [0.9, 500] });
      watches.push(
        await fixture.watch(
          imos.map((imo) => vessel(imo)),
          { title: `watch ${index + 1}` },
        ),
      );
    }
    await fixture.at(0);
    await send();
    return watches;
  };
  const apart = (count: number) => imosFrom(9_300_000, count).map((imo) => [imo]);
  const divertAll = async (hours: number) => {
    for (const imo of fixture.vessels.keys()) fixture.vessels.set(imo, { DEHAM: [0.9, 500] });
    await fixture.at(hours);
  };
  const replies = () => slack.posted.flatMap(({ message }) => (message.kind === 'reply' ? [message] : []));
  const kinds = () =>
    slack.posted.map(({ message }) => (message.kind === 'reply' ? message.place : message.kind));

  it('is not taken over while Slack takes longer than a lease', async () => {
    await begin([cypress]);
    await divert(7, 'DEHAM');
    const leaseUntil = async () =>
      Number((await outboxRows()).find(({ status }) => status === 'sending')?.lease_until);
    const other = openOutbox(await store.another());
    const { post } = slack;
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    slack.post = async (message) => {
      if ((await shownOf(message)).message.kind === 'reply') {
        asked.resolve();
        await answered.promise;
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
    answered.resolve();
    expect(await slow).toMatchObject({ sent: 1 });
    expect(slack.posted).toHaveLength(1);
    expect(slack.lookups).toEqual([]);
  });

  it('sends alerts while card updates wait, which wait in all channels', async () => {
    fixture.vessels.set(cypress, { NLRTM: [0.9, 500] });
    for (const channelId of ['C1', 'C2']) await fixture.watch([vessel()], { channelId });
    useOutbox({ concurrency: 1 });
    let tries = 0;
    slack.onPost = ({ message }) => {
      if (message.kind !== 'card-update') return undefined;
      tries += 1;
      return rateLimited(30_000);
    };
    await fixture.at(0);
    await send();
    expect(tries).toBe(1);
    await divert(7, 'DEHAM');
    await send();
    expect(slack.posted.map(({ channelId }) => channelId).sort()).toEqual(['C1', 'C2']);
    slack.onPost = () => undefined;
    await send(30_000);
    expect(new Set(slack.updates.map(({ channelId }) => channelId))).toEqual(new Set(['C1', 'C2']));
  });

  it('waits exactly as long as Slack asks, however often, and never fails because of it', async () => {
    await begin([cypress]);
    await divert(7, 'DEHAM');
    slack.onPost = ({ message }) => (message.kind === 'reply' ? rateLimited(3_000) : undefined);
    for (let time = 0; time < 25; time += 1)
      expect(await send(3_000)).toMatchObject({ retried: 1, refused: 0 });
    slack.onPost = ({ message }) =>
      message.kind === 'reply' ? new PostError({ code: 'internal_error', isPermanent: false }) : undefined;
    expect(await send(3_000)).toMatchObject({ retried: 1, refused: 0 });
    slack.onPost = () => undefined;
    expect(await send(2_000)).toMatchObject({ sent: 1 });
  });

  it('sends new alerts while Slack refuses look-ups', async () => {
    await begin([cypress], [diana]);
    await divert(7, 'DEHAM');
    slack.onPost = ({ message }) => (message.kind === 'reply' ? 'cut' : undefined);
    await send();
    slack.onPost = () => undefined;
    const { find } = slack;
    slack.find = () => Promise.reject(rateLimited(60_000));
    useOutbox({ concurrency: 1 });
    await divert(14, 'DEHAM', diana);
    await send(2_000);
    expect(slack.posted).toHaveLength(2);
    slack.find = find;
    expect(await send(60_000)).toMatchObject({ found: 1 });
  });

  it('looks up a reply under the old card before the card is posted again, and replies under the new one', async () => {
    const [watch] = await begin([cypress]);
    await divert(7, 'DEHAM');
    slack.onPost = ({ message }) => {
      if (message.kind === 'reply') return 'cut';
      return message.kind === 'card-update'
        ? new PostError({ code: 'message_not_found', isPermanent: false })
        : undefined;
    };
    await send();
    slack.onPost = () => undefined;
    await divert(34, 'BEANR');
    const cards: (string | null | undefined)[] = [];
    const { find } = slack;
    slack.find = (post, at) => {
      cards.push(post.delivery.operation === 'post' ? post.delivery.threadTs : undefined);
      return find(post, at);
    };
    await send(2_000);
    expect(cards).toEqual([watch?.cardTs]);
    expect(slack.posted.map(({ message }) => message.kind)).toEqual(['reply', 'card', 'reply']);
    expect(slack.posted[2]?.watch?.cardTs).toBe('2');
  });

  it.each([
    ['is looked up, and not posted again', 'cut', false, ['reply', 'notice'], false],
    [
      'is posted, “possibly repeated” if the look-up is refused',
      new Error('timeout'),
      true,
      ['notice', 'reply'],
      true,
    ],
    [
      'is posted without a look-up if Slack had refused it',
      rateLimited(1_000),
      false,
      ['notice', 'reply'],
      false,
    ],
  ] as const)('a reply of a watch that was paused and resumed %s', async (_, fate, refuses, posted, isRepeated) => {
    const [{ id } = { id: '' }] = await begin([cypress]);
    await divert(7, 'DEHAM');
    slack.onPost = ({ message }) => (message.kind === 'reply' ? fate : undefined);
    await send();
    slack.onPost = ({ message }) => (message.kind === 'notice' ? undefined : permanent('not_in_channel'));
    slack.refuseLookups = true;
    await send(2_000);
    expect(await fixture.find(id)).toMatchObject({ status: 'paused', pauseReason: 'not_in_channel' });
    slack.onPost = () => undefined;
    slack.refuseLookups = refuses;
    await fixture.store.resume(id, fixture.by());
    await send();
    expect(slack.posted.map(({ message }) => message.kind)).toEqual(posted);
    expect(slack.posted.some(({ isPossiblyRepeated }) => isPossiblyRepeated)).toBe(isRepeated);
    expect(await fixture.find(id)).toMatchObject({ status: 'active', pauseReason: null });
  });

  it('an ended watch is paused too, and its owner notified, if its end could not be posted', async () => {
    const { id } = await watched({ NLRTM: [0.9, 500] }, { rules: chooseRules({ untilNextPort: true }) });
    await send();
    await divert(7, 'DEHAM');
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
    const { now, realNow } = fixture.by();
    const unavailable = { channelId: 'C1', code: 'is_archived', now, realNow };
    await pausingOf(store.database.db).markUnavailable(unavailable);
    expect(await fixture.find(id)).toMatchObject({ status: 'ended' });
  });

  it('updates a refreshed card as soon as it is polled, not before', async () => {
    const [{ id } = { id: '' }] = await begin([cypress]);
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
    await begin([cypress]);
    await divert(7, 'DEHAM');
    slack.onPost = () => rateLimited(60_000);
    await send();
    slack.onPost = () => undefined;
    await send(-3_600_000);
    expect(slack.posted).toHaveLength(0);
    await send(10 * 60_000);
    expect(replies()).toHaveLength(1);
  });

  it('notifies an owner once of all paused watches while the token is revoked', async () => {
    await begin(...Array.from({ length: 30 }, () => [cypress]));
    await divert(7, 'DEHAM');
    slack.onPost = () => permanent('token_revoked');
    const other = openOutbox(await store.another());
    await Promise.all([send(), other.runDue(hour(7))]);
    slack.onPost = () => undefined;
    await send(86_400_000);
    const notices = slack.posted.filter(({ message }) => message.kind.endsWith('notice'));
    expect(notices).toMatchObject([{ channelId: 'U1', message: { kind: 'channel-notice' } }]);
    const [{ message }] = notices as [(typeof notices)[0]]; // there is one
    const things = message.kind === 'channel-notice' ? message.things : [];
    expect(things.map(({ what, title }) => [what, title]).sort()).toEqual(
      Array.from({ length: 30 }, (_, index) => ['watch', `watch ${index + 1}`]).sort(),
    );
  });

  it('reports all changes of a fleet in as few replies as possible', async () => {
    const imos = imosFrom(9_100_000, 40);
    await begin(imos);
    for (const [index, imo] of imos.entries())
      fixture.vessels.set(imo, index < 30 ? { NLRTM: [0.9, 200] } : { DEHAM: [0.9, 500] });
    await fixture.at(7);
    await send();
    expect(replies().map(({ place, more, events }) => [place, events.length, more])).toEqual([
      ['thread', 12, 18],
      ['thread', 12, 6],
      ['thread', 6, 0],
      ['broadcast', 10, 0],
    ]);
    const notified = replies().flatMap(({ events }) => events);
    expect(notified.filter(({ kind }) => kind === 'diverted')).toHaveLength(10);
    expect(notified.map((event) => 'imo' in event && event.imo).sort()).toEqual([...imos].sort());
  });

  it('names each vessel of a fleet once however often Slack has made its replies wait', async () => {
    const imos = imosFrom(9_100_000, 60);
    await begin(imos);
    await divertAll(7);
    slack.onPost = () => rateLimited(1_000);
    for (let time = 0; time < 3; time += 1) await send(1_000);
    const named = (await outboxRows()).flatMap(({ status, payload }) => {
      const message = watchMessage.parse(payload);
      return status === 'pending' && message.kind === 'reply' ? [message.subjects.length] : [];
    });
    expect(named).toEqual(Array(5).fill(12));
  });

  it("broadcasts what is critical in one answer on its own, with the rest in the thread; each part once, even if Slack's answers were lost", async () => {
    const imos = imosFrom(9_200_000, 30);
    const all = (moved: number, port: string) =>
      Object.fromEntries(
        imos.map((imo, index) => [imo, { [index < 20 ? 'NLRTM' : port]: [0.9, moved] as const }]),
      );
    fixture.lists.set('FEEDERS', all(200, 'NLRTM'));
    await fixture.watch([{ kind: 'shiplist', name: 'FEEDERS' }], { title: 'list FEEDERS' });
    await fixture.at(0);
    await send();
    slack.onPost = ({ message }) => (message.kind === 'reply' ? 'cut' : undefined);
    fixture.lists.set('FEEDERS', all(230, 'DEHAM'));
    expect(await fixture.at(7)).toMatchObject({ replies: 1 });
    for (let time = 0; time < 4; time += 1) await send(60_000);
    expect(
      replies().map(({ place, more, events }) => [
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
    const diverted = imos.map((imo) => [imo, { BEANR: [0.9, 230] as const }]);
    fixture.lists.set('FEEDERS', Object.fromEntries(diverted));
    await fixture.at(14);
    for (let time = 0; time < 4; time += 1) await send(60_000);
    const later = replies().slice(3);
    expect(later.map(({ place, events, more }) => [place, events.length, more])).toEqual([
      ['broadcast', 12, 18],
      ['thread', 12, 6],
      ['thread', 6, 0],
    ]);
  });

  it.each([
    ['broadcast-critical', 4],
    ['new-message', 5],
  ] as const)('mode %s: one message in the channel instead of %i, after their threads', async (mode, count) => {
    await setMode(mode);
    await begin(...apart(count));
    await divertAll(7);
    await send();
    expect(kinds()).toEqual([...Array(count).fill('thread'), 'summary']);
    const summary = slack.posted.at(-1);
    expect(summary?.members).toHaveLength(count);
    expect(summary?.message.kind === 'summary' && summary.message.items).toHaveLength(count);
  });

  it('shows each event in one summary only, if further alerts come before the first summary goes out', async () => {
    await begin(...apart(4));
    const ports = ['DEHAM', 'BEANR', 'GBFXT', 'FRLEH', 'SGSIN'];
    slack.onPost = () => rateLimited(3_600_000);
    for (const [index, port] of ports.entries()) {
      for (const imo of fixture.vessels.keys()) fixture.vessels.set(imo, { [port]: [0.9, 500] });
      await fixture.at(7 * (index + 1));
      await send();
    }
    slack.onPost = () => undefined;
    await send(7_200_000);
    const shown = slack.posted.flatMap(({ message }) =>
      message.kind === 'summary'
        ? message.items.flatMap(({ title, events }) => events.map(({ kind, ...event }) => [title, event]))
        : [],
    );
    expect(shown).toHaveLength(4 * ports.length);
    expect(new Set(shown.map((event) => JSON.stringify(event))).size).toBe(shown.length);
  });

  it('loses no alert if Slack refuses a summary: the threads have them, and the watches are paused', async () => {
    await setMode('new-message');
    const watches = await begin(...apart(4));
    await divertAll(7);
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
});

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { beginRecovery } from '../../src/database/recovery.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { createOutbox } from '../../src/outbox/outbox.ts';
import {
  type OutgoingMessage,
  outgoingMessage,
  type Post,
  PostError,
  type Poster,
  pendingMessage,
} from '../../src/outbox/outgoing-message.ts';
import type { Imo } from '../../src/reference/codes.ts';
import { direct } from '../support/statements/direct.ts';
import { engines, seedWorkspace, workspaceId } from '../support/store-engines.ts';
import { createStoreLogger } from '../support/store-logger.ts';
import { useStore } from '../support/use-store.ts';
import { createWatchFixture } from '../support/watch-fixture.ts';

const now = new Date('2026-11-23T00:00Z');

/** A feature that exists only here: a poll with a first message, its updates, votes below it, and results. */
function pollMessages(log: string[]): OutgoingMessage[] {
  const said = <Kind extends string>(kind: Kind) => z.object({ kind: z.literal(kind), words: z.string() });
  const render = (words: string) => async () => ({ text: words, blocks: [] });
  const post = async ({ words }: { words: string }) => ({ render: render(words) });
  const note =
    (what: string): NonNullable<OutgoingMessage['onRefused']> =>
    async ({ allWorkspaces: db }, { row, code }) => {
      log.push(`${what} ${row.id}: ${code}`);
      await direct(db).updateTable('outbox').set({ status: 'held' }).where('id', '=', row.id).execute();
    };
  return [
    outgoingMessage('question', {
      payload: z.object({ kind: z.literal('question'), words: z.string().default('the question') }),
      operation: 'post',
      inThread: 'opener',
      open: post,
      onSent: async ({ allWorkspaces: db }, { row, ts }) => {
        await direct(db)
          .updateTable('outbox')
          .set({ error: `stands at ${ts}` })
          .where('id', '=', row.id)
          .execute();
      },
    }),
    outgoingMessage('question-update', {
      payload: said('question-update'),
      operation: 'update',
      inThread: 'opener',
      postedAgainAs: 'question',
      open: async ({ words }) => ({ ts: '1', render: render(words) }),
    }),
    outgoingMessage('question-closed', {
      payload: said('question-closed'),
      operation: 'update',
      open: async ({ words }) => ({ ts: '1', render: render(words) }),
    }),
    outgoingMessage('vote', {
      payload: said('vote'),
      operation: 'post',
      inThread: 'reply',
      open: async ({ words }) => ({ threadTs: '1', render: render(words) }),
      onRefused: note('vote'),
      // `a,b` becomes `a` and `b`.
      async group(store, { newId }) {
        const rows = await store
          .selectFrom('outbox')
          .selectAll()
          .where('kind', '=', 'vote')
          .where('status', '=', 'pending')
          .where('lease_token', 'is', null)
          .execute();
        for (const row of rows) {
          const [words = '', ...others] = said('vote').parse(row.payload).words.split(',');
          if (others.length === 0) continue;
          const payload = JSON.stringify({ kind: 'vote', words });
          await store.updateTable('outbox').set({ payload }).where('id', '=', row.id).execute();
          const { thread_key: threadKey, channel_id: channelId, created_at, due_at: dueAt } = row;
          const message = { kind: 'vote', words: others.join(',') };
          const next = { id: newId(), threadKey, channelId, message, now: created_at, dueAt };
          await store.insertInto('outbox', pendingMessage(next)).execute();
          log.push(`split ${row.id}`);
        }
      },
    }),
    outgoingMessage('results', {
      payload: said('results').extend({ of: z.array(z.string()) }),
      operation: 'post',
      open: post,
    }),
    outgoingMessage('complaint', {
      payload: said('complaint'),
      operation: 'post',
      isNotice: true,
      open: post,
    }),
    outgoingMessage('withdrawal', {
      payload: said('withdrawal'),
      operation: 'remove',
      open: async ({ words: id }) => ({ id, since: now }),
    }),
  ];
}

describe.each(engines)('the outbox, with a feature that exists only here, $engine', ({ open }) => {
  const store = useStore(open);
  let log: string[];
  let thread: string;
  let clock: Date;
  let ids: number;
  /** The requests to Slack, in order. */
  let requests: string[];
  let found: boolean;
  let lookedUpSince: Date[];
  let meet: (post: Post) => Error | undefined;
  beforeEach(async () => {
    await store.database.db.deleteFrom('workspaces').execute();
    await seedWorkspace(store.database);
    const watch = await createWatchFixture(store.database).watch([{ kind: 'vessel', imo: 9461477 as Imo }]);
    await direct(store.database.db).deleteFrom('outbox').execute();
    thread = watch.id;
    log = [];
    requests = [];
    clock = now;
    ids = 0;
    found = false;
    lookedUpSince = [];
    meet = () => undefined;
  });

  const poster: Poster = {
    async post(post) {
      const { delivery } = post;
      const words = delivery.operation === 'remove' ? delivery.id : (await delivery.render()).text;
      requests.push(`${delivery.operation} ${words}`);
      const error = meet(post);
      if (error) throw error;
      return { ts: `${requests.length}` };
    },
    async find({ id }, since) {
      requests.push(`find ${id}`);
      lookedUpSince.push(since);
      return found ? { ts: '7' } : 'absent';
    },
  };
  const newId = () => `new-${++ids}`;
  const outboxOf = (outgoing: OutgoingMessage[], more: Partial<Parameters<typeof createOutbox>[0]> = {}) =>
    createOutbox({
      ctx: undefined,
      store: storeOf(store.database.db, workspaceId),
      outgoing,
      poster,
      realNow: () => clock.getTime(),
      newId,
      logger: createStoreLogger(),
      concurrency: 1,
      ...more,
    });
  const send = () => outboxOf(pollMessages(log)).runDue(now);
  const sendAfter = (ms: number) => {
    clock = new Date(clock.getTime() + ms);
    return send();
  };
  const row = async (id: string) =>
    direct(store.database.db).selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const insert = (more: {
    id: string;
    message: { kind: string; words: string };
    threadKey?: string | null;
    channelId?: string;
  }) =>
    storeOf(store.database.db, workspaceId)
      .insertInto('outbox', pendingMessage({ channelId: 'C1', now, dueAt: clock, ...more }))
      .execute();
  const change = (id: string, to: { status?: string; attempts?: number }) =>
    direct(store.database.db).updateTable('outbox').set(to).where('id', '=', id).execute();
  /** Its id is its kind and a number: `vote-1`. */
  const write = async (id: string, words: string, more: object = {}) => {
    const kind = id.replace(/-\d$/, '');
    const inThread = /^(?:question|question-update|vote)$/.test(kind);
    const message = { kind, words, ...more };
    await insert({ id, threadKey: inThread ? thread : null, message });
  };
  const refused = (code: string, isPermanent = false) => new PostError({ code, isPermanent });
  const isOperation = (what: Post['delivery']['operation']) => (post: Post) =>
    post.delivery.operation === what;

  it('sends replies in order, after their opener and before messages that refer to them', async () => {
    await write('results-1', 'results', { of: ['vote-1', 'vote-2'] });
    await write('question-update-1', 'updated');
    await write('vote-1', 'yes');
    await write('vote-2', 'no');
    await write('question-1', 'why?');
    const votes = direct(store.database.db).updateTable('outbox').where('kind', '=', 'vote');
    await votes.set({ goes_before: 'results-1' }).execute();
    expect(await send()).toMatchObject({ sent: 5 });
    // The update was written before the opener, so it goes out before it.
    expect(requests).toEqual(['update updated', 'post why?', 'post yes', 'post no', 'post results']);
    // `onSent` is part of the transaction that marks it as sent.
    expect(await row('question-1')).toMatchObject({ status: 'sent', ts: '2', error: 'stands at 2' });
  });

  it('looks up only posts with an unknown outcome', async () => {
    await write('vote-1', 'yes');
    await write('question-update-1', 'updated');
    await write('withdrawal-1', 'gone');
    meet = () => new Error('timeout');
    await send();
    requests = [];
    meet = () => undefined;
    found = true;
    expect(await sendAfter(2_000)).toMatchObject({ found: 1, sent: 2 });
    expect(requests.sort()).toEqual(['find vote-1', 'remove gone', 'update updated']);
    expect(await row('vote-1')).toMatchObject({ status: 'sent', ts: '7' });
  });

  describe('after a restore', () => {
    /** As a restore does. */
    const backedUpAt = new Date('2026-11-22T21:00Z');
    const restored = () =>
      beginRecovery(store.database.db, { backedUpAt, restoredAt: new Date('2026-11-22T23:00Z') });

    it('looks up a waiting post since the backup, and posts it once it is known to be absent', async () => {
      await write('vote-1', 'yes');
      await write('results-1', 'results', { of: [] });
      await write('question-update-1', 'updated');
      await restored();
      found = true;
      expect(await send()).toMatchObject({ found: 2, sent: 1 });
      expect(requests.sort()).toEqual(['find results-1', 'find vote-1', 'update updated']);
      expect(lookedUpSince).toEqual([backedUpAt, backedUpAt]);
      await write('vote-2', 'no');
      await write('vote-3', 'maybe');
      await change('vote-3', { status: 'held' });
      await restored();
      await change('vote-3', { status: 'pending' });
      [found, requests] = [false, []];
      expect(await send()).toMatchObject({ found: 0, sent: 2 });
      expect(requests).toEqual(['find vote-2', 'post no', 'find vote-3', 'post maybe']);
    });

    it('looks it up again after a refusal, and after a process that died before it was posted', async () => {
      await write('vote-1', 'yes');
      await restored();
      meet = () => refused('ratelimited');
      expect(await send()).toMatchObject({ retried: 1 });
      meet = () => undefined;
      [found, requests] = [true, []];
      expect(await sendAfter(60_000)).toMatchObject({ found: 1 });
      expect(requests).toEqual(['find vote-1']);
      expect(lookedUpSince).toEqual([backedUpAt, backedUpAt]);
    });

    it('says so if Slack refuses the look-up', async () => {
      await write('vote-1', 'yes');
      await restored();
      const repeated: boolean[] = [];
      const blind: Poster = {
        find: async () => 'unknown',
        async post(post) {
          repeated.push(post.isPossiblyRepeated);
          return { ts: '1' };
        },
      };
      await outboxOf(pollMessages(log), { poster: blind }).runDue(now);
      expect(repeated).toEqual([true]);
    });

    it('delays all look-ups that Slack has limited', async () => {
      await write('vote-1', 'yes');
      await write('results-1', 'results', { of: [] });
      await restored();
      const limited: Poster = {
        ...poster,
        async find({ id }) {
          requests.push(`find ${id}`);
          throw new PostError({ code: 'ratelimited', isPermanent: false, retryAfterMs: 30_000 });
        },
      };
      await outboxOf(pollMessages(log), { poster: limited }).runDue(now);
      expect(requests).toHaveLength(1);
    });
  });

  it('posts a message again if an update finds it gone, or does nothing', async () => {
    meet = (post) => (isOperation('update')(post) ? refused('message_not_found') : undefined);
    await write('question-update-1', 'updated');
    await write('question-closed-1', 'closed');
    expect(await send()).toMatchObject({ retried: 1, sent: 2 });
    expect(requests).toEqual(['update closed', 'update updated', 'post the question']);
    expect(await row('question-update-1')).toMatchObject({ kind: 'question', status: 'sent' });
    expect(await row('question-closed-1')).toMatchObject({ status: 'sent', ts: null });
  });

  it('passes a final refusal to the feature, or marks the message as failed', async () => {
    meet = () => refused('is_archived', true);
    await write('vote-1', 'yes');
    await write('results-1', 'results', { of: [] });
    expect(await send()).toMatchObject({ refused: 2 });
    expect(log).toEqual(['vote vote-1: is_archived']);
    expect(await row('vote-1')).toMatchObject({ status: 'held', error: 'is_archived', attempted_at: null });
    expect(await row('results-1')).toMatchObject({ status: 'failed', error: 'is_archived' });
  });

  it('keeps trying a notice, whatever Slack answers', async () => {
    meet = () => refused('token_revoked', true);
    await write('complaint-1', 'help');
    expect(await send()).toMatchObject({ retried: 1, refused: 0 });
    await change('complaint-1', { attempts: 1_019 });
    expect(await sendAfter(600_000)).toMatchObject({ refused: 1 });
    expect(await row('complaint-1')).toMatchObject({ status: 'failed' });
  });

  it('groups before it sends', async () => {
    await write('vote-1', 'yes,no');
    expect(await send()).toMatchObject({ sent: 2, retried: 0 });
    expect(requests).toEqual(['post yes', 'post no']);
    expect(log).toEqual(['split vote-1']);
  });

  describe('while Slack is slow', () => {
    /** A message without a thread, in any channel. */
    const writeTo = (channelId: string, id: string) =>
      insert({ id, channelId, message: { kind: 'complaint', words: id } });
    /** Slack's answer to each post waits for the test. */
    function createSlowSlack() {
      const posted = createGates();
      const answered = createGates();
      return {
        answer: (id: string) => answered(id).resolve(),
        posted: (id: string) => posted(id).promise,
        poster: {
          ...poster,
          async post(post: Post) {
            requests.push(`post ${post.id}`);
            posted(post.id).resolve();
            await answered(post.id).promise;
            return { ts: '1' };
          },
        },
      };
    }

    it('in one channel, a message that comes up in another goes out', async () => {
      const slack = createSlowSlack();
      const pausing = Promise.withResolvers<void>();
      const paused = Promise.withResolvers<void>();
      let pauses = 0;
      const pause = async (end: Promise<void>) => {
        pauses += 1;
        pausing.resolve();
        await (pauses === 1 ? paused.promise : end);
      };
      await writeTo('C1', 'slow-1');
      await writeTo('C1', 'slow-2');
      const outbox = outboxOf(pollMessages(log), { poster: slack.poster, concurrency: 2, pause });
      const run = outbox.runDue(now);
      await pausing.promise;
      await slack.posted('slow-1');
      await writeTo('C2', 'quick');
      paused.resolve();
      await slack.posted('quick');
      expect(requests).toEqual(['post slow-1', 'post quick']);
      for (const id of ['quick', 'slow-1', 'slow-2']) slack.answer(id);
      expect(await run).toMatchObject({ sent: 3 });
      expect(requests).toEqual(['post slow-1', 'post quick', 'post slow-2']);
    });

    it('beyond the end of a round, the next one sends to other channels', async () => {
      const slack = createSlowSlack();
      const ends = [async () => {}, (end: Promise<void>) => end];
      let mayClaim = true;
      const pause = async (end: Promise<void>) => {
        await ends.shift()?.(end);
        mayClaim = false;
      };
      await writeTo('C1', 'slow');
      const outbox = outboxOf(pollMessages(log), { poster: slack.poster, concurrency: 2, pause });
      await outbox.runDue(now, () => mayClaim);
      await slack.posted('slow');
      await writeTo('C1', 'after-slow');
      await writeTo('C2', 'quick');
      slack.answer('quick');
      mayClaim = true;
      expect(await outbox.runDue(now, () => mayClaim)).toMatchObject({ sent: 1 });
      expect(requests).toEqual(['post slow', 'post quick']);
      slack.answer('slow');
      await outbox.finish();
      expect(await row('slow')).toMatchObject({ status: 'sent' });
      expect(await row('after-slow')).toMatchObject({ status: 'pending', lease_token: null });
    });

    it('for ever, its channel is free again after two minutes', async () => {
      const slack = createSlowSlack();
      let mayClaim = true;
      const pause = async (end: Promise<void>) => {
        if (mayClaim) mayClaim = false;
        else await end;
      };
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      await writeTo('C1', 'unanswered');
      const outbox = outboxOf(pollMessages(log), { poster: slack.poster, pause });
      await outbox.runDue(now, () => mayClaim);
      await slack.posted('unanswered');
      await vi.advanceTimersByTimeAsync(120_000);
      await outbox.finish();
      vi.useRealTimers();
      await writeTo('C1', 'next');
      slack.answer('next');
      expect(await outbox.runDue(now)).toMatchObject({ sent: 1 });
      expect(requests).toEqual(['post unanswered', 'post next']);
    });

    it('an alert goes out before updates in its channel that were claimed more than a second ago', async () => {
      await write('question-closed-1', 'first');
      await write('question-closed-2', 'second');
      meet = ({ id }) => {
        if (id === 'question-closed-1') clock = new Date(clock.getTime() + 1_000);
        return undefined;
      };
      const slow: Poster = {
        ...poster,
        async post(post) {
          if (post.id === 'question-closed-1') await write('complaint-1', 'alert');
          return poster.post(post);
        },
      };
      const outbox = outboxOf(pollMessages(log), { poster: slow, concurrency: 8 });
      expect(await outbox.runDue(now)).toMatchObject({ sent: 3 });
      expect(requests).toEqual(['update first', 'post alert', 'update second']);
    });

    it('messages that are claimed but not begun are released once the round is over', async () => {
      const slack = createSlowSlack();
      let mayClaim = true;
      await writeTo('C1', 'slow-1');
      await writeTo('C1', 'slow-2');
      const outbox = outboxOf(pollMessages(log), { poster: slack.poster, concurrency: 2 });
      const run = outbox.runDue(now, () => mayClaim);
      await slack.posted('slow-1');
      mayClaim = false;
      slack.answer('slow-1');
      await run;
      await outbox.finish();
      expect(await row('slow-1')).toMatchObject({ status: 'sent' });
      expect(await row('slow-2')).toMatchObject({ status: 'pending', attempts: 0, lease_token: null });
    });
  });

  it('does not try the other messages of a channel that Slack has limited', async () => {
    for (const id of ['complaint-1', 'complaint-2', 'complaint-3']) await write(id, id);
    meet = () => new PostError({ code: 'ratelimited', isPermanent: false, retryAfterMs: 30_000 });
    const outbox = outboxOf(pollMessages(log), { concurrency: 8 });
    expect(await outbox.runDue(now)).toMatchObject({ sent: 0, retried: 1 });
    expect(requests).toEqual(['post complaint-1']);
  });

  it.each([
    ['of a kind that no feature declares', { kind: 'rumour', words: 'psst' }],
    ['that its schema cannot read', { kind: 'results', words: 'results' }],
  ])('puts off a message that is %s, and sends the rest', async (_, message) => {
    await insert({ id: 'odd', message });
    await write('vote-1', 'yes');
    expect(await send()).toMatchObject({ sent: 1, retried: 1 });
    expect(requests).toEqual(['post yes']);
    expect(await row('odd')).toMatchObject({ status: 'pending', attempts: 1, error: 'unreadable' });
  });
});

/** Returns the promise of each id. */
function createGates(): (id: string) => PromiseWithResolvers<void> {
  const gates = new Map<string, PromiseWithResolvers<void>>();
  return (id) => {
    const gate = gates.get(id) ?? Promise.withResolvers<void>();
    gates.set(id, gate);
    return gate;
  };
}

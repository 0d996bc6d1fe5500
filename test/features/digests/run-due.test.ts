import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { beginRecovery } from '../../../src/database/recovery.ts';
import { UserError } from '../../../src/errors.ts';
import { digestDetail, digestMessage, digestNews } from '../../../src/features/digests/digest.ts';
import { digestAnswer, newsByMessage } from '../../../src/features/digests/message.ts';
import {
  createDigestFixture,
  type DigestFixture,
  nextPort,
  portCalls,
} from '../../support/digest-fixture.ts';
import { direct } from '../../support/statements/direct.ts';
import { engines, passLeaseTime } from '../../support/store-engines.ts';
import { useWorkspace } from '../../support/use-store.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { permanent, rateLimited } from '../../support/watch-slack.ts';

const answered = {
  kind: 'answered',
  hasDetail: false,
  isUnchanged: false,
  isForecast: false,
  hasNews: false,
  isInternal: false,
} as const;

describe.each(engines)('due digests, $engine', ({ open }) => {
  const store = useWorkspace(open);
  let fixture: DigestFixture;
  afterEach(() => vi.useRealTimers());
  beforeEach(async () => {
    fixture = createDigestFixture(store.database);
  });

  const send = () => fixture.outbox.runDue(fixture.clock.now);
  const rows = () => direct(store.database.db).selectFrom('outbox').selectAll().orderBy('sequence').execute();
  const row = (id: string) =>
    direct(store.database.db)
      .selectFrom('digests')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  /** As an older version, or a fault, has written it. */
  const write = (id: string, values: { baseline?: string | null; schedule?: string }) =>
    direct(store.database.db).updateTable('digests').set(values).where('id', '=', id).execute();
  const messages = async () =>
    (await rows()).flatMap(({ payload, kind }) => (kind === 'digest' ? [digestMessage.parse(payload)] : []));

  it('run once at their time, and say when they run next', async () => {
    const digest = await fixture.add({ zone: 'Europe/Berlin' });
    expect(digest).toMatchObject({ number: 1, nextRunAt: new Date('2026-11-23T07:00Z') });
    fixture.lines.set('nextport 9461477', nextPort('NLRTM', '2026-11-25T08:00Z'));
    expect(await fixture.at('2026-11-23T06:59Z')).toMatchObject({ sent: 0 });
    expect(await fixture.at('2026-11-23T07:00Z')).toMatchObject({ sent: 1 });
    expect(await fixture.at('2026-11-23T07:00Z')).toMatchObject({ sent: 0 });
    expect(await messages()).toMatchObject([
      {
        digestId: digest.id,
        scheduledFor: new Date('2026-11-23T07:00Z'),
        nextRunAt: new Date('2026-11-24T07:00Z'),
        since: null,
        reports: [{ ...answered, line: 'nextport 9461477', isForecast: true }],
      },
    ]);
    expect(await send()).toMatchObject({ sent: 1 });
    expect(fixture.slack.posted).toMatchObject([
      { channelId: 'C1', watch: null, message: { kind: 'digest' } },
    ]);
  });

  it('are not sent without news with “only news”, and compare with the last digest that was sent', async () => {
    await fixture.add({ onlyNews: true, lines: ['nextport 9461477', 'usage'] });
    fixture.lines.set('nextport 9461477', nextPort('NLRTM', '2026-11-25T08:00Z'));
    expect(await fixture.at('2026-11-23T08:00Z')).toMatchObject({ sent: 1 });
    // Five hours a day: what is not sent does not become the baseline, so the drift adds up.
    fixture.lines.set('nextport 9461477', nextPort('NLRTM', '2026-11-25T13:00Z'));
    expect(await fixture.at('2026-11-24T08:00Z')).toMatchObject({ quiet: 1 });
    fixture.lines.set('nextport 9461477', nextPort('NLRTM', '2026-11-25T18:00Z'));
    expect(await fixture.at('2026-11-25T08:00Z')).toMatchObject({ sent: 1 });
    const [, second] = await messages();
    expect(second).toMatchObject({
      since: new Date('2026-11-23T08:00Z'),
      news: [{ kind: 'eta-moved', was: { eta: new Date('2026-11-25T08:00Z') } }],
    });
    // A line that fails may hide news.
    fixture.lines.set('nextport 9461477', new Error('the service does not answer'));
    expect(await fixture.at('2026-11-26T08:00Z')).toMatchObject({ sent: 1 });
  });

  it('begin again, and say so, if what the last one showed cannot be read', async () => {
    const digest = await fixture.add({ onlyNews: true });
    await fixture.at('2026-11-23T08:00Z', { 'nextport 9461477': nextPort('NLRTM', '2026-11-25T08:00Z') });
    const lines = { 'nextport 9461477': { kind: 'next-ports', vessels: [] } };
    await write(digest.id, { baseline: JSON.stringify({ at: fixture.clock.now, lines, verdicts: {} }) });
    fixture.lines.set('nextport 9461477', nextPort('BEANR', '2026-11-25T08:00Z'));
    expect(await fixture.at('2026-11-24T08:00Z')).toMatchObject({ sent: 1 });
    expect(await fixture.at('2026-11-25T08:00Z')).toMatchObject({ quiet: 1 });
    const [, first] = await messages();
    if (!first) throw new Error('no second digest');
    expect(first.news).toEqual([]);
    const { verdict } = digestAnswer(
      first,
      { vessels: new Map() },
      { now: first.ranAt, audience: 'channel' },
    );
    expect(verdict).toMatchObject({ strong: 'First run', rest: '; the next ones say what is new' });
  });

  it('are sent with “only news” if a line says itself what has changed', async () => {
    await fixture.add({ onlyNews: true, lines: ['watch changes', 'nextport 9461477'] });
    await fixture.at('2026-11-23T08:00Z', { 'nextport 9461477': nextPort('NLRTM', '2026-11-25T08:00Z') });
    expect(fixture.lastSentAt).toBeUndefined();
    expect(await fixture.at('2026-11-24T08:00Z')).toMatchObject({ quiet: 1 });
    fixture.lines.set('watch changes', { hasNews: true });
    expect(await fixture.at('2026-11-25T08:00Z')).toMatchObject({ sent: 1 });
    expect(fixture.lastSentAt).toEqual(new Date('2026-11-23T08:00Z'));
  });

  it('are always sent if none of their lines can have news', async () => {
    await fixture.add({ onlyNews: true, lines: ['usage'] });
    for (const day of [23, 24]) expect(await fixture.at(`2026-11-${day}T08:00Z`)).toMatchObject({ sent: 1 });
  });

  it('report a line that fails, and answer the others', async () => {
    await fixture.add({ lines: ['usage', 'nextport 9461477', 'lane SGSIN CNXAM'] });
    fixture.lines.set(
      'nextport 9461477',
      new UserError({ code: 'not-allowed', message: 'The analytics service does not answer' }),
    );
    await fixture.at('2026-11-23T08:00Z');
    const briefOf = (line: string) => ({
      ...{ version: 1, line },
      answer: { verdict: { strong: `brief of ${line}`, lines: [] } },
    });
    const [message] = await messages();
    expect(message?.reports).toEqual([
      { ...answered, line: 'usage', brief: briefOf('usage') },
      {
        kind: 'failed',
        line: 'nextport 9461477',
        reason: 'The analytics service does not answer',
        ref: expect.any(String),
      },
      { ...answered, line: 'lane SGSIN CNXAM', brief: briefOf('lane SGSIN CNXAM') },
    ]);
  });

  it('post whole answers in their thread, in the order of the lines', async () => {
    await fixture.add({ lines: ['one', 'two', 'three'] });
    for (const line of ['one', 'three']) fixture.lines.set(line, { detail: `all of ${line}` });
    await fixture.at('2026-11-23T08:00Z');
    let isFirst = true;
    fixture.slack.onPost = () => {
      const met = isFirst ? rateLimited(5000) : undefined;
      isFirst = false;
      return met;
    };
    await send();
    expect(fixture.slack.posted).toEqual([]);
    const isUndelivered = async () =>
      (await fixture.store.list({})).digests.map((digest) => digest.isUndelivered);
    expect(await isUndelivered()).toEqual([true]);
    fixture.clock.realMs += 5000;
    await send();
    expect(await isUndelivered()).toEqual([false]);
    expect(fixture.slack.posted).toMatchObject([
      { ts: '1', message: { kind: 'digest' } },
      {
        threadTs: '1',
        message: {
          kind: 'digest-detail',
          line: 'one',
          stored: { answer: { verdict: { strong: 'all of one' } } },
        },
      },
      {
        threadTs: '1',
        message: {
          kind: 'digest-detail',
          line: 'three',
          stored: { answer: { verdict: { strong: 'all of three' } } },
        },
      },
    ]);
    expect(fixture.slack.posted[0]).not.toHaveProperty('threadTs');
  });

  it('post each message once and in order, whichever of them was just going out when the process died', async () => {
    const lines = ['portcalls NLRTM', 'one', 'two'];
    await fixture.add({ lines });
    for (const line of ['one', 'two']) fixture.lines.set(line, { detail: line });
    await fixture.at('2026-11-23T08:00Z', { 'portcalls NLRTM': portCalls(0) });
    await send();
    fixture.lines.set('portcalls NLRTM', portCalls(40));
    for (const [day, fate] of [
      [24, 'cut'],
      [25, new Error('socket hang up')],
    ] as const) {
      fixture.slack.posted.length = 0;
      await fixture.at(`2026-11-${day}T08:00Z`, { 'portcalls NLRTM': portCalls(day === 24 ? 40 : 0) });
      const fates = new Set<string>();
      fixture.slack.onPost = ({ id }) => {
        if (fates.has(id)) return undefined;
        fates.add(id);
        return fate;
      };
      for (let attempt = 0; attempt < 6; attempt += 1) {
        // Another process takes over, and knows only what is stored.
        await fixture.openOutbox().runDue(fixture.clock.now);
        fixture.clock.realMs += 60_000;
      }
      const kinds = fixture.slack.posted.map(({ message }) => message.kind);
      expect(kinds).toEqual(['digest', 'digest-news', 'digest-news', 'digest-detail', 'digest-detail']);
      expect(fixture.slack.posted.slice(1).every(({ threadTs }) => threadTs === '1')).toBe(true);
      expect(fixture.slack.posted.at(-1)).toMatchObject({ message: { line: 'two' } });
    }
    expect((await rows()).filter(({ status }) => status !== 'sent')).toEqual([]);
  });

  it('show all news: what the table of the message has no room for follows in its thread', async () => {
    await fixture.add({ lines: ['portcalls NLRTM'] });
    await fixture.at('2026-11-23T08:00Z', { 'portcalls NLRTM': portCalls(0) });
    await fixture.at('2026-11-24T08:00Z', { 'portcalls NLRTM': portCalls(40) });
    const [, message] = await messages();
    expect(message?.news).toHaveLength(40);
    const replies = (await rows()).flatMap(({ kind, payload }) =>
      kind === 'digest-news' ? [digestNews.parse(payload)] : [],
    );
    expect(replies.map(({ news }) => news.length)).toEqual([25, 5]);
    const shown = message ? newsByMessage(message.news, message.ranAt).shown : [];
    expect([...shown, ...replies.flatMap(({ news }) => news)]).toEqual(message?.news);
  });

  it('post the whole answer of statistics only if its verdict is another', async () => {
    await fixture.add({ lines: ['usage', 'nextport 9461477'] });
    const detail = 'all';
    fixture.lines.set('nextport 9461477', { ...nextPort('NLRTM', '2026-11-25T08:00Z'), detail });
    const october = { brief: ['October'], detail };
    const whole = { hasDetail: true, isUnchanged: false };
    const unchanged = { hasDetail: false, isUnchanged: true };
    const days = [
      [october, whole],
      [october, unchanged],
      [new Error('no answer'), { kind: 'failed' }],
      [october, unchanged],
      // An old answer says so.
      [{ brief: ['October', '🟠 from yesterday'], detail }, whole],
      [{ brief: ['November'], detail }, whole],
      [{ brief: ['November'], detail }, unchanged],
    ] as const;
    for (const [index, [answer, expected]] of days.entries()) {
      await fixture.at(`2026-11-${23 + index}T08:00Z`, { usage: answer });
      expect((await messages()).at(-1)?.reports).toMatchObject([expected, { hasDetail: true }]);
    }
    const replies = (await rows()).flatMap(({ kind, payload }) =>
      kind === 'digest-detail' ? [digestDetail.parse(payload).line] : [],
    );
    expect(replies.filter((line) => line === 'usage')).toHaveLength(3);
    expect(replies.filter((line) => line !== 'usage')).toHaveLength(7);
  });

  it('are caught up within two hours; later, the next digest reports the missed runs', async () => {
    const digest = await fixture.add();
    expect(await fixture.at('2026-11-23T10:00Z')).toMatchObject({ sent: 1 });
    expect(await fixture.at('2026-11-24T10:00:00.001Z')).toMatchObject({ sent: 0, missed: 1 });
    const missedOne = { count: 1, first: new Date('2026-11-24T08:00Z') };
    expect((await fixture.store.list({})).digests).toMatchObject([{ missed: missedOne }]);
    expect(await fixture.at('2026-11-26T08:30Z')).toMatchObject({ sent: 1 });
    expect(await fixture.store.find({ id: digest.id })).toMatchObject({ missed: null });
    expect(await fixture.at('2026-11-27T08:00Z')).toMatchObject({ sent: 1 });
    const [at23, at24, at25, at26, at27, at28] = [23, 24, 25, 26, 27, 28].map(
      (day) => new Date(`2026-11-${day}T08:00Z`),
    );
    expect(
      (await messages()).map(({ scheduledFor, missed, nextRunAt }) => [scheduledFor, missed, nextRunAt]),
    ).toEqual([
      [at23, null, at24],
      [at26, { count: 2, first: at24, last: at25 }, at27],
      [at27, null, at28],
    ]);
  });

  it('do not run twice after a clock rollback', async () => {
    const digest = await fixture.add();
    await fixture.at('2026-11-23T08:00Z');
    await fixture.at('2026-11-23T07:00Z');
    await fixture.at('2026-11-23T08:00Z');
    // A change while the clock is behind: the same run is due again, but is written once.
    fixture.clock.now = new Date('2026-11-23T07:30Z');
    await fixture.store.change(digest.id, { schedule: digest.schedule }, fixture.by());
    await fixture.at('2026-11-23T08:00Z');
    expect(await messages()).toHaveLength(1);
  });

  it('can be run manually, even if nothing is new or they are paused, without a change of schedule', async () => {
    const digest = await fixture.add({ onlyNews: true });
    await fixture.at('2026-11-23T08:00Z', { 'nextport 9461477': nextPort('NLRTM', '2026-11-25T08:00Z') });
    const ask = (time: string) => fixture.store.runNow(digest.id, new Date(time));
    await ask('2026-11-23T09:00Z');
    expect(await fixture.at('2026-11-23T09:00Z')).toMatchObject({ sent: 1 });
    await ask('2026-11-23T09:00Z');
    expect(await fixture.at('2026-11-23T09:00Z')).toMatchObject({ sent: 1 });
    await fixture.store.pause(digest.id, fixture.by());
    await ask('2026-11-30T09:10Z');
    expect(await fixture.at('2026-11-30T09:10Z')).toMatchObject({ sent: 1 });
    expect(await fixture.at('2026-11-30T09:10Z')).toMatchObject({ sent: 0 });
    await expect(fixture.store.runNow('gone', new Date())).rejects.toThrow('has been removed');
    const tomorrow = new Date('2026-11-24T08:00Z');
    expect(await messages()).toMatchObject([
      { scheduledFor: new Date('2026-11-23T08:00Z') },
      { scheduledFor: null, nextRunAt: tomorrow, since: new Date('2026-11-23T08:00Z') },
      { scheduledFor: null, nextRunAt: tomorrow, since: new Date('2026-11-23T09:00Z') },
      { scheduledFor: null, nextRunAt: null, since: new Date('2026-11-23T09:00Z'), missed: null },
    ]);
    await fixture.store.resume(digest.id, { actorId: 'U1', now: new Date('2026-11-30T09:10Z') });
    expect((await row(digest.id)).due_at).toEqual(new Date('2026-12-01T08:00Z'));
  });

  it.each([
    'active',
    'paused',
  ])('are not sent for what was asked or planned before a restore, %s', async (status) => {
    const digest = await fixture.add();
    if (status === 'paused') await fixture.store.pause(digest.id, fixture.by());
    await fixture.store.runNow(digest.id, new Date('2026-11-23T07:00Z'));
    const [backedUpAt, restoredAt] = [new Date('2026-11-23T07:00Z'), new Date('2026-11-23T08:30Z')];
    await beginRecovery(store.database.db, { backedUpAt, restoredAt });
    expect(await fixture.at('2026-11-23T08:31Z')).toMatchObject({ sent: 0, missed: 1 });
    const tomorrow = { is_manual: false, due_at: new Date('2026-11-24T08:00Z') };
    expect(await row(digest.id)).toMatchObject(tomorrow);
    expect(await fixture.at('2026-11-24T08:00Z')).toMatchObject({ sent: status === 'active' ? 1 : 0 });
    await fixture.store.runNow(digest.id, new Date('2026-11-24T09:00Z'));
    expect(await fixture.at('2026-11-24T09:00Z')).toMatchObject({ sent: 1 });
  });

  it('are always run manually, even if a scheduled run is overdue, or the request is hours old', async () => {
    const digest = await fixture.add();
    await write(digest.id, { schedule: '{}' });
    expect(await fixture.at('2026-11-23T08:00Z')).toMatchObject({ failed: 1 });
    await write(digest.id, { schedule: JSON.stringify(digest.schedule) });
    await fixture.store.runNow(digest.id, new Date('2026-11-23T12:00Z'));
    expect(await fixture.at('2026-11-23T12:00Z')).toMatchObject({ sent: 1, missed: 0 });
    await fixture.store.runNow(digest.id, new Date('2026-11-23T12:10Z'));
    expect(await fixture.at('2026-11-24T12:00Z')).toMatchObject({ sent: 1, missed: 0 });
    expect(await messages()).toMatchObject([{ scheduledFor: null, missed: null }, { scheduledFor: null }]);
    expect(await row(digest.id)).toMatchObject({ is_manual: false, due_at: new Date('2026-11-25T08:00Z') });
  });

  it('are still run manually at once if they are resumed before the manual run', async () => {
    const digest = await fixture.add();
    await fixture.store.pause(digest.id, fixture.by());
    await fixture.store.runNow(digest.id, new Date('2026-11-23T09:00Z'));
    await fixture.store.resume(digest.id, { actorId: 'U1', now: new Date('2026-11-23T09:00Z') });
    expect(await fixture.at('2026-11-23T09:00Z')).toMatchObject({ sent: 1 });
    expect((await row(digest.id)).due_at).toEqual(new Date('2026-11-24T08:00Z'));
  });

  it('are run manually after more runs have become due than one round plans', async () => {
    const minutes = Array.from({ length: 24 }, (_, hour) => hour * 60);
    const digest = await fixture.add({
      schedule: { days: { kind: 'week', weekdays: [1, 2, 3, 4, 5, 6, 7] }, minutes },
    });
    await fixture.store.runNow(digest.id, fixture.clock.now);
    expect(await fixture.at('2026-12-31T12:00Z')).toMatchObject({ sent: 1 });
    expect(await messages()).toMatchObject([
      { scheduledFor: null, nextRunAt: new Date('2026-12-31T13:00Z') },
    ]);
  });

  describe('a digest that is changed while it runs', () => {
    const during = async (act: (id: string) => Promise<unknown>) => {
      const digest = await fixture.add();
      fixture.gate = async () => {
        fixture.gate = async () => {};
        await act(digest.id);
      };
      return { digest, report: await fixture.at('2026-11-23T08:00Z') };
    };
    it('is not sent if it is paused, and continues after it is resumed', async () => {
      const { digest, report } = await during((id) => fixture.store.pause(id, fixture.by()));
      expect(report).toMatchObject({ sent: 0, lost: 1 });
      const nothing = { sent: 0, quiet: 0, missed: 0, lost: 0, failed: 0 };
      expect(await fixture.at('2026-11-25T08:00Z')).toEqual(nothing);
      fixture.clock.now = new Date('2026-11-25T12:00Z');
      await fixture.store.resume(digest.id, fixture.by());
      expect(await fixture.at('2026-11-26T08:00Z')).toMatchObject({ sent: 1 });
      expect(await messages()).toMatchObject([{ missed: null }]);
    });
    it('is not sent if it is removed', async () => {
      const { report } = await during((id) => fixture.store.remove(id, fixture.by()));
      expect(report).toMatchObject({ sent: 0, lost: 1 });
      expect(await rows()).toEqual([]);
    });
    it('is sent with its new lines', async () => {
      const { report } = await during((id) => fixture.store.change(id, { lines: ['usage'] }, fixture.by()));
      expect(report).toMatchObject({ sent: 1, lost: 1 });
      expect((await messages()).map(({ reports }) => reports.map(({ line }) => line))).toEqual([['usage']]);
    });
    it('is still sent if its time is changed', async () => {
      const { digest, report } = await during((id) =>
        fixture.store.change(
          id,
          { schedule: { days: { kind: 'week', weekdays: [1] }, minutes: [600] } },
          fixture.by(),
        ),
      );
      expect(report).toMatchObject({ sent: 1, lost: 1 });
      expect((await row(digest.id)).due_at).toEqual(new Date('2026-11-23T10:00Z'));
    });
  });

  it('are paused if Slack refuses them for good, and notify their owner once', async () => {
    const digest = await fixture.add();
    await fixture.at('2026-11-23T08:00Z');
    fixture.slack.onPost = ({ channelId }) => (channelId === 'C1' ? permanent('is_archived') : undefined);
    expect(await send()).toMatchObject({ refused: 1, sent: 1 });
    expect(await fixture.store.find({ id: digest.id })).toMatchObject({
      status: 'paused',
      pauseReason: 'is_archived',
    });
    expect(await fixture.at('2026-11-24T08:00Z')).toMatchObject({ sent: 0 });
    await send();
    expect(fixture.slack.posted).toMatchObject([
      { channelId: 'U1', message: { kind: 'digest-notice', digestId: digest.id, reason: 'is_archived' } },
    ]);
    fixture.slack.onPost = () => undefined;
    await fixture.store.resume(digest.id, fixture.by());
    await fixture.at('2026-11-25T08:00Z');
    expect(await send()).toMatchObject({ sent: 1 });
    expect(fixture.slack.posted.at(-1)).toMatchObject({ channelId: 'C1', message: { since: null } });
  });

  it('a digest that cannot be read fails alone, with a back-off, and later runs for its original time', async () => {
    const broken = await fixture.add({ title: 'Broken' });
    await fixture.add({ title: 'Whole' });
    await write(broken.id, { schedule: '{}' });
    expect(await fixture.at('2026-11-23T08:00:00Z')).toMatchObject({ sent: 1, failed: 1 });
    expect((await messages()).map(({ title }) => title)).toEqual(['Whole']);
    expect(await row(broken.id)).toMatchObject({ attempts: 1, lease_token: null });
    const pass = (ms: number) => passLeaseTime(store.database, ms);
    await pass(20_000);
    expect(await fixture.at('2026-11-23T08:01Z')).toMatchObject({ failed: 0 });
    await pass(10_000);
    expect(await fixture.at('2026-11-23T08:01Z')).toMatchObject({ failed: 1 });
    let failed = 0;
    for (let minutes = 2; minutes < 60; minutes += 1) {
      await pass(60_000);
      failed += (await fixture.at(`2026-11-23T08:${String(minutes).padStart(2, '0')}:00Z`)).failed;
    }
    expect(failed).toBe(8);
    await pass(600_000);
    await write(broken.id, { schedule: JSON.stringify(broken.schedule) });
    expect(await fixture.at('2026-11-23T09:10:00Z')).toMatchObject({ sent: 1, failed: 0 });
    expect((await messages()).at(-1)).toMatchObject({
      title: 'Broken',
      scheduledFor: new Date('2026-11-23T08:00Z'),
    });
    expect(await row(broken.id)).toMatchObject({ attempts: 0, due_at: new Date('2026-11-24T08:00Z') });
  });

  it('a digest that failed is tried again at once after a change', async () => {
    const broken = await fixture.add();
    await write(broken.id, { schedule: '{}' });
    expect(await fixture.at('2026-11-23T08:00Z')).toMatchObject({ failed: 1 });
    await write(broken.id, { schedule: JSON.stringify(broken.schedule) });
    await fixture.store.change(broken.id, { title: 'Mended' }, fixture.by());
    expect(await fixture.at('2026-11-23T08:00Z')).toMatchObject({ sent: 1, failed: 0 });
  });

  it('are not taken over while their lines take longer than a lease', async () => {
    const { id } = await fixture.add();
    const leaseUntil = async () => Number((await row(id)).lease_until);
    const other = fixture.openRunner(await store.another());
    const answered = Promise.withResolvers<void>();
    fixture.gate = () => answered.promise;
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const slow = fixture.at('2026-11-23T08:00Z');
    await waitUntil('it has begun', () => fixture.ran.length === 1);
    for (let passed = 0; passed < 90_000; passed += 10_000) {
      await passLeaseTime(store.database, 10_000);
      const before = await leaseUntil();
      vi.advanceTimersByTime(10_000);
      await waitUntil('it is held longer', async () => (await leaseUntil()) > before);
      expect(await other.runDue(fixture.clock.now)).toMatchObject({ sent: 0 });
    }
    vi.useRealTimers();
    answered.resolve();
    expect(await slow).toMatchObject({ sent: 1, lost: 0 });
    expect(fixture.ran).toHaveLength(1);
  });

  it('are not claimed once the round is over, but in the next one', async () => {
    for (let count = 0; count < 5; count += 1) await fixture.add({ channelId: `C${count}` });
    const now = new Date('2026-11-23T08:00Z');
    expect(await fixture.runner.runDue(now, () => false)).toMatchObject({ sent: 4 });
    expect(await fixture.runner.runDue(now)).toMatchObject({ sent: 1 });
  });
});

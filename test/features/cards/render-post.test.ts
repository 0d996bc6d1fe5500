import { beforeAll, expect, test } from 'vitest';
import { utcTime } from '../../../src/answers/formatting/times.ts';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { currentTitles, renderPost, type WatchPost } from '../../../src/features/cards/render-post.ts';
import type { WorkCtx } from '../../../src/features/ctx.ts';
import { createVesselDirectory } from '../../../src/grammar/vessel-directory.ts';
import { PostError } from '../../../src/outbox/outgoing-message.ts';
import type { Locode } from '../../../src/reference/codes.ts';
import type { Person } from '../../../src/workspaces/permissions.ts';
import { lineOf } from '../../support/answer-message.ts';
import { openSqlite, seedWorkspace, workspaceId } from '../../support/store-engines.ts';
import { useStore } from '../../support/use-store.ts';
import { createWatchFixture } from '../../support/watch-fixture.ts';
import { cypress, hour, vessel } from '../../support/watch-story.ts';

const store = useStore(openSqlite);
beforeAll(async () => {
  await seedWorkspace(store.database);
});

const renderer = (
  now = hour(0),
  audience: 'channel' | 'outside' = 'channel',
  readers: 'channel' | 'outside' = 'channel',
) => {
  const ctx = {
    services: {
      store: storeOf(store.database.db, workspaceId),
      slack: {
        // Only names are asked for.
        personOf: async () => ({ name: 'Ada' }) as Person,
        asksOnly: async () => false,
        audienceOf: async () => audience,
        readersOf: async () => readers,
        messages: {} as never, // No links are asked for.
      },
      source: 'service',
      now: () => now,
    },
    registry: {
      vessels: async () =>
        createVesselDirectory([{ imo: cypress, name: 'NEW NAME' }], new Map([[cypress, ['BK123']]])),
      lineOf,
    },
    // What these messages use.
  } as unknown as WorkCtx;
  return {
    post: (post: WatchPost) => renderPost(post, ctx),
    currentTitles: (watches: Parameters<typeof currentTitles>[0]) => currentTitles(watches, ctx),
  };
};

const watchOf = (next: number) => createWatchFixture(store.database, { next }).watch([vessel()]);
const now = { port: 'NLRTM' as Locode, probability: 0.9, eta: hour(70) };
const events = [{ kind: 'arriving' as const, imo: cypress, hours: 72, call: 1, now }];
const reply = { kind: 'reply' as const, events, subjects: [], place: 'thread' as const, more: 0 };
const summaryOf = (...watchIds: string[]) => ({
  kind: 'summary' as const,
  members: [],
  items: watchIds.map((watchId) => ({ watchId, title: 'IMO 9461477', events, more: 0 })),
});
/** What the outbox hands on with each message. */
const about = {
  id: 'P',
  channelId: 'C1',
  destination: 'channel' as const,
  members: [],
  isPossiblyRepeated: false,
  createdAt: hour(0),
  sentAt: null,
  alerts: [],
};
const alertOf = (watchId: string, at: Date, isClosed = false) => ({
  ...{ id: 'A', watchId, messageId: 'P', at, notifiedAt: null, events },
  ...{ isCritical: false, assignment: null, acknowledgement: null, isClosed },
});

test('a message that Slack took late says when the change was detected', async () => {
  const watch = await watchOf(500);
  const post = { ...about, message: reply, watch };
  expect((await renderer().post(post)).text).not.toContain('late');
  expect((await renderer(hour(30)).post(post)).text).toContain('Delivered late: detected ');
  // A summary is queued after its alerts, and a merged reply shows those of several polls.
  const alerts = [hour(0), hour(29)].map((at) => alertOf(watch.id, at));
  expect((await renderer(hour(30)).post({ ...post, createdAt: hour(30), alerts })).text).toContain(
    `Delivered late: detected ${utcTime(hour(0), hour(30))}`,
  );
  // Quiet hours end with an evaluation: its alert is not late.
  const woken = { ...post, createdAt: hour(30), alerts: [alertOf(watch.id, hour(30))] };
  expect((await renderer(hour(30)).post(woken)).text).not.toContain('late');
});

test('an alert that was closed automatically has nothing to acknowledge or assign', async () => {
  const watch = await watchOf(800);
  const shown = async (isClosed: boolean) => {
    const alerts = [alertOf(watch.id, hour(0), isClosed)];
    return JSON.stringify((await renderer().post({ ...about, alerts, message: reply, watch })).blocks);
  };
  expect(await shown(false)).toMatch(/Acknowledge.*Assign/);
  expect(await shown(true)).not.toMatch(/Acknowledge|Assign/i);
});

test('messages name vessels as they are called when the message is sent', async () => {
  const watch = await createWatchFixture(store.database).watch([vessel()], { title: 'IMO 9461477' });
  const render = renderer();
  const notice = { kind: 'notice', title: 'IMO 9461477', channelId: 'C1', reason: 'is_archived' } as const;
  for (const message of [notice, summaryOf(watch.id)])
    expect((await render.post({ ...about, message, watch })).text).toContain('NEW NAME');
  const old = [
    { id: watch.id, title: 'IMO 9461477' },
    { id: 'gone', title: 'of old' },
  ];
  expect(await render.currentTitles(old)).toEqual(['NEW NAME', 'of old']);
});

test('cards and alerts name references, but not where people of another organisation read', async () => {
  const watch = await watchOf(900);
  for (const message of [reply, summaryOf(watch.id)]) {
    const post = { ...about, message, watch };
    expect(JSON.stringify(await renderer().post(post))).toContain('Ref BK123');
    expect(JSON.stringify(await renderer(hour(0), 'outside').post(post))).not.toContain('BK123');
  }
});

test('a summary that names a stopped watch is not posted where outsiders read', async () => {
  const fixture = createWatchFixture(store.database, { next: 90_000 });
  const watch = await fixture.watch([vessel()]);
  await fixture.store.change(watch.id, { outsidersAllowedBy: 'U1' }, fixture.by());
  const post = (...watchIds: string[]) =>
    renderer(hour(0), 'outside', 'outside').post({ ...about, message: summaryOf(...watchIds), watch: null });
  expect((await post(watch.id, watch.id)).text).toContain('NEW NAME');
  await expect(post(watch.id, 'stopped')).rejects.toThrow(PostError);
  await expect(post('stopped')).rejects.toThrow(PostError);
});

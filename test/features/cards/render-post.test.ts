import { afterAll, beforeAll, expect, test } from 'vitest';
import { utcTime } from '../../../src/answers/formatting/times.ts';
import { storeOf } from '../../../src/database/workspace-store.ts';
import type { WatchMessage } from '../../../src/features/cards/messages.ts';
import { createRender } from '../../../src/features/cards/render-post.ts';
import { createVesselDirectory } from '../../../src/grammar/vessel-directory.ts';
import { PostError } from '../../../src/outbox/outgoing-message.ts';
import type { Locode } from '../../../src/reference/codes.ts';
import type { Person } from '../../../src/workspaces/permissions.ts';
import { lineOf } from '../../support/answer-message.ts';
import { openSqlite, seedWorkspace, type TestStore, workspaceId } from '../../support/store-engines.ts';
import { createWatchFixture } from '../../support/watch-fixture.ts';
import { cypress, hour, vessel } from '../../support/watch-story.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openSqlite();
  await seedWorkspace(store.database);
});
afterAll(() => store.close());

const renderer = (
  now = hour(0),
  audience: 'channel' | 'outside' = 'channel',
  readers: 'channel' | 'outside' = 'channel',
) =>
  createRender({
    store: storeOf(store.database.db, workspaceId),
    slack: {
      // Only names are asked for.
      personOf: async () => ({ name: 'Ada' }) as Person,
      asksOnly: async () => false,
      audienceOf: async () => audience,
      readersOf: async () => readers,
      messages: {} as never, // No links are asked for.
    },
    names: async () =>
      createVesselDirectory([{ imo: cypress, name: 'NEW NAME' }], new Map([[cypress, ['BK123']]])),
    source: 'service',
    lineOf,
    now: () => now,
  });

test('a message that Slack took late says when the change was detected', async () => {
  const watch = await createWatchFixture(store.database, { next: 500 }).watch([vessel()]);
  const now = { port: 'NLRTM' as Locode, probability: 0.9, eta: hour(70) };
  const events = [{ kind: 'arriving' as const, imo: cypress, hours: 72, call: 1, now }];
  const message = { kind: 'reply' as const, events, subjects: [], place: 'thread' as const, more: 0 };
  const about = {
    id: 'P',
    channelId: 'C1',
    destination: 'channel' as const,
    members: [],
    isPossiblyRepeated: false,
  };
  const post = { ...about, createdAt: hour(0), sentAt: null, alerts: [], message, watch };
  expect((await renderer().post(post)).text).not.toContain('late');
  expect((await renderer(hour(30)).post(post)).text).toContain('Delivered late: detected ');
  // A summary is queued after its alerts, and a merged reply shows those of several polls.
  const alertAt = (at: Date) => ({
    id: 'A',
    watchId: watch.id,
    messageId: 'P',
    at,
    notifiedAt: null,
    events,
    isCritical: false,
    assignment: null,
    acknowledgement: null,
    isClosed: false,
  });
  const grouped = { ...post, createdAt: hour(30), alerts: [alertAt(hour(0)), alertAt(hour(29))] };
  expect((await renderer(hour(30)).post(grouped)).text).toContain(
    `Delivered late: detected ${utcTime(hour(0), hour(30))}`,
  );
  // Quiet hours end with an evaluation: its alert is not late.
  const woken = { ...post, createdAt: hour(30), alerts: [alertAt(hour(30))] };
  expect((await renderer(hour(30)).post(woken)).text).not.toContain('late');
});

test('an alert that was closed automatically has nothing to acknowledge or assign', async () => {
  const watch = await createWatchFixture(store.database, { next: 800 }).watch([vessel()]);
  const now = { port: 'NLRTM' as Locode, probability: 0.9, eta: hour(70) };
  const events = [{ kind: 'arriving' as const, imo: cypress, hours: 72, call: 1, now }];
  const message = { kind: 'reply' as const, events, subjects: [], place: 'thread' as const, more: 0 };
  const about = {
    id: 'P',
    channelId: 'C1',
    destination: 'channel' as const,
    members: [],
    isPossiblyRepeated: false,
  };
  const shown = async (isClosed: boolean) => {
    const alert = { id: 'A', watchId: watch.id, messageId: 'P', at: hour(0), notifiedAt: null, events };
    const state = { isCritical: false, assignment: null, acknowledgement: null, isClosed };
    const post = { ...about, createdAt: hour(0), sentAt: null, alerts: [{ ...alert, ...state }] };
    return JSON.stringify((await renderer().post({ ...post, message, watch })).blocks);
  };
  expect(await shown(false)).toMatch(/Acknowledge.*Assign/);
  expect(await shown(true)).not.toMatch(/Acknowledge|Assign/i);
});

test('messages name vessels as they are called when the message is sent', async () => {
  const watch = await createWatchFixture(store.database).watch([vessel()], { title: 'IMO 9461477' });
  const render = renderer();
  const shown = async (message: WatchMessage) => {
    const post = {
      id: 'P',
      channelId: 'C1',
      destination: 'channel' as const,
      message,
      members: [],
      isPossiblyRepeated: false,
      createdAt: hour(0),
      sentAt: null,
      alerts: [],
    };
    return (await render.post({ ...post, watch })).text;
  };
  const where = { channelId: 'C1', reason: 'is_archived' };
  const titles = ['IMO 9461477', 'of old'];
  const events = [{ kind: 'stale' as const, since: hour(0) }];
  for (const message of [
    { kind: 'notice', title: 'IMO 9461477', ...where },
    { kind: 'summary', members: [], items: [{ watchId: watch.id, title: 'IMO 9461477', events, more: 0 }] },
  ] satisfies WatchMessage[]) {
    expect(await shown(message)).toContain('NEW NAME');
  }
  const all = titles.map((title, index) => ({ id: index === 0 ? watch.id : 'gone', title }));
  expect(await render.currentTitles(all)).toEqual(['NEW NAME', 'of old']);
});

test('cards and alerts name references, but not where people of another organisation read', async () => {
  const watch = await createWatchFixture(store.database, { next: 900 }).watch([vessel()]);
  const now = { port: 'NLRTM' as Locode, probability: 0.9, eta: hour(70) };
  const events = [{ kind: 'arriving' as const, imo: cypress, hours: 72, call: 1, now }];
  const reply = { kind: 'reply' as const, events, subjects: [], place: 'thread' as const, more: 0 };
  const summary = {
    kind: 'summary' as const,
    members: [],
    items: [{ watchId: watch.id, title: 'OURS', events, more: 0 }],
  };
  const about = {
    id: 'P',
    channelId: 'C1',
    destination: 'channel' as const,
    members: [],
    isPossiblyRepeated: false,
  };
  for (const message of [reply, summary]) {
    const post = { ...about, createdAt: hour(0), sentAt: null, alerts: [], message, watch };
    expect(JSON.stringify(await renderer().post(post))).toContain('Ref BK123');
    expect(JSON.stringify(await renderer(hour(0), 'outside').post(post))).not.toContain('BK123');
  }
});

test('a summary that names a stopped watch is not posted where outsiders read', async () => {
  const fixture = createWatchFixture(store.database, { next: 90_000 });
  const watch = await fixture.watch([vessel()]);
  await fixture.store.change(watch.id, { outsidersAllowedBy: 'U1' }, fixture.by());
  const now = { port: 'NLRTM' as Locode, probability: 0.9, eta: hour(70) };
  const events = [{ kind: 'arriving' as const, imo: cypress, hours: 72, call: 1, now }];
  const about = {
    id: 'S',
    channelId: 'C1',
    destination: 'channel' as const,
    members: [],
    isPossiblyRepeated: false,
  };
  const post = (...watchIds: string[]) => {
    const items = watchIds.map((watchId) => ({ watchId, title: 'DS CYPRESS', events, more: 0 }));
    const message = { kind: 'summary' as const, members: [], items };
    const summary = { ...about, createdAt: hour(0), sentAt: null, alerts: [], message, watch: null };
    return renderer(hour(0), 'outside', 'outside').post(summary);
  };
  expect((await post(watch.id, watch.id)).text).toContain('NEW NAME');
  await expect(post(watch.id, 'stopped')).rejects.toThrow(PostError);
  await expect(post('stopped')).rejects.toThrow(PostError);
});

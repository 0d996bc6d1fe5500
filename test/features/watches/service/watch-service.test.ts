import { beforeEach, describe, expect, it } from 'vitest';
import { UserError } from '../../../../src/errors.ts';
import { chooseRules } from '../../../../src/features/rules/registry.ts';
import { askToChange, changeValue, undoStop } from '../../../../src/features/watches/button-values.ts';
import { PostError } from '../../../../src/outbox/outgoing-message.ts';
import type { Locode } from '../../../../src/reference/codes.ts';
import { refusalOf } from '../../../support/refusal.ts';
import { useWatches } from '../../../support/use-watches.ts';
import { ada, ben, createWatchServiceHarness, request } from '../../../support/watch-service-harness.ts';
import { cypress, diana, exactRules, hour, vessel } from '../../../support/watch-story.ts';

const { store, fixture, harness, db } = useWatches();
beforeEach(() => {
  fixture.vessels.set(cypress, { NLRTM: [0.9, 300] });
});

const sixHours = chooseRules({ etaMoved: { hours: 6, isScaled: false } });
const dianas = request({ title: 'MSC DIANA', subjects: [vessel(diana)] });
const listed = (name: string) => request({ title: `list ${name}`, subjects: [{ kind: 'shiplist', name }] });

const count = async () => (await db().selectFrom('watches').select('id').execute()).length;

describe('adding', () => {
  it.each([
    ['channel_not_found', "Landfall can't post in that channel", '/invite @Landfall'],
    ['not_in_channel', "Landfall can't post in that channel", '/invite @Landfall'],
    ['is_archived', 'That channel is archived', 'Choose another one'],
    ['restricted_action', 'Only some people may post', 'workspace admin'],
    ['ratelimited', 'Slack accepts no more messages', 'in a minute'],
    ['msg_blocks_too_long', '(msg_blocks_too_long)', 'another channel'],
  ])('saves nothing where the card is refused: %s', async (code, message, hint) => {
    harness.cards.refusal = new PostError({ code, isPermanent: true });
    const said = await refusalOf(harness.service.add(request(), ada));
    expect(said).toContain(message);
    expect(said).toContain('nothing was saved');
    expect(said).toContain(hint);
    expect(await count()).toBe(0);
    expect(harness.cards.closed).toEqual([]);
  });

  it("removes the card if saving fails, and rethrows an error that isn't a refusal", async () => {
    const failing = createWatchServiceHarness(fixture, store.database, {
      audited: () => Promise.reject(new Error('the database is gone')),
    });
    await expect(failing.service.add(request(), ada)).rejects.toThrow('the database is gone');
    expect(failing.cards.removed).toEqual([{ channelId: 'C1', ts: '1700000000.000001' }]);
    harness.cards.refusal = new Error('socket hang up');
    await expect(harness.service.add(request(), ada)).rejects.toThrow('Slack did not answer');
    expect(await count()).toBe(0);
  });

  it('refuses a full channel before a card is posted', async () => {
    for (let index = 0; index < 50; index += 1) await fixture.watch([vessel()], { title: `W${index}` });
    expect(
      await refusalOf(harness.service.add(request({ subjects: [vessel(diana)] }), ada)),
    ).toMatchInlineSnapshot(
      `"not-allowed | This channel already has 50 watches; at most 50 are allowed. | Stop some of them, or add the watch in another channel."`,
    );
    expect(harness.cards.posted).toEqual([]);
  });

  it('refuses an unknown list, but adds one while the service is down', async () => {
    const list = listed('X');
    expect(await refusalOf(harness.service.add(list, ada))).toMatchInlineSnapshot(
      `"unknown-list | No list called X, so nothing was saved. | Lists are kept by the provider; they can't be made here. Check the spelling with whoever set up the list."`,
    );
    fixture.failure = new Error('down');
    expect(await harness.service.add(list, ada)).toMatchObject({ kind: 'added' });
  });

  it('changes the rules of an existing watch, and does nothing if they are the same', async () => {
    const { watch } = await harness.service.add(request(), ada);
    expect(harness.cards.posted).toEqual([{ id: watch.id, channelId: 'C1', title: 'DS CYPRESS' }]);
    const same = await harness.service.add(request(), { ...ben, channelId: 'C1' });
    expect(same).toMatchObject({ kind: 'same', watch: { id: watch.id } });
    const changed = await harness.service.add(request({ rules: sixHours }), ada);
    expect(changed).toMatchObject({
      kind: 'changed',
      watch: { id: watch.id, ownerId: 'U1', rules: sixHours },
    });
    expect(harness.cards.posted).toHaveLength(1);
    if (changed.kind !== 'changed') throw new Error('not changed');
    expect(await harness.service.undo(changed.undo, ada)).toMatchObject({
      kind: 'restored',
      watch: { rules: exactRules },
    });
    expect((await harness.service.find(watch.id))?.rules).toEqual(exactRules);
    const more = request({ subjects: [vessel(), vessel(diana)] });
    expect(await harness.service.add(more, ada)).toMatchObject({ kind: 'added' });
  });

  it('replaces a watch that has ended, and resumes a paused one', async () => {
    const until = request({ rules: chooseRules({ untilNextPort: true }) });
    const first = await harness.service.add(until, ada);
    await fixture.at(0);
    await fixture.at(10, { [cypress]: { DEHAM: [0.9, 330] } });
    expect(await harness.service.find(first.watch.id)).toMatchObject({ status: 'ended' });
    const second = await harness.service.add(until, ada);
    expect(second).toMatchObject({ kind: 'added', watch: { status: 'active' } });
    expect(harness.cards.closed).toMatchObject([
      { ts: first.watch.cardTs, text: expect.stringContaining('Stopped by U1') },
    ]);
    await db().updateTable('watches').set({ status: 'paused' }).execute();
    expect(await harness.service.add(until, ada)).toMatchObject({ kind: 'same' });
    expect(await harness.service.find(second.watch.id)).toMatchObject({ status: 'active' });
    expect(await count()).toBe(1);
  });

  it('is undone once by the Undo value it returned', async () => {
    const added = await harness.service.add(request(), ada);
    if (added.kind !== 'added') throw new Error('not added');
    expect(added.undo.length).toBeLessThan(2_000);
    expect(await harness.service.undo(added.undo, ada)).toMatchObject({ kind: 'stopped' });
    expect(harness.cards.closed).toMatchObject([{ ts: added.watch.cardTs }]);
    expect(await refusalOf(harness.service.undo(added.undo, ada))).toMatchInlineSnapshot(
      `"unknown-watch | That watch has been stopped. | "`,
    );
    expect(await refusalOf(harness.service.undo('{"kind":"all"}', ada))).toContain('unknown-watch');
  });

  it('is not handed back by Undo to somebody who has left meanwhile', async () => {
    const gone = new Set<string>();
    const { service } = createWatchServiceHarness(fixture, store.database, {
      slack: {
        async checkOwner({ userId }) {
          if (gone.has(userId)) throw new UserError({ code: 'bad-owner', message: 'They have left.' });
        },
      },
    });
    const { watch } = await service.add(request(), ada);
    const edited = await service.edit(watch.id, { rules: sixHours, ownerId: 'U2' }, ada);
    const undo = edited.kind === 'changed' ? edited.undo : '';
    gone.add('U1');
    expect(await refusalOf(service.undo(undo, ada))).toBe('bad-owner | They have left. | ');
    expect(await service.find(watch.id)).toMatchObject({ ownerId: 'U2', rules: sixHours });
    gone.clear();
    expect(await service.undo(undo, ada)).toMatchObject({ kind: 'restored', watch: { ownerId: 'U1' } });
  });

  it('has short values for its buttons even with the most due dates, and refuses more', async () => {
    const due = Array.from({ length: 8 }, (_, day) => ({ port: 'NLRTM' as Locode, at: hour(day * 24) }));
    const rules = chooseRules({ due });
    const { watch } = await harness.service.add(request({ rules }), ada);
    const changed = await harness.service.add(request(), ada);
    expect(changed.kind === 'changed' && changed.undo.length).toBeLessThan(2_000);
    const { change } = askToChange(watch, { rules, ownerId: 'U0123456789', resumes: true });
    expect(changeValue(change).length).toBeLessThan(2_000);
    const more = [...due, { port: 'NLRTM' as Locode, at: hour(900) }];
    expect(
      await refusalOf(harness.service.add(request({ rules: chooseRules({ due: more }) }), ada)),
    ).toMatchInlineSnapshot(`"bad-rule | A watch can have at most 8 due dates. | "`);
  });
});

describe('the estimate', () => {
  it('is 0 if another watch polls the vessel already, and higher the nearer the ETA', async () => {
    const far = await harness.service.dryRun(request(), ada);
    fixture.vessels.set(cypress, { NLRTM: [0.9, 20] });
    const near = await harness.service.dryRun(request(), ada);
    fixture.vessels.set(cypress, {});
    const unknown = await harness.service.dryRun(request(), ada);
    expect([unknown, far, near].map(({ callsPerMonth }) => callsPerMonth)).toMatchInlineSnapshot(`
      [
        120,
        550,
        1100,
      ]
    `);
    expect(await count()).toBe(0);
    await harness.service.add(request(), ada);
    expect((await harness.service.dryRun(request({ channelId: 'C1' }), ada)).callsPerMonth).toBe(0);
  });

  it('follows WATCH_POLL_MINUTES if it is a number', async () => {
    const fixed = createWatchServiceHarness(fixture, store.database, { settings: { pollMinutes: 60 } });
    expect((await fixed.service.dryRun(request(), ada)).callsPerMonth).toBe(720);
  });

  it('counts the alerts that these rules would have sent in the past 30 days', async () => {
    expect((await harness.service.dryRun(request(), ada)).past).toBeUndefined();
    fixture.vessels.set(cypress, { NLRTM: [0.9, 200] });
    await harness.service.add(request(), ada);
    await fixture.at(0);
    await fixture.at(10, { [cypress]: { NLRTM: [0.9, 220] } });
    await fixture.at(20, { [cypress]: { DEHAM: [0.9, 230] } });
    const { past } = await harness.service.dryRun(request(), ada);
    expect(past).toEqual({ replies: 2, since: hour(0) });
    const quieter = request({ rules: chooseRules({ diverted: true }, { only: true }) });
    expect((await harness.service.dryRun(quieter, ada)).past?.replies).toBe(1);
    fixture.clock.hours = 24 * 31;
    expect((await harness.service.dryRun(request(), ada)).past).toBeUndefined();
  });

  it('looks back at all of many vessels', async () => {
    const imos = Array.from({ length: 40 }, (_, index) => 9_300_000 + index);
    const etas = (hours = (_: number) => 200) =>
      Object.fromEntries(imos.map((imo, index) => [imo, { NLRTM: [0.9, hours(index)] as const }]));
    fixture.lists.set('L', etas());
    const list = listed('L');
    await harness.service.add(list, ada);
    await fixture.at(0);
    // Half of them have news at the second poll.
    const some = etas((index) => (index % 4 < 2 ? 200 : 230));
    fixture.lists.set('L', some);
    await fixture.at(10);
    expect((await harness.service.dryRun(list, ada)).past).toEqual({ replies: 1, since: hour(0) });
    const [first, ...rest] = imos.map((imo) => vessel(imo));
    if (!first) throw new Error('no vessels');
    const each = request({ title: 'each', subjects: [first, ...rest] });
    expect((await harness.service.dryRun(each, ada)).past).toEqual({ replies: 20, since: hour(0) });
  });

  it('has no past alerts for vessels that were never polled', async () => {
    fixture.vessels.set(cypress, { NLRTM: [0.9, 200] });
    await harness.service.add(request({ subjects: [vessel(cypress)] }), ada);
    await fixture.at(0);
    await fixture.at(10, { [cypress]: { NLRTM: [0.9, 230] } });
    const fleet = request({ title: 'fleet', subjects: [vessel(cypress), vessel(diana), vessel(9811000)] });
    expect((await harness.service.dryRun(fleet, ada)).past).toEqual({
      replies: 1,
      since: hour(0),
      coverage: { polled: 1, all: 3 },
    });
  });

  it('looks back at a port too', async () => {
    const port = request({ title: 'port', subjects: [{ kind: 'port', port: 'NLRTM' as Locode }] });
    await harness.service.add(port, ada);
    await fixture.at(0);
    await fixture.at(10, { [diana]: { NLRTM: [0.9, 100] } });
    await fixture.at(20);
    expect((await harness.service.dryRun(port, ada)).past).toEqual({ replies: 1, since: hour(0) });
  });
});

describe('permission to change a watch', () => {
  it('have the owner, admins and members of the channel', async () => {
    const { watch } = await harness.service.add(request(), ada);
    const snooze = { kind: 'until', at: hour(5) } as const;
    expect(await refusalOf(harness.service.snooze(watch.id, snooze, ben))).toMatchInlineSnapshot(
      `"not-allowed | You can't change that watch: you are not in its channel. Nothing was saved. | Its owner and workspace admins can; so can everybody in its channel, unless the channel settings say otherwise."`,
    );
    expect((await harness.service.find(watch.id))?.snooze).toBeNull();
    harness.channels.set('U2', new Set(['C1']));
    expect(await harness.service.snooze(watch.id, snooze, ben)).toMatchObject({ snooze });
    await harness.service.handOver(watch.id, 'U3', ben);
    const owner = { ...ada, channelId: 'D1', userId: 'U3' };
    expect(await harness.service.acknowledge(watch.id, owner)).toMatchObject({ ownerId: 'U3' });
    for (const change of [
      () => harness.service.stop(watch.id, { ...ada, channelId: 'C2' }),
      () => harness.service.resume(watch.id, { ...ada, channelId: 'C2' }),
      () => harness.service.refresh(watch.id, { ...ada, channelId: 'C2' }),
      () => harness.service.edit(watch.id, { rules: exactRules }, { ...ada, channelId: 'C2' }),
    ]) {
      expect(await refusalOf(change())).toContain('not-allowed');
    }
  });

  it('have only the owner and admins if the channel is set so; all members may still acknowledge and refresh', async () => {
    const member = { ...ben, channelId: 'C1' };
    const { watch } = await harness.service.add(request(), ada);
    await harness.settings.change('C1', { whoMayAdd: 'admins' }, member);
    for (const refused of [
      () => harness.service.add(dianas, member),
      () => harness.service.add(request({ rules: sixHours }), member),
      () => harness.service.add(dianas, ada),
      () => harness.service.stop(watch.id, member),
      () => harness.service.stopAll(member),
      () => harness.service.snooze(watch.id, null, member),
      () => harness.service.handOver(watch.id, 'U2', member),
      () => harness.settings.change('C1', { whoMayAdd: 'members' }, member),
    ]) {
      expect(await refusalOf(refused())).toMatch(/^not-allowed/);
    }
    expect(await refusalOf(harness.service.stop(watch.id, member))).toContain(
      "You can't change the watch of DS CYPRESS.",
    );
    await harness.service.acknowledge(watch.id, member);
    await harness.service.refresh(watch.id, member);
    // Whose watch it is changes it by typing it again, too.
    expect(await harness.service.add(request({ rules: sixHours }), ada)).toMatchObject({ kind: 'changed' });
    const admin = { ...member, isAdmin: true };
    await harness.service.add(dianas, admin);
    expect(await harness.service.stopAll(admin)).toHaveLength(2);
    await harness.settings.change('C1', { whoMayAdd: 'members' }, admin);
    await harness.service.add(request(), member);
  });

  it('resumes a paused watch of somebody else only after the question', async () => {
    const { service } = harness;
    const { watch } = await service.add(request(), ada);
    await db().updateTable('watches').set({ status: 'paused' }).execute();
    const member = { ...ben, channelId: 'C1' };
    const asked = await service.add(request({ rules: sixHours }), member);
    if (asked.kind !== 'question') throw new Error('not asked');
    expect((await service.find(watch.id))?.status).toBe('paused');
    await service.confirmChange(changeValue(asked.change), member);
    expect(await service.find(watch.id)).toMatchObject({ status: 'active', rules: sixHours });
  });
});

describe('lists', () => {
  const list = (scope: 'channel' | 'all' | 'mine', actor = ada) =>
    harness.service.list(scope, actor, { limit: 10, offset: 0 });

  it("show the watches of the channel, of all the actor's channels, or the actor's own", async () => {
    harness.channels.set('U1', new Set(['C1', 'C2']));
    await harness.service.add(request(), ada);
    await harness.service.add(request({ channelId: 'C2' }), ada);
    await harness.service.add(request({ channelId: 'C3' }), { ...ben, channelId: 'C3' });
    // For oneself, and where one is no more.
    const own = { channelId: 'D1', destination: 'direct-message' } as const;
    await harness.service.add(request(own), { ...ada, channelId: 'D1' });
    await harness.service.add(request({ channelId: 'C4' }), { ...ada, channelId: 'C4' });
    const channels = async (page: ReturnType<typeof list>) =>
      (await page).watches.map((one) => one.channelId);
    expect(await channels(list('channel'))).toEqual(['C1']);
    expect(await channels(list('all'))).toEqual(['C1', 'C2', 'D1', 'C4']);
    expect(await channels(list('mine'))).toEqual(['C1', 'C2', 'D1', 'C4']);
    expect(await channels(list('all', { ...ben, channelId: 'C3' }))).toEqual(['C3']);
    expect(await channels(list('mine', ben))).toEqual(['C3']);
  });

  it("show a watch whose state can't be read as one before its first answer", async () => {
    fixture.vessels.set(cypress, { NLRTM: [0.9, 300] });
    await harness.service.add(request(), ada);
    await fixture.at(0);
    await db().updateTable('followings').set({ state: '{"kind":"vessels"}' }).execute();
    const { watches } = await list('channel');
    expect(watches.map(({ followedSubjects }) => followedSubjects.map(({ state }) => state))).toEqual([
      [null],
    ]);
  });

  it('show people who have left the channel only their own watches', async () => {
    const left = { ...ben, channelId: 'C1', mayHaveLeft: true };
    await harness.service.add(request(), ada);
    await harness.service.add(dianas, {
      ...ben,
      channelId: 'C1',
    });
    const titles = async (scope: 'channel' | 'all') =>
      (await list(scope, left)).watches.map(({ title }) => title);
    expect(await titles('channel')).toEqual(['MSC DIANA']);
    expect(await titles('all')).toEqual(['MSC DIANA']);
    expect(await harness.service.findNamed({ kind: 'vessels', imos: [cypress] }, left)).toEqual([]);
    expect(await harness.service.findNamed({ kind: 'vessels', imos: [diana] }, left)).toHaveLength(1);
    harness.channels.set('U2', new Set(['C1']));
    expect(await titles('channel')).toEqual(['DS CYPRESS', 'MSC DIANA']);
  });

  it('are stopped for one channel, and no other', async () => {
    harness.channels.set('U1', new Set(['C2']));
    await harness.service.add(request(), ada);
    await harness.service.add(dianas, ada);
    await harness.service.add(request({ channelId: 'C2' }), ada);
    expect((await harness.service.stopAll(ada)).map(({ title }) => title)).toEqual([
      'DS CYPRESS',
      'MSC DIANA',
    ]);
    expect(await count()).toBe(1);
    expect(harness.cards.closed).toHaveLength(2);
    expect(await harness.service.stopAll(ada)).toEqual([]);
  });
});

describe('a personal watch', () => {
  const direct = { channelId: 'D1', destination: 'direct-message' } as const;
  const channel = { channelId: 'C1', destination: 'channel' } as const;

  it("is in the person's direct message, and only they can change it", async () => {
    const { watch } = await harness.service.add(request({ channelId: 'U1', destination: 'response' }), ada);
    expect(await harness.service.find(watch.id)).toMatchObject(direct);
    const admin = { userId: 'U9', isAdmin: true, channelId: 'C1' };
    harness.channels.set('U9', new Set(['C1', 'D1']));
    expect(await refusalOf(harness.service.stop(watch.id, admin))).toMatch(/^unknown-watch/);
    expect(await harness.service.stop(watch.id, ada)).toMatchObject(direct);
  });

  it.each([direct, channel])('is back in the same place after Undo: $destination', async (place) => {
    const { watch } = await harness.service.add(request(place), { ...ada, channelId: place.channelId });
    const undo = undoStop(await harness.service.stop(watch.id, ada)) ?? '';
    expect((await harness.service.undo(undo, ada)).watch).toMatchObject(place);
  });
});

import { beforeEach, expect, test } from 'vitest';
import { toReply } from '../../../../src/answers/slack/render.ts';
import { addedAnswer } from '../../../../src/features/watches/added-answer.ts';
import type { Imo } from '../../../../src/reference/codes.ts';
import { lineOf } from '../../../support/answer-message.ts';
import { asRead } from '../../../support/message-text.ts';
import { useWatches } from '../../../support/use-watches.ts';
import { reader } from '../../../support/view-fixtures.ts';
import { ada, request } from '../../../support/watch-service-harness.ts';
import { hour, vessel } from '../../../support/watch-story.ts';

const { fixture, harness } = useWatches();
beforeEach(() => {
  for (const imo of imos) fixture.vessels.set(imo, { NLRTM: [0.9, 200] });
});

const imos = [9461477, 9755933, 9811000, 9839430, 9619907, 9776418] as Imo[];
const several = (count = imos.length) =>
  request({ title: 'fleet ALPHA', fleet: 'ALPHA', subjects: imos.slice(0, count).map((imo) => vessel(imo)) });
const watchList = async (name: string, of: readonly Imo[]) => {
  const calls = of.map((imo) => [imo, { NLRTM: [0.9, 200] as const }] as const);
  fixture.lists.set(name, Object.fromEntries(calls));
  const list = request({ title: `list ${name}`, subjects: [{ kind: 'shiplist', name }] });
  await harness.service.add(list, ada);
  await fixture.at(fixture.clock.hours + 1);
};
const asList = async (count?: number) => (await harness.service.dryRun(several(count), ada)).asList;

test('no list is known: what a list of these vessels would use', async () => {
  const estimate = await harness.service.dryRun(several(), ada);
  expect(estimate.asList).toMatchObject({ missing: [], others: 0 });
  expect(estimate.asList).not.toHaveProperty('name');
  // A list needs one request where its vessels need one each.
  expect(estimate.asList?.callsPerMonth).toBeCloseTo(estimate.callsPerMonth / imos.length, -2);
});

test('fewer than five vessels, and vessels that are watched already, need no list', async () => {
  expect(await asList(4)).toBeUndefined();
  expect(await asList(5)).toBeDefined();
  await harness.service.add(several(), ada);
  expect(await asList()).toBeUndefined();
});

test('offers the list, of those that the person can see a watch of, that lacks the fewest', async () => {
  await watchList('SMALL', imos.slice(0, 4));
  expect(await asList()).not.toHaveProperty('name');
  await watchList('NEARLY', imos.slice(0, 5));
  expect(await asList()).toMatchObject({ name: 'NEARLY', missing: [imos[5]], others: 0 });
  await watchList('ALL', [...imos, 9074729 as Imo]);
  expect(await asList()).toMatchObject({ name: 'ALL', missing: [], others: 1 });
});

test('a list that is watched already costs nothing more, but only those who see that watch learn of it', async () => {
  await watchList('ALL', imos);
  expect((await harness.service.dryRun(several(), ada)).asList).toMatchObject({
    name: 'ALL',
    callsPerMonth: 0,
  });
  const nonMember = { userId: 'U9', isAdmin: false, channelId: 'C9' };
  const elsewhere = { ...several(), channelId: 'C9' };
  expect((await harness.service.dryRun(elsewhere, nonMember)).asList).not.toHaveProperty('name');
});

test('the list replaces the watch, with its rules', async () => {
  fixture.lists.set('ALL', { 9461477: { NLRTM: [0.9, 200] } });
  const added = await harness.service.add(several(), ada);
  if (added.kind !== 'added') throw new Error(added.kind);
  const { watch, stopped } = await harness.service.watchAsList(added.watch.id, 'ALL', ada);
  const { rules } = added.watch;
  expect(watch).toMatchObject({ title: 'list ALL', rules, ownerId: 'U1', channelId: 'C1' });
  expect(stopped.id).toBe(added.watch.id);
  const { watches } = await harness.service.list('channel', ada, { limit: 10 });
  expect(watches.map(({ title }) => title)).toEqual(['list ALL']);
  // An unknown list leaves the watch as it is.
  fixture.lists.clear();
  const again = await harness.service.add(several(), ada);
  if (again.kind !== 'added') throw new Error(again.kind);
  await expect(harness.service.watchAsList(again.watch.id, 'NOPE', ada)).rejects.toThrow(
    'No list called NOPE',
  );
  expect(await harness.service.find(again.watch.id)).toBeDefined();
});

test('the answer says what the list would use, and which vessels it lacks', async () => {
  const shown = async () => {
    const estimate = await harness.service.dryRun(several(), ada);
    const { rules } = several();
    const added = { how: 'added', request: several(), rules, watchId: 'w1', estimate } as const;
    const answer = addedAnswer(added, harness.as(ada));
    return asRead(toReply(answer, { reader: { ...reader, now: hour(0) }, lineOf }));
  };
  expect((await shown()).split('\n').slice(-3).join('\n')).toMatchInlineSnapshot(`
    "*Watching fleet ALPHA here* · about 4,500 API calls a month
    ETA 12 h; under 50% · The provider can set up a list of these vessels; watched as a list they would use about 760
    [Edit → {"watchId":"w1"}]"
  `);
  await watchList('ALL', [...imos.slice(1), 9074729 as Imo]);
  expect((await shown()).split('\n').slice(-3).join('\n')).toMatchInlineSnapshot(`
    "*Watching fleet ALPHA here* · about 4,600 API calls a month
    Already watched here: IMO 9619907, MSC DIANA, IMO 9776418, EVER GIVEN, MSC GULSUN by the watch of list ALL; both threads are notified, and the channel sees each change once · ETA 12 h; under 50% · As list ALL (without DS CYPRESS, with 1 other vessel) it would use none
    [Edit → {"watchId":"w1"}] [Watch list:ALL instead → w1 ALL]"
  `);
});

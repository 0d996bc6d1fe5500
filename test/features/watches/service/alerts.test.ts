import { beforeEach, expect, it } from 'vitest';
import { UserError } from '../../../../src/errors.ts';
import { chooseRules } from '../../../../src/features/rules/registry.ts';
import { refusalOf } from '../../../support/refusal.ts';
import { useWatches } from '../../../support/use-watches.ts';
import { ada, ben, request } from '../../../support/watch-service-harness.ts';
import { createAlertStore } from '../../../support/watch-stores.ts';
import { cypress, hour, vessel } from '../../../support/watch-story.ts';

/** Nobody can assign alerts to them. */
const elsewhere = new Set<string>();
const { fixture, harness, divert, workspace, db } = useWatches(undefined, () => ({
  slack: {
    async checkOwner({ userId }) {
      if (elsewhere.has(userId)) throw new UserError({ code: 'bad-owner', message: 'Not in the channel.' });
    },
  },
}));
beforeEach(() => {
  elsewhere.clear();
  fixture.vessels.set(cypress, { NLRTM: [0.9, 300] });
});

const rows = () => db().selectFrom('alerts').selectAll().orderBy('at').execute();

/** Ada's watch in C1, with an alert; returns the ids of both. */
async function alerted(): Promise<{ watchId: string; id: string }> {
  const { watch } = await harness.service.add(request(), ada);
  await fixture.at(0);
  await divert(10, 'DEHAM');
  const [row] = await rows();
  if (!row) throw new Error('no alert');
  return { watchId: watch.id, id: row.id };
}

it('members of the channel acknowledge and assign; nobody else does', async () => {
  const { watchId, id } = await alerted();
  for (const refused of [
    () => harness.service.acknowledge(watchId, ben),
    () => harness.service.acknowledgeMessage(id, ben),
    () => harness.service.acknowledgeAlert(id, ben),
    () => harness.service.getToAssign(id, ben),
    () => harness.service.assignMessage(id, 'U3', ben),
    () => harness.service.assign(watchId, 'U3', ben),
  ])
    expect(await refusalOf(refused())).toMatch(/^not-allowed \| You can't change that watch: you are not in/);
  expect(await rows()).toMatchObject([{ assignee_id: null, acknowledged_by: null }]);
  const member = { ...ben, channelId: 'C1' };
  await harness.service.assignMessage(id, 'U3', member);
  expect(await harness.service.getToAssign(id, member)).toMatchObject({
    title: 'DS CYPRESS',
    alert: { assignment: { assigneeId: 'U3', by: 'U2' } },
  });
  expect(await harness.service.acknowledgeAlert(id, member)).toMatchObject({
    alert: { acknowledgement: { by: 'U2', at: hour(10) } },
  });
  // The first to acknowledge stays, and is what the second one sees.
  expect(await harness.service.acknowledgeAlert(id, ada)).toMatchObject({
    alert: { acknowledgement: { by: 'U2' } },
  });
});

it('an alert is assigned only to somebody who sees it, and while it is open', async () => {
  const { watchId, id } = await alerted();
  elsewhere.add('U9');
  expect(await refusalOf(harness.service.assignMessage(id, 'U9', ada))).toBe(
    'bad-owner | Not in the channel. | ',
  );
  expect(await rows()).toMatchObject([{ assignee_id: null }]);
  await harness.service.acknowledge(watchId, ada);
  expect(await refusalOf(harness.service.assign(watchId, 'U2', ada))).toMatchInlineSnapshot(
    `"unknown-watch | No alert of DS CYPRESS is open, so there is nothing to assign. | "`,
  );
  expect(await refusalOf(harness.service.assignMessage(id, 'U2', ada))).toMatchInlineSnapshot(
    `"unknown-watch | No alert in that message is open, so there is nothing to assign. | "`,
  );
  expect(await refusalOf(harness.service.acknowledgeMessage('gone', ada))).toMatchInlineSnapshot(
    `"unknown-watch | That alert is no longer stored: its watch has been stopped, or it is too old. | "`,
  );
});

it('the alerts of a personal watch are assigned to nobody else', async () => {
  const { watch } = await harness.service.add({ ...request(), destination: 'response' }, ada);
  await fixture.at(0);
  await divert(10, 'DEHAM');
  expect(await refusalOf(harness.service.assign(watch.id, 'U2', ada))).toMatchInlineSnapshot(
    `"bad-owner | Only you see this watch, so its alerts can be assigned to nobody else. | Watch the vessel in a channel to share its alerts."`,
  );
});

it('acknowledging on Home leaves the same news alone in a channel that the person has left', async () => {
  const elsewhere = await fixture.watch([vessel()], { channelId: 'C9' });
  await fixture.store.change(elsewhere.id, { ownerId: 'U9' }, fixture.by());
  const { watchId } = await alerted();
  const assigned = { watchId: elsewhere.id, assigneeId: 'U1' };
  await createAlertStore({ store: workspace(), newId: fixture.newId }).assign(assigned, fixture.by());
  const own = (await rows()).find(({ watch_id }) => watch_id === watchId);
  await harness.service.acknowledgeAlert(own?.id ?? '', ada);
  const acknowledged = (await rows()).filter(({ acknowledged_by }) => acknowledged_by !== null);
  expect(acknowledged).toMatchObject([{ watch_id: watchId }]);
});

it('Home shows what is assigned to a person only while they are in its channel', async () => {
  const { id } = await alerted();
  await harness.service.assignMessage(id, 'U2', ada);
  const home = { ...ben, channelId: 'U2' };
  expect(await harness.service.needsYou(home, 5)).toEqual({ alerts: [], more: 0 });
  harness.channels.set('U2', new Set(['C1']));
  expect(await harness.service.needsYou(home, 5)).toMatchObject({
    alerts: [{ alert: { id }, isAssigned: true, isOwn: false, channelId: 'C1' }],
    more: 0,
  });
  expect(await harness.service.needsYou(home, 0)).toEqual({ alerts: [], more: 1 });
});

it('what is information only waits for nobody, unless it is assigned', async () => {
  fixture.vessels.set(cypress, { NLRTM: [0.9, 40] });
  await harness.service.add(request({ rules: chooseRules({ arrivingHours: [24] }) }), ada);
  await fixture.at(0);
  await fixture.at(20);
  const [{ id } = { id: '' }] = await rows();
  const own = { ...ada, channelId: 'U1' };
  expect(await harness.service.needsYou(own, 5)).toEqual({ alerts: [], more: 0 });
  await harness.service.assignMessage(id, 'U1', ada);
  expect(await harness.service.needsYou(own, 5)).toMatchObject({
    alerts: [{ alert: { id }, isAssigned: true }],
  });
});

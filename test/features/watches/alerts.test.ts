import { beforeEach, describe, expect, it } from 'vitest';
import { beginRecovery } from '../../../src/database/recovery.ts';
import { storeOf } from '../../../src/database/workspace-store.ts';
import {
  lastAlertTimes,
  readAlertStates,
  readOpenAlerts,
  reminderMinutes,
} from '../../../src/features/alerts/alert.ts';
import { remindDue } from '../../../src/features/alerts/reminders.ts';
import { createState } from '../../../src/features/ctx.ts';
import type { Watch } from '../../../src/features/polling/watch.ts';
import { failAfter } from '../../support/fail-after.ts';
import { engines, workspaceId } from '../../support/store-engines.ts';
import { useWatches } from '../../support/use-watches.ts';
import { type AlertStore, createAlertStore } from '../../support/watch-stores.ts';
import { cypress, diana, hour, vessel } from '../../support/watch-story.ts';

const late = reminderMinutes / 60;

describe.each(engines)('alerts, $engine', ({ open }) => {
  const { store, fixture, slack, send: sendAll, workspace, db } = useWatches(open);
  let alerts: AlertStore;
  let watch: Watch;
  beforeEach(async () => {
    alerts = createAlertStore({ store: workspace(), newId: fixture.newId });
    fixture.vessels.set(cypress, { NLRTM: [0.9, 500] });
    watch = await fixture.watch([vessel()]);
    await fixture.at(0);
  });

  const rows = () => db().selectFrom('alerts').selectAll().orderBy('at').orderBy('id').execute();
  const by = (actorId: string) => ({ ...fixture.by(), actorId });
  /** The next port changes, which is critical, or only its ETA does. */
  const alertAt = async (hours: number, what: 'critical' | 'routine' = 'critical') => {
    const port = what === 'critical' ? (hours % 14 < 7 ? 'BEANR' : 'DEHAM') : 'NLRTM';
    await fixture.at(hours, { [cypress]: { [port]: [0.9, what === 'critical' ? 500 : 530] } });
    return (await rows()).at(-1)?.id ?? '';
  };
  const send = async () => {
    await sendAll();
    return slack.posted.map(({ message }) => message.kind);
  };
  /** Those of one process. */
  const reminders = (from = store.database.db) => {
    const realNow = () => fixture.clock.realMs;
    const services = { store: storeOf(from, workspaceId), realNow, state: createState() };
    return { runDue: (now: Date) => remindDue(now, () => true, { services }) };
  };
  const audit = () =>
    db().selectFrom('audit').select(['action', 'actor_id', 'after']).orderBy('at').orderBy('id').execute();

  it('the first to acknowledge one stays; its message and the card are updated', async () => {
    const first = await alertAt(7);
    await send();
    const second = await alertAt(14);
    expect(await alerts.acknowledge({ watchId: watch.id, alertIds: [first] }, by('U2'))).toMatchObject([
      { id: first, acknowledgement: { by: 'U2', at: hour(14) } },
    ]);
    expect(await alerts.acknowledge({ watchId: watch.id, alertIds: [first] }, by('U3'))).toEqual([]);
    expect(await alerts.acknowledge({ watchId: watch.id }, by('U3'))).toMatchObject([{ id: second }]);
    expect(await alerts.acknowledge({ watchId: 'gone' }, by('U3'))).toBeUndefined();
    expect((await rows()).map(({ acknowledged_by }) => acknowledged_by)).toEqual(['U2', 'U3']);
    await send();
    const updated = slack.updates.map(({ message, alerts: shown }) => [
      message.kind,
      shown.map(({ id }) => id),
    ]);
    expect(updated).toContainEqual(['reply', [first]]);
    expect(updated).toContainEqual(['card-update', []]);
    expect(await audit()).toMatchObject([
      { action: 'watch.add' },
      { action: 'alert.acknowledge', actor_id: 'U2', after: { alerts: 1 } },
      { action: 'alert.acknowledge', actor_id: 'U3', after: { alerts: 1 } },
    ]);
    const states = await readAlertStates(workspace(), [watch.id]);
    expect(states.get(watch.id)).toMatchObject({ openAlerts: null, acknowledgement: { at: hour(14) } });
  });

  it('the most urgent open one comes first, with the number of all', async () => {
    const critical = await alertAt(7);
    await fixture.at(14, { [cypress]: { DEHAM: [0.9, 530] } });
    const states = await readAlertStates(workspace(), [watch.id, 'another']);
    expect([...states.keys()]).toEqual([watch.id]);
    expect(states.get(watch.id)?.openAlerts).toMatchObject({ first: { id: critical }, count: 2 });
  });

  it('show when a watch was last used: by the last one, and by what people did with it', async () => {
    const times = async (of = workspace()) => [...(await lastAlertTimes(of))];
    expect(await times()).toEqual([]);
    await alertAt(7);
    expect(await times()).toEqual([[watch.id, hour(7)]]);
    fixture.clock.hours = 9;
    await alerts.assign({ watchId: watch.id, assigneeId: 'U2' }, by('U1'));
    expect(await times()).toEqual([[watch.id, hour(9)]]);
    fixture.clock.hours = 10;
    await alerts.acknowledge({ watchId: watch.id }, by('U2'));
    expect(await times()).toEqual([[watch.id, hour(10)]]);
    expect(await times(storeOf(store.database.db, 'T2'))).toEqual([]);
  });

  it('one that is assigned is named in the thread once, however often the same person gets it', async () => {
    const id = await alertAt(7);
    const which = { watchId: watch.id, alertIds: [id] };
    expect(await alerts.assign({ ...which, assigneeId: 'U2' }, by('U1'))).toMatchObject([
      { id, assignment: { assigneeId: 'U2', by: 'U1' } },
    ]);
    expect(await alerts.assign({ ...which, assigneeId: 'U2' }, by('U3'))).toEqual([]);
    await alerts.assign({ ...which, assigneeId: 'U3' }, by('U2'));
    expect(await send()).toEqual(['reply', 'assignment', 'assignment']);
    await alerts.acknowledge(which, by('U3'));
    expect(await alerts.assign({ ...which, assigneeId: 'U2' }, by('U1'))).toEqual([]);
  });

  it('what concerns all open ones leaves out those that are closed; one that is assigned by its id is open again', async () => {
    const first = await alertAt(7);
    const second = await alertAt(14);
    expect(await rows()).toMatchObject([{ id: first, closed_at: hour(14) }, { id: second }]);
    await alerts.assign({ watchId: watch.id, assigneeId: 'U7' }, by('U1'));
    await alerts.acknowledge({ watchId: watch.id }, by('U7'));
    expect(await rows()).toMatchObject([
      { assignee_id: null, acknowledged_at: null },
      { assignee_id: 'U7', acknowledged_by: 'U7' },
    ]);
    await alerts.assign({ watchId: watch.id, alertIds: [first], assigneeId: 'U8' }, by('U1'));
    expect((await rows())[0]).toMatchObject({ assignee_id: 'U8', closed_at: null });
    const states = await readAlertStates(workspace(), [watch.id]);
    expect(states.get(watch.id)?.openAlerts).toMatchObject({ first: { id: first }, count: 1 });
  });

  it('one of a vessel that the service does not answer for stays open while others are answered', async () => {
    const both = await fixture.watch([vessel(), vessel(diana)]);
    await fixture.at(1, { [diana]: { NLRTM: [0.9, 500] } });
    const { vesselPredictions } = fixture.analytics;
    fixture.analytics.vesselPredictions = async (imo, options) => {
      if (imo === diana) throw new Error('no answer for this one');
      return await vesselPredictions(imo, options);
    };
    for (const hours of [7.5, 8, 9, 12, 18, 24, 30, 40]) await fixture.at(hours);
    const stale = async () =>
      (await rows()).filter(
        ({ watch_id, events }) => watch_id === both.id && JSON.stringify(events).includes('"stale"'),
      );
    expect(await stale()).toMatchObject([{ closed_at: null }]);
    await fixture.at(47, { [cypress]: { DEHAM: [0.9, 500] } });
    expect(await stale()).toMatchObject([{ closed_at: null }]);
    fixture.analytics.vesselPredictions = vesselPredictions;
    await fixture.at(60, { [diana]: { BEANR: [0.9, 500] } });
    expect(await stale()).toMatchObject([{ closed_at: hour(60) }]);
  });

  it('a critical one reminds its assignee once, and again whoever it is assigned to next', async () => {
    const id = await alertAt(7);
    await alerts.assign({ watchId: watch.id, assigneeId: 'U2' }, by('U1'));
    expect(await reminders().runDue(hour(7 + late - 0.01))).toEqual({ reminded: 0 });
    expect(await reminders().runDue(hour(7 + late))).toEqual({ reminded: 1 });
    expect(await reminders().runDue(hour(9))).toEqual({ reminded: 0 });
    expect(await send()).toContain('alert-reminder');
    const [reminder] = slack.posted.filter(({ message }) => message.kind === 'alert-reminder');
    expect(reminder).toMatchObject({ channelId: 'U2', message: { alertId: id } });
    fixture.clock.hours = 9;
    await alerts.assign({ watchId: watch.id, assigneeId: 'U3' }, by('U2'));
    expect(await reminders().runDue(hour(9 + late))).toEqual({ reminded: 1 });
  });

  it('nobody is reminded again after a restore: the message of before is found', async () => {
    await alertAt(7);
    await alerts.assign({ watchId: watch.id, assigneeId: 'U2' }, by('U1'));
    await send();
    const backup = await rows();
    const backedUpAt = new Date(fixture.clock.realMs);
    const remind = async () => {
      expect(await reminders().runDue(hour(8))).toEqual({ reminded: 1 });
      return (await send()).filter((kind) => kind === 'alert-reminder').length;
    };
    expect(await remind()).toBe(1);
    await db().deleteFrom('outbox').where('kind', '=', 'alert-reminder').execute();
    for (const { id, reminded_at } of backup)
      await db().updateTable('alerts').set({ reminded_at }).where('id', '=', id).execute();
    await beginRecovery(store.database.db, { backedUpAt, restoredAt: hour(8) });
    expect(await remind()).toBe(1);
  });

  it('nobody is reminded of one that is acknowledged, not critical, unassigned or stopped', async () => {
    await alertAt(7);
    expect(await reminders().runDue(hour(9))).toEqual({ reminded: 0 });
    await alerts.assign({ watchId: watch.id, assigneeId: 'U2' }, by('U1'));
    await reminders().runDue(hour(9));
    // Acknowledged before the reminder went out.
    await alerts.acknowledge({ watchId: watch.id }, by('U3'));
    expect(await send()).not.toContain('alert-reminder');

    const another = await fixture.watch([vessel(diana)], { channelId: 'C2' });
    await fixture.at(10, { [diana]: { NLRTM: [0.9, 200] } });
    await fixture.at(17, { [diana]: { NLRTM: [0.9, 230] } });
    expect((await rows()).at(-1)).toMatchObject({ watch_id: another.id, is_critical: false });
    await alerts.assign({ watchId: another.id, assigneeId: 'U2' }, by('U1'));
    expect(await reminders().runDue(hour(20))).toEqual({ reminded: 0 });

    await fixture.at(27, { [diana]: { DEHAM: [0.9, 530] } });
    await alerts.assign({ watchId: another.id, assigneeId: 'U3' }, by('U1'));
    expect(await reminders().runDue(hour(28))).toEqual({ reminded: 1 });
    await fixture.store.stop(another.id, fixture.by());
    expect((await rows()).filter(({ watch_id }) => watch_id === another.id)).toEqual([]);
    expect(await send()).not.toContain('alert-reminder');
  });

  it('two instances send one reminder, and so does one that ends at any statement', async () => {
    await alertAt(7);
    await alerts.assign({ watchId: watch.id, assigneeId: 'U2' }, by('U1'));
    const count = async () => (await send()).filter((kind) => kind === 'alert-reminder').length;
    for (let statements = 0; statements < 5; statements += 1)
      await reminders(store.database.db.withPlugin(failAfter(statements)))
        .runDue(hour(8))
        .catch(() => undefined);
    const both = await Promise.all([reminders().runDue(hour(8)), reminders().runDue(hour(8))]);
    expect(both.reduce((sum, { reminded }) => sum + reminded, 0)).toBeLessThanOrEqual(1);
    expect(await count()).toBe(1);
  });

  it('polls, acknowledgements, assignments, reminders and the outbox work at the same moment', async () => {
    const others = [];
    for (let count = 0; count < 4; count += 1) others.push(await fixture.watch([vessel()]));
    await fixture.at(1);
    for (let round = 1; round <= 6; round += 1) {
      fixture.vessels.set(cypress, { [round % 2 ? 'DEHAM' : 'BEANR']: [0.9, 500] });
      const hours = round * 7;
      const { id: watchId } = others[round % 4] ?? watch;
      const work = await Promise.allSettled([
        fixture.at(hours),
        send(),
        alerts.acknowledge({ watchId }, by('U2')),
        alerts.assign({ watchId: watch.id, assigneeId: `U${round}` }, by('U1')),
        alerts.acknowledge({ watchId: watch.id, alertIds: [(await rows())[0]?.id ?? ''] }, by('U3')),
        reminders().runDue(hour(hours)),
      ]);
      expect(work.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))).toEqual([]);
    }
    await send();
    fixture.clock.realMs += 3_600_000;
    await send();
    const unsent = await db()
      .selectFrom('outbox')
      .select('kind')
      .where('status', 'in', ['pending', 'sending'])
      .execute();
    expect(unsent).toEqual([]);
    // Each alert is shown once, and its message says what became of it.
    const last = new Map(
      [
        ...slack.posted,
        ...slack.updates.map((update) => ({
          ...update,
          ts: update.delivery.operation === 'update' ? (update.delivery.ts ?? '') : '',
        })),
      ]
        .filter(({ message }) => message.kind === 'reply')
        .map((one) => [one.ts, one]),
    );
    const shown = [...last.values()].flatMap((one) =>
      one.alerts.map(({ id, acknowledgement }) => [id, acknowledgement?.by ?? null]),
    );
    const stored = (await rows()).map(({ id, acknowledged_by }) => [id, acknowledged_by]);
    expect(shown.toSorted()).toEqual(stored.toSorted());
  });

  it('a reminder that a clock ahead of time has planned comes at the latest half an hour after the rollback', async () => {
    await alertAt(100);
    await alerts.assign({ watchId: watch.id, assigneeId: 'U2' }, by('U1'));
    const job = reminders();
    expect(await job.runDue(hour(10))).toEqual({ reminded: 0 });
    expect(await job.runDue(hour(10 + late))).toEqual({ reminded: 1 });
  });

  it('Home lists those assigned to the person, then those of their own watches', async () => {
    const first = await alertAt(7);
    const second = await alertAt(14);
    await alerts.assign({ watchId: watch.id, alertIds: [first], assigneeId: 'U1' }, by('U2'));
    await alerts.assign({ watchId: watch.id, alertIds: [second], assigneeId: 'U2' }, by('U2'));
    const listed = async (userId: string) =>
      (await readOpenAlerts(workspace(), userId)).map(({ alert, isOwn, isAssigned, channelId }) => [
        alert.id,
        isOwn,
        isAssigned,
        channelId,
      ]);
    expect(await listed('U1')).toEqual([
      [first, true, true, 'C1'],
      [second, true, false, 'C1'],
    ]);
    expect(await listed('U2')).toEqual([[second, false, true, 'C1']]);
    expect(await readOpenAlerts(storeOf(store.database.db, 'T2'), 'U1')).toEqual([]);
    await alerts.acknowledge({ watchId: watch.id }, by('U3'));
    expect(await listed('U1')).toEqual([]);
  });
});

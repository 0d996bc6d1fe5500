import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { type Alert, readableAlerts } from '../../../src/features/alerts/alert.ts';
import { editAlert } from '../../../src/features/alerts/edit-alert.ts';
import { writeReplies } from '../../../src/features/alerts/replies.ts';
import type { Watch } from '../../../src/features/polling/watch.ts';
import type { WatchEvent } from '../../../src/features/rules/list.ts';
import type { Imo, Locode } from '../../../src/reference/codes.ts';
import type { ChannelMode } from '../../../src/workspaces/settings.ts';
import { direct } from '../../support/statements/direct.ts';
import { engines, workspaceId } from '../../support/store-engines.ts';
import { useWatches } from '../../support/use-watches.ts';
import type { Shown } from '../../support/watch-slack.ts';
import { createAlertStore } from '../../support/watch-stores.ts';
import { cypress, hour, vessel } from '../../support/watch-story.ts';

/** Told apart by their hours. */
const event = (hours: number, imo: Imo = cypress): WatchEvent => ({
  kind: 'arriving',
  imo,
  hours,
  call: 1,
  now: { port: 'NLRTM' as Locode, probability: 0.9, eta: hour(70) },
});

/** The hours of the events that a message shows. */
const hoursIn = ({ message }: Pick<Shown, 'message'>): unknown[] => {
  if (message.kind === 'reply') return message.events.map((one) => 'hours' in one && one.hours);
  if (message.kind !== 'summary') return [message.kind];
  return message.items.flatMap(({ events }) => events.map((one) => 'hours' in one && one.hours));
};

const factsOf = ({ id, events, acknowledgement }: Alert) => ({ id, events, acknowledgement });
const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

interface Step {
  do: string;
  watch?: number;
  key?: string | undefined;
  /** Only of `write`. */
  times?: number;
  isLast?: boolean;
  fate?: 'cut' | 'timeout' | undefined;
}

const hoursOf = (events: readonly WatchEvent[]): unknown[] =>
  events.map((one) => 'hours' in one && one.hours);
describe.each(engines)('an alert that is edited in place, $engine', ({ engine, open }) => {
  const { store, fixture, slack, send, reset, workspace, db } = useWatches(open);
  let watch: Watch;
  beforeEach(async () => {
    watch = await fixture.watch([vessel()]);
  });

  const sendLater = () => send(3_600_000);
  const alertStore = () => createAlertStore({ store: workspace(), newId: fixture.newId });
  const context = () => ({ newId: fixture.newId, ...fixture.by() });
  const subject = { kind: 'vessel', key: String(cypress) };
  const write = (
    hours: number,
    { editKey, of = watch, mode = 'thread' }: { editKey?: string; of?: Watch; mode?: ChannelMode } = {},
  ) =>
    store.database.db.transaction().execute((transaction) =>
      writeReplies(
        storeOf(transaction, workspaceId),
        [
          {
            follower: { watch: of, mode },
            subjects: [subject],
            events: [event(hours)],
            ...(editKey !== undefined && { editKey }),
          },
        ],
        context(),
      ),
    );
  const edit = (hours: number, more: { isLast?: boolean; watchId?: string; editKey?: string } = {}) =>
    store.database.db.transaction().execute(async (transaction) => {
      const { id } = watch;
      await direct(transaction)
        .selectFrom('watches')
        .select('id')
        .where('id', '=', id)
        .forKeyShare()
        .execute();
      const change = { watchId: id, editKey: 'dispute', events: [event(hours)], ...more };
      return await editAlert(storeOf(transaction, workspaceId), change, context());
    });
  const statusOf = async (kind: string) =>
    (
      await db().selectFrom('outbox').select('status').where('kind', '=', kind).orderBy('sequence').execute()
    ).map(({ status }) => status);

  it('shows its new events in the same message', async () => {
    await write(1, { editKey: 'dispute' });
    await send();
    expect(await edit(2)).toBe(true);
    await edit(3);
    expect(await statusOf('reply-update')).toEqual(['pending']);
    await send();
    expect(slack.posted.map(hoursIn)).toEqual([[1]]);
    expect(slack.updates.map((update) => [hoursIn(update), update.delivery])).toMatchObject([
      [[3], { operation: 'update', ts: '1' }],
    ]);
  });

  it('is not there without its key, for another watch, after the last edit, or once another alert has the key', async () => {
    await write(1);
    expect(await edit(2)).toBe(false);
    await write(3, { editKey: 'dispute' });
    expect(await edit(4, { watchId: 'another' })).toBe(false);
    expect(await edit(5, { isLast: true })).toBe(true);
    expect(await edit(6)).toBe(false);
    await write(7, { editKey: 'dispute' });
    await write(8, { editKey: 'dispute' });
    expect(await edit(9)).toBe(true);
    await send();
    expect(slack.posted.map(hoursIn)).toEqual([[1, 5, 7, 9]]);
  });

  it('holds up no new alert while Slack accepts no updates', async () => {
    await write(1, { editKey: 'dispute' });
    await send();
    await edit(2);
    slack.onPost = ({ delivery }) => (delivery.operation === 'update' ? new Error('timeout') : undefined);
    await write(3);
    await send();
    expect(slack.posted.map(hoursIn)).toEqual([[1], [3]]);
    slack.onPost = () => undefined;
    await edit(4);
    await sendLater();
    expect(slack.updates.map(hoursIn)).toEqual([[4], [4]]);
  });

  it('shows its new events in the summary of the channel too', async () => {
    const others = [];
    for (let count = 0; count < 3; count += 1) others.push(await fixture.watch([vessel()]));
    await write(1, { editKey: 'dispute', mode: 'new-message' });
    for (const [index, of] of others.entries()) await write(2 + index, { of, mode: 'new-message' });
    await send();
    expect(slack.posted.map(({ message }) => message.kind)).toEqual([...Array(4).fill('reply'), 'summary']);
    expect(slack.posted.map(hoursIn)).toEqual([[1], [2], [3], [4], [1, 2, 3, 4]]);
    await edit(10);
    await send();
    expect(slack.updates.map(hoursIn).toSorted()).toEqual([[10], [10, 2, 3, 4]]);
    // Acknowledging all that it shows is one update of it.
    const shown = await alertStore().ofMessage(slack.posted.at(-1)?.id ?? '');
    expect(shown.map(({ events }) => hoursOf(events)[0]).toSorted()).toEqual([10, 2, 3, 4]);
    for (const { id } of [watch, ...others]) await alertStore().acknowledge({ watchId: id }, fixture.by());
    await send();
    const summaries = slack.updates.filter(({ message }) => message.kind === 'summary');
    expect(summaries).toHaveLength(2);
    expect(summaries.at(-1)?.alerts.every(({ acknowledgement }) => acknowledgement)).toBe(true);
  });

  it('is updated once a paused watch is resumed, once', async () => {
    await write(1, { editKey: 'dispute' });
    await send();
    await edit(2);
    await db().updateTable('watches').set({ status: 'paused' }).execute();
    await db().updateTable('outbox').set({ status: 'held' }).where('status', '=', 'pending').execute();
    await edit(3);
    await fixture.store.resume(watch.id, fixture.by());
    await send();
    expect(slack.updates.map(hoursIn).filter(([kind]) => kind !== 'card-update')).toEqual([[3]]);
  });

  it('whatever is written, edited, acknowledged and sent in whatever order: each message ends up as its alerts are', async () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant('write'),
        watch: fc.nat(2),
        key: fc.constantFrom(undefined, 'a', 'b'),
        times: fc.integer({ min: 1, max: 6 }),
      }),
      fc.record({
        do: fc.constant('edit'),
        watch: fc.nat(2),
        key: fc.constantFrom('a', 'b'),
        isLast: fc.boolean(),
      }),
      fc.record({ do: fc.constant('acknowledge'), watch: fc.nat(2) }),
      fc.record({ do: fc.constant('send'), fate: fc.constantFrom(undefined, 'cut', 'timeout') }),
    );
    const check = async (steps: readonly Step[]) => {
      await reset();
      watch = await fixture.watch([vessel()]);
      const watches = [watch];
      for (const channelId of ['C1', 'C1']) watches.push(await fixture.watch([vessel()], { channelId }));
      let hours = 0;
      for (const one of steps) {
        const of = watches[one.watch ?? 0] ?? watch;
        hours += 10;
        for (let time = 0; time < (one.times ?? 0); time += 1)
          await write(hours + time, {
            of,
            mode: 'new-message',
            ...(one.key !== undefined && { editKey: one.key }),
          });
        if (one.do === 'edit')
          await edit(hours, { watchId: of.id, editKey: one.key ?? '', isLast: one.isLast ?? false });
        if (one.do === 'acknowledge') await alertStore().acknowledge({ watchId: of.id }, fixture.by());
        if (one.do !== 'send') continue;
        slack.onPost = () => (one.fate === 'timeout' ? new Error('timeout') : one.fate);
        await send();
        fixture.clock.realMs += one.fate ? 60_000 : 0;
      }
      slack.onPost = () => undefined;
      for (let round = 0; round < 3; round += 1) await sendLater();
      const stored = await db().selectFrom('alerts').selectAll().execute();
      const facts = readableAlerts(stored).map(factsOf);
      const inSlack = new Map(slack.posted.map((post) => [post.ts, post] as const));
      for (const update of slack.updates)
        if (update.delivery.operation === 'update' && update.message.kind !== 'card-update')
          inSlack.set(update.delivery.ts ?? '', { ...update, ts: update.delivery.ts ?? '' });
      const shown = [...inSlack.values()];
      const replies = shown.filter(({ message }) => message.kind === 'reply');
      const summaries = shown.filter(({ message }) => message.kind === 'summary');
      // Every alert is in one reply, with its latest events and its state.
      expect(replies.flatMap(({ alerts }) => alerts.map(factsOf)).toSorted(byId)).toEqual(
        facts.toSorted(byId),
      );
      for (const reply of replies)
        expect(hoursIn(reply).toSorted()).toEqual(
          reply.alerts.flatMap(({ events }) => hoursOf(events)).toSorted(),
        );
      for (const summary of summaries)
        expect(hoursIn(summary).toSorted()).toEqual(
          summary.alerts
            .flatMap(({ id }) => hoursOf(facts.find((fact) => fact.id === id)?.events ?? []))
            .toSorted(),
        );
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), check), {
      numRuns: engine === 'sqlite' ? 60 : 15,
    });
  });
});

import { WebClient } from '@slack/web-api';
import { createPlayground, type Playground } from 'bolt-playground';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { beginRecovery } from '../../../src/database/recovery.ts';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { watchMessages } from '../../../src/features/cards/outgoing.ts';
import type { Imo } from '../../../src/reference/codes.ts';
import { createPoster } from '../../../src/slack/posting/messenger.ts';
import { failAfter } from '../../support/fail-after.ts';
import { pauseWatches } from '../../support/pausing.ts';
import { quietLogger } from '../../support/quiet-logger.ts';
import { engines, expireLeases, workspaceId } from '../../support/store-engines.ts';
import { useWatches } from '../../support/use-watches.ts';
import { boundTo } from '../../support/watch-slack.ts';
import { hour, vessel } from '../../support/watch-story.ts';

// Many replies waited at the time of the backup. Then they were merged, and posted otherwise than the backup has them.

const ops = 'C0OPS00001';
const imos = [9461477, 9755933, 9811000, 9839430, 9074729] as Imo[];

describe.each(engines)('after a restore, $engine', ({ open }) => {
  const { store, fixture, useOutbox, send, setMode, workspace, outboxRows, db } = useWatches(open);
  let slack: Playground;
  beforeEach(async () => {
    slack = await createPlayground({ mode: 'http', rateLimit: false, now: () => fixture.clock.realMs });
    const client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl, logger: quietLogger });
    const messages = watchMessages({
      draw: async ({ message }) => ({ text: message.kind, blocks: [] }),
      pause: (transaction, refusal, ids) => pauseWatches(transaction, refusal, ids),
    });
    useOutbox({ poster: createPoster(client), outgoing: boundTo(workspace(), messages) });
  });
  afterEach(() => slack.close());

  const readRows = async () => ({
    outbox: await outboxRows(),
    alerts: await db().selectFrom('alerts').selectAll().execute(),
  });

  /** Cards in Slack, then a change of every vessel, whose replies wait. */
  async function waitingReplies(groups: readonly (readonly Imo[])[]): Promise<void> {
    for (const imo of imos) fixture.vessels.set(imo, { NLRTM: [0.9, 500] });
    for (const group of groups)
      await fixture.watch(
        group.map((imo) => vessel(imo)),
        { channelId: ops },
      );
    await fixture.at(0);
    await send();
    for (const imo of imos) fixture.vessels.set(imo, { DEHAM: [0.9, 500] });
    await fixture.at(7);
  }

  /** Sends what waits, goes back to the rows from before that, and sends again. */
  async function sendAndRestore(): Promise<{ before: string[]; after: string[] }> {
    const own = store.database.db;
    const backedUpAt = new Date(fixture.clock.realMs);
    const { outbox: messages, alerts } = await readRows();
    const texts = () => slack.messages(ops).map(({ ts, text }) => `${ts} ${text}`);
    await send();
    const before = texts();
    await db().deleteFrom('outbox').execute();
    await db().deleteFrom('alerts').execute();
    for (const { sequence: _, payload, ...row } of messages)
      await own
        .insertInto('outbox')
        .values({ ...row, payload: JSON.stringify(payload) })
        .execute();
    for (const { events, ...row } of alerts)
      await own
        .insertInto('alerts')
        .values({ ...row, events: JSON.stringify(events) })
        .execute();
    fixture.clock.realMs += 3_600_000;
    await beginRecovery(own, { backedUpAt, restoredAt: new Date(fixture.clock.realMs) });
    await send();
    return { before, after: texts() };
  }

  it('two pollers, and some that end at any statement, notify once of what has changed since the backup', async () => {
    const own = store.database.db;
    for (const imo of imos) fixture.vessels.set(imo, { NLRTM: [0.9, 500] });
    await fixture.watch(
      imos.map((imo) => vessel(imo)),
      { channelId: ops },
    );
    await fixture.at(0);
    await send();
    const backedUpAt = new Date(fixture.clock.realMs);
    await beginRecovery(own, { backedUpAt, restoredAt: new Date(fixture.clock.realMs) });
    for (const imo of imos) fixture.vessels.set(imo, { DEHAM: [0.9, 500] });
    fixture.clock.hours = 7;
    for (let statements = 0; statements < 20; statements += 1) {
      const dying = fixture.openPoller({
        store: storeOf(own.withPlugin(failAfter(statements)), workspaceId),
      });
      await dying.runDue(hour(7)).catch(() => undefined);
      await expireLeases(store.database);
    }
    const another = await store.another();
    await Promise.all(
      [fixture.openPoller(), fixture.openPoller({ store: storeOf(another.db, workspaceId) })].map((one) =>
        one.runDue(hour(7)),
      ),
    );
    await fixture.at(8);
    const replies = (await readRows()).outbox.filter(({ kind }) => kind === 'reply');
    expect(replies).toHaveLength(1);
    expect(replies[0]?.payload).toMatchObject({ restoredFrom: backedUpAt.toISOString() });
    expect(z.object({ events: z.array(z.unknown()) }).parse(replies[0]?.payload).events).toHaveLength(5);
    const marked = db().selectFrom('followings').select('watch_id').where('restored_from', 'is not', null);
    expect(await marked.execute()).toEqual([]);
  });

  it('replies that were merged into one are found in it', async () => {
    await waitingReplies([imos]);
    const { before, after } = await sendAndRestore();
    expect(before.filter((text) => text.endsWith(' reply'))).toHaveLength(1);
    expect(after).toEqual(before);
  });

  it('replies that a summary moved to the threads are found there', async () => {
    await setMode('new-message', ops);
    await waitingReplies(imos.map((imo) => [imo]));
    const { before, after } = await sendAndRestore();
    expect(before.filter((text) => text.endsWith(' summary'))).toHaveLength(1);
    expect(after).toEqual(before);
  });
});

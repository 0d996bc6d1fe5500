import { randomUUID } from 'node:crypto';
import type { PageMessage } from 'bolt-playground';
import { storeOf } from '../../src/database/workspace-store.ts';
import { type AlertState, noAlerts, readAlertStates } from '../../src/features/alerts/alert.ts';
import { queueCardUpdates, readWatch, type Watch } from '../../src/features/polling/watch.ts';
import type { Rules } from '../../src/features/rules/list.ts';
import { chooseRules } from '../../src/features/rules/registry.ts';
import type { Imo } from '../../src/reference/codes.ts';
import { ada, ops, shared, type TestBot } from './bot.ts';
import { sharedDatabase } from './bot-database.ts';
import { direct } from './statements/direct.ts';
import { createWatchStore } from './watch-stores.ts';

export const cypress = 9461477 as Imo;

/** Rules with which a few days of the invented world bring alerts. */
const busyRules = chooseRules({ nextLeg: true, arrivingHours: [72, 48, 24] });

/** Stores a watch for a running bot, which then posts its card and makes the first poll. */
export async function addWatch(
  bot: TestBot,
  { channelId = ops, rules = busyRules }: { channelId?: string; rules?: Rules } = {},
): Promise<{ watch: Watch; card: () => PageMessage }> {
  const db = await sharedDatabase();
  const { id: workspaceId } = bot.playground.world.team;
  const by = { actorId: ada, now: bot.sandbox.clock.now(), realNow: bot.realNow() };
  const watch = await createWatchStore({ store: storeOf(db, workspaceId), newId: randomUUID }).create(
    {
      channelId,
      destination: 'channel',
      ownerId: ada,
      title: 'DS CYPRESS',
      fleet: null,
      portGroup: null,
      condition: null,
      cardTs: null,
      rules,
      // In a channel that outsiders read, the bot asks first.
      outsidersAllowedBy: channelId === shared ? ada : null,
      subjects: [{ kind: 'vessel', imo: cypress }],
    },
    by,
  );
  await queueCardUpdates(storeOf(db, workspaceId), [watch], { newId: randomUUID, ...by });
  await bot.runDue();
  return {
    watch,
    card() {
      const [card] = bot.messages(channelId).filter((message) => message.threadTs === undefined);
      if (!card) throw new Error('there is no card');
      return card;
    },
  };
}

export async function findWatch(id: string): Promise<(Watch & AlertState) | undefined> {
  const db = await sharedDatabase();
  const row = await direct(db).selectFrom('watches').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const states = await readAlertStates(storeOf(db, row.workspace_id), [id]);
  return { ...readWatch(row), ...(states.get(id) ?? noAlerts) };
}

/** Advances the invented world until the condition holds; bounded. */
export async function forwardUntil(bot: TestBot, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let hours = 0; hours < 24 * 10; hours += 3) {
    if (await holds()) return;
    await bot.forward(3);
  }
  throw new Error('the condition did not hold within ten days');
}

/** Advances the invented world until the next reply in the card's thread. */
export async function untilNotified(bot: TestBot, card: PageMessage): Promise<PageMessage> {
  const replies = () => bot.messages(card.channelId).filter(({ threadTs }) => threadTs === card.ts);
  const before = replies().length;
  await forwardUntil(bot, () => replies().length > before);
  const reply = replies()[before];
  if (!reply) throw new Error('no reply came');
  return reply;
}

import { randomUUID } from 'node:crypto';
import { defaultRules, type Rules } from '../../src/features/watches/evaluation/rules.ts';
import { queueCardUpdate } from '../../src/features/watches/messages/card-updates.ts';
import { readWatch, type Watch } from '../../src/features/watches/store/watch.ts';
import { createWatchStore } from '../../src/features/watches/store/watch-store.ts';
import type { PageMessage } from '../../src/playground/page-api/page-api.ts';
import type { Imo } from '../../src/reference/imo.ts';
import { ada, ops, type TestBot } from './bot.ts';
import { sharedDatabase } from './bot-database.ts';

export const cypress = 9461477 as Imo;

/** Puts a watch into the store of a running bot, which then posts its card and has its first answer. */
export async function addWatch(
  bot: TestBot,
  { channelId = ops, rules = defaultRules }: { channelId?: string; rules?: Rules } = {},
): Promise<{ watch: Watch; card: () => PageMessage }> {
  const db = await sharedDatabase();
  const { id: workspaceId } = bot.playground.world.team;
  const by = { actorId: ada, now: bot.sandbox.clock.now(), realNow: new Date() };
  const watch = await createWatchStore({ db, newId: randomUUID }).create(
    {
      workspaceId,
      credentialId: `${workspaceId}/sandbox`,
      channelId,
      ownerId: ada,
      title: 'DS CYPRESS',
      cardTs: null,
      rules,
      subjects: [{ kind: 'vessel', imo: cypress }],
    },
    by,
  );
  await queueCardUpdate(db, { watch, id: randomUUID(), ...by });
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

export async function findWatch(id: string): Promise<Watch | undefined> {
  const db = await sharedDatabase();
  const row = await db.selectFrom('watches').selectAll().where('id', '=', id).executeTakeFirst();
  return row && readWatch(row);
}

/** Moves the invented world on until it is so; bounded. */
export async function forwardUntil(bot: TestBot, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let hours = 0; hours < 24 * 10; hours += 3) {
    if (await isSo()) return;
    await bot.forward(3);
  }
  throw new Error('it did not come to that in ten days');
}

/** Until something more is told in the card's thread. */
export async function untilTold(bot: TestBot, card: PageMessage): Promise<PageMessage> {
  const told = () => bot.messages(card.channelId).filter(({ threadTs }) => threadTs === card.ts);
  const before = told().length;
  await forwardUntil(bot, () => told().length > before);
  const reply = told()[before];
  if (!reply) throw new Error('nothing was told');
  return reply;
}

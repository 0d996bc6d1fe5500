import { ada, ops, startBot } from '../../test/support/bot.ts';
import { addWatch } from '../../test/support/bot-watch.ts';
import { freight, norderney, startManyBot, type TestWorkspace } from '../../test/support/many-workspaces.ts';

/** The files that have run since the last call. */
export type TakeFiles = () => Promise<string[]>;

const question = '/nextport 9461477';

const stepHours = 0.25;
const stepMs = stepHours * 3_600_000;

/** Typed again after a minute: the service's answer is still cached, and what the store says is read again. */
export async function answerInSlack(take: TakeFiles): Promise<string[]> {
  const bot = await startBot('http');
  const ask = async () => {
    await bot.say(ada, ops, question);
    await bot.settled();
  };
  await ask();
  bot.advance(60_000);
  await take();
  await ask();
  const files = await take();
  await bot.stop();
  return files;
}

/** The round of due work that polls a vessel and posts the first alert in its thread. */
export async function postAlert(take: TakeFiles): Promise<string[]> {
  const bot = await startBot('http');
  await addWatch(bot);
  const posted = bot.messages(ops).length;
  let files: string[] = [];
  // Bounded: ten days of the invented world.
  for (let hours = 0; hours < 240 && bot.messages(ops).length === posted; hours += stepHours) {
    bot.advance(stepMs);
    await take();
    await bot.forward(stepHours);
    files = await take();
  }
  if (bot.messages(ops).length === posted) throw new Error('no alert came within ten days');
  await bot.stop();
  return files;
}

/** In the second workspace, with the operator's account. The first one has been answered. */
export async function firstAnswer(take: TakeFiles): Promise<string[]> {
  const bot = await startManyBot({ env: { ACCOUNTS: 'shared' } });
  const ask = async ({ admin, ops }: TestWorkspace) => {
    await bot.say(admin, ops, question);
    await bot.settled();
  };
  await bot.install(freight);
  await ask(freight);
  await bot.install(norderney);
  await bot.settled();
  await take();
  await ask(norderney);
  const files = await take();
  await bot.stop();
  return files;
}

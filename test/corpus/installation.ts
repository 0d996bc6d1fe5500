import { mondayMs } from '../support/bot.ts';
import { freight, startManyBot } from '../support/many-workspaces.ts';
import { createObserver, type Step } from './observer.ts';
import type { Scene } from './scene.ts';
import { sentKinds } from './sent-kinds.ts';
import { newerBlocks } from './stage.ts';

/** A bot for many workspaces: its welcome, and a workspace without an account. */
export async function playInstallation({
  isPlain,
}: {
  isPlain: boolean;
}): Promise<{ scene: Scene; kinds: string[] }> {
  const bot = await startManyBot({ frozenAt: mondayMs });
  const { playground } = bot;
  if (isPlain) playground.faults.refuseBlocks(newerBlocks);
  const observe = createObserver(bot);
  const { admin, member, ops: channelId } = freight;
  const steps: Step[] = [];
  const step: typeof observe = async (heading, act) => {
    const done = await observe(heading, act);
    steps.push(done);
    return done;
  };
  const says = (name: string, userId: string, text: string) =>
    step(`${name}: ${text}`, async () => {
      const reply = await playground.say({ userId, channelId, text });
      return reply.ok ? [] : [reply.error];
    });
  await step('maya installs Landfall', async () => [await bot.install(freight)]);
  await step('what is due', async () => {
    await bot.runDue();
    return [];
  });
  await says('maya', admin, '/nextport 9461477');
  await says('omar', member, '/nextport 9461477');
  await says('maya', admin, '/landfall account');
  await says('maya', admin, '/landfall status');
  const kinds = await sentKinds();
  await bot.stop();
  return { scene: { title: 'Landfall is installed in a workspace', steps }, kinds };
}

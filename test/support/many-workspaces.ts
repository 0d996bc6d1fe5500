import type { PageMessage } from 'bolt-playground';
import { type BotOptions, identity, loadedMs, patienceMs, startApp } from './bot.ts';

/** The workspaces of the playground. Each has an admin, and a channel with the bot. */
export const freight = { teamId: 'T0FREIGHT1', admin: 'U0HFMAYA', member: 'U0HFOMAR', ops: 'C0HFOPS' };
export const norderney = { teamId: 'T0NORDERN1', admin: 'U0NLINES', member: 'U0NLKARL', ops: 'C0NLFLEET' };
export type TestWorkspace = typeof freight;

/** The whole bot for many workspaces, with a playground that has two. */
export async function startManyBot(options: BotOptions = {}) {
  const env = { PLAYGROUND_WORKSPACES: '2', ...options.env };
  // Bolt reads the time of this machine when an install ends.
  const app = await startApp({ ...options, env, beginMs: loadedMs });
  const { playground, sandbox, publicUrl } = app;
  const { oauth } = playground;
  if (!oauth || !sandbox || !publicUrl) throw new Error('the embedded parts have not been started');
  // An organisation has a bot user of its own.
  const people = new Set(
    playground.workspaces.flatMap(({ users }) => users.flatMap(({ id, isBot }) => (isBot ? [] : [id]))),
  );

  /** The bot's next message in this channel, or there to this person alone, that comes after `act` began. */
  async function after(
    act: () => Promise<unknown>,
    { channelId, ephemeralTo }: { channelId: string; ephemeralTo?: string },
  ): Promise<PageMessage> {
    const before = new Set(playground.messages(channelId).map(identity));
    await act();
    const isNew = (message: PageMessage) =>
      message.channelId === channelId &&
      !people.has(message.userId) &&
      !before.has(identity(message)) &&
      (ephemeralTo === undefined || message.ephemeralTo === ephemeralTo);
    return await playground.waitForMessage(isNew, patienceMs);
  }

  return {
    ...{ ...app, sandbox, publicUrl, oauth, after },
    /** Installs as the workspace's admin does in a browser, and invites the bot; returns the text of the last page. */
    async install(
      { teamId, admin, ops }: TestWorkspace,
      { declined = [] as string[] } = {},
    ): Promise<string> {
      const start = await fetch(`${publicUrl}/slack/install?team=${teamId}`, { redirect: 'manual' });
      const cookie = start.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
      const by = { placeId: teamId, userId: admin, declined };
      const back = oauth.allow(start.headers.get('location') ?? '', by);
      const page = await fetch(back, { headers: { cookie } });
      await playground.controls.addMember(ops);
      return (await page.text()).replace(/<style>.*?<\/style>|<[^>]+>/gs, ' ').replaceAll(/\s+/g, ' ');
    },
    /** Types a slash command that is answered in private; returns the answer. */
    say: (userId: string, channelId: string, text: string) =>
      after(
        async () => {
          const reply = await playground.say({ userId, channelId, text });
          if (!reply.ok) throw new Error(JSON.stringify(reply));
        },
        { channelId, ephemeralTo: userId },
      ),
  };
}

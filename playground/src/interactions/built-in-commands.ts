import type { Store } from '../world/store.ts';
import { SLACKBOT } from '../world/world.ts';
import type { Controls } from './controls.ts';
import type { Escaper } from './escape.ts';
import type { SlashInput } from './slash.ts';

type Reply = { ok: true } | { ok: false; error: string };

/** Slack's own commands that the app's answers may suggest. */
export const BUILT_IN_COMMANDS = [
  { command: '/invite', description: 'Add a person or an app to this channel', usageHint: '@name' },
  { command: '/remove', description: 'Remove a person or an app from this channel', usageHint: '@name' },
  { command: '/archive', description: 'Archive this channel', usageHint: '' },
];

/** Runs one of Slack's own commands. Returns undefined for any other text. */
export function createBuiltIns({
  store,
  controls,
  escaper,
}: {
  store: Store;
  controls: Controls;
  escaper: Escaper;
}): (input: SlashInput) => Promise<Reply> | undefined {
  async function run({ user, channel, text, threadTs }: SlashInput): Promise<Reply> {
    const [command = '', ...words] = text.trim().split(/\s+/);
    if (threadTs) return { ok: false, error: `${command} is not supported in threads. Sorry!` };
    if (channel.kind === 'dm') return { ok: false, error: `${command} works in channels only.` };
    const reply = (answer: string): Reply => {
      store.post({ channelId: channel.id, userId: SLACKBOT, text: answer, ephemeralTo: user.id });
      return { ok: true };
    };
    if (command === '/archive') {
      await controls.archive(channel.id);
      return reply(`#${channel.name} is archived.`);
    }
    const [, memberId] = /<@(\w+)\|/.exec(escaper.command(words.join(' '))) ?? [];
    if (!memberId) {
      const app = store.user(store.world.app.botUserId)?.realName ?? 'ada';
      return { ok: false, error: `${command} needs a name: for example, ${command} @${app}` };
    }
    const isMember = channel.memberIds.includes(memberId);
    if (command === '/invite') {
      await controls.addMember(channel.id, memberId);
      return reply(isMember ? `<@${memberId}> is already in #${channel.name}.` : `<@${memberId}> was added.`);
    }
    await controls.removeMember(channel.id, memberId);
    return reply(isMember ? `<@${memberId}> was removed.` : `<@${memberId}> isn't in #${channel.name}.`);
  }

  return (input) => {
    const command = input.text.trim().split(/\s/)[0];
    return BUILT_IN_COMMANDS.some((known) => known.command === command) ? run(input) : undefined;
  };
}

import type { Store } from '../world/store.ts';
import { SLACKBOT } from '../world/world.ts';
import type { Controls } from './controls.ts';
import type { Escaper } from './escape.ts';
import type { SlashInput } from './slash.ts';

type Reply = { ok: true } | { ok: false; error: string };

/** Slack's own commands that a bot's answers may speak of. */
export const BUILT_IN = [
  { command: '/invite', description: 'Add somebody, or an app, to this channel', usageHint: '@name' },
  { command: '/remove', description: 'Take somebody, or an app, out of this channel', usageHint: '@name' },
  { command: '/archive', description: 'Archive this channel', usageHint: '' },
];

/** Runs one of Slack's own commands; undefined where the text is none. */
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
    const tell = (said: string): Reply => {
      store.post({ channelId: channel.id, userId: SLACKBOT, text: said, ephemeralTo: user.id });
      return { ok: true };
    };
    if (command === '/archive') {
      await controls.archive(channel.id);
      return tell(`#${channel.name} is archived now.`);
    }
    const [, memberId] = /<@(\w+)\|/.exec(escaper.command(words.join(' '))) ?? [];
    if (!memberId)
      return { ok: false, error: `Who? Type ${command} and a name, such as ${command} @Landfall` };
    const isMember = channel.memberIds.includes(memberId);
    if (command === '/invite') {
      await controls.addMember(channel.id, memberId);
      return tell(isMember ? `<@${memberId}> is in #${channel.name} already.` : `<@${memberId}> was added.`);
    }
    await controls.removeMember(channel.id, memberId);
    return tell(isMember ? `<@${memberId}> was removed.` : `<@${memberId}> is not in #${channel.name}.`);
  }

  return (input) => {
    const command = input.text.trim().split(/\s/)[0];
    return BUILT_IN.some((known) => known.command === command) ? run(input) : undefined;
  };
}

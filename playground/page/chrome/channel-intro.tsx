import { useContext } from 'react';
import type { PageChannel } from '../../src/page-api/page-api.ts';
import { AgentContext } from '../agent/agent-context.ts';
import { appUser, isWithApp } from '../model/app-user.ts';
import { channelTitle } from '../model/channel-title.ts';
import { draftKey } from '../model/drafts.ts';
import { usePage } from '../model/page-context.ts';

interface Props {
  channel: PageChannel;
  /** Set if there are messages already, or the reader can't post here. */
  hideExamples: boolean;
}

/** The introduction above the first message: what this channel is, and what to type. */
export function ChannelIntro({ channel, hideExamples }: Props) {
  const { world, drafts } = usePage();
  const bot = appUser(world);
  const agent = useContext(AgentContext);
  const prompts = isWithApp(channel, world) ? agent.prompts?.prompts : undefined;
  const hasBot = bot !== undefined && channel.memberIds.includes(bot.id);
  const { examples: all = [] } = world.texts;
  const examples = all
    .filter(({ line }) => world.commands.some(({ command }) => line.startsWith(`${command} `)))
    .map(({ line, label, inDirectMessage = line }) => ({
      line: channel.kind === 'dm' ? inDirectMessage : line,
      label,
    }));
  const needsNoSlash = all.some(({ inDirectMessage }) => inDirectMessage !== undefined);
  // The app's own prompts take the place of the examples.
  const hasExamples = !hideExamples && examples.length > 0 && !prompts?.length;
  const howToAsk = prompts
    ? 'Each message starts a thread, where the answer comes.'
    : `Type ${hasExamples ? 'a line like these' : 'a command'}${needsNoSlash ? ', with or without a slash' : ''}.`;
  return (
    <section className="channel-intro" aria-label="Beginning of the channel">
      <h3>{channelTitle(channel, world)}</h3>
      {prompts && agent.description && <p>{agent.description}</p>}
      <p>
        {channel.kind === 'dm'
          ? `This is your direct message with ${channelTitle(channel, world)}. ${howToAsk}`
          : 'This is the very beginning of this channel.'}
        {!hasBot &&
          bot &&
          ` ${bot.realName || bot.name} isn't in this channel, but its commands work here too.`}
      </p>
      {hasExamples && (
        <ul className="examples" aria-label="Examples">
          {examples.map(({ line, label }) => (
            <li key={line}>
              <button type="button" onClick={() => drafts.set(draftKey(world.me.id, channel.id), line)}>
                <span>{label}</span>
                <code>{line}</code>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

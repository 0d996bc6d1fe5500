import type { PageAgent } from '../../src/page-api/agent-api.ts';
import type { PageState } from '../../src/page-api/page-api.ts';
import { isWithApp } from './app-user.ts';

interface Opened {
  world: Pick<PageState, 'channels' | 'botUserId'> | undefined;
  agent: PageAgent;
  channelId: string | undefined;
}

/** True for the open direct message with an agent, which answers each message in its thread. */
export function answersInThread({ world, agent, channelId }: Opened, ofMessage: string): boolean {
  const channel = world?.channels.find(({ id }) => id === channelId);
  if (!world || !channel || channel.id !== ofMessage) return false;
  return agent.prompts !== undefined && isWithApp(channel, world);
}

import { createContext, useContext } from 'react';
import type { PageAgent } from '../../src/page-api/agent-api.ts';
import { appUser } from '../model/app-user.ts';
import { usePage } from '../model/page-context.ts';

/** What the app shows as an agent, and the open thread. They change often. */
export const AgentContext = createContext<PageAgent & { openThreadTs?: string | undefined }>({
  statuses: [],
});

/** The app's status in a thread, after the app's name; undefined if there is none. */
export function useStatus(channelId: string, threadTs: string): string | undefined {
  const { world } = usePage();
  const { statuses } = useContext(AgentContext);
  const status = statuses.find((one) => one.channelId === channelId && one.threadTs === threadTs);
  return status && `${appUser(world)?.realName ?? 'The app'} ${status.text}`;
}

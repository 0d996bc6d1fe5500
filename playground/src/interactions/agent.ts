import type { Manifest } from '../manifest.ts';
import type { PageAgent, PagePrompts, PageStatus } from '../page-api/agent-api.ts';
import type { Store } from '../world/store.ts';
import { mayRead } from '../world/visibility.ts';
import type { User } from '../world/world.ts';

export type Agent = ReturnType<typeof createAgent>;

const STATUS_LIFETIME_MS = 2 * 60_000;

/** What the app shows as an agent in one workspace: suggested prompts in direct messages, and its status in threads. */
export function createAgent(options: {
  store: Store;
  now: () => number;
  /** The manifest's. A direct message has its prompts until the app sets others. Undefined: the app isn't an agent. */
  agent: Manifest['agent'];
  onChange(pageAgent: (user: User) => PageAgent): void;
}) {
  const { store, now, agent } = options;
  const { world } = store;
  /** By channel. */
  const own = new Map<string, PagePrompts>();
  /** By channel and thread. */
  const statuses = new Map<string, PageStatus & { expiresAt: number }>();
  const keyOf = (channelId: string, threadTs: string) => `${channelId} ${threadTs}`;
  const current = () => [...statuses.values()].filter(({ expiresAt }) => expiresAt > now());

  const changed = () => options.onChange(pageAgent);
  const endStatus = (channelId: string, threadTs: string) => {
    if (statuses.delete(keyOf(channelId, threadTs))) changed();
  };

  function prompts(channelId: string): PagePrompts | undefined {
    const channel = store.channel(channelId);
    const isWithApp = channel?.kind === 'dm' && channel.memberIds.includes(world.app.botUserId);
    return isWithApp && agent ? (own.get(channel.id) ?? { prompts: agent.prompts }) : undefined;
  }

  function pageAgent(user: User): PageAgent {
    const mine = [...store.channels()].find(
      ({ kind, memberIds }) => kind === 'dm' && memberIds[0] === user.id,
    );
    const shown = mine && prompts(mine.id);
    const readable = current().filter(({ channelId }) => {
      const channel = store.channel(channelId);
      return channel && mayRead(user, channel, world);
    });
    return {
      ...(shown && agent && { prompts: shown, description: agent.description }),
      statuses: readable.map(({ channelId, threadTs, text }) => ({ channelId, threadTs, text })),
    };
  }

  store.subscribe(({ type, message: { botId, ephemeralTo, channelId, ts, threadTs } }) => {
    if (type === 'deleted') endStatus(channelId, ts);
    // Slack doesn't store ephemeral messages, so they are no replies.
    else if (type === 'posted' && botId && threadTs && !ephemeralTo) endStatus(channelId, threadTs);
  });

  return {
    isAgent: agent !== undefined,
    /** What the page shows to a person. */
    pageAgent,
    /** Undefined unless this is a direct message with the app, which is an agent. */
    prompts,
    setPrompts(channelId: string, set: PagePrompts): void {
      own.set(channelId, set);
      changed();
    },
    status: (channelId: string, threadTs: string): string | undefined =>
      current().find((status) => status.channelId === channelId && status.threadTs === threadTs)?.text,
    /** Shows the status for two minutes, or until the app posts in the thread. An empty text ends it. */
    setStatus({ channelId, threadTs, text }: PageStatus): void {
      if (!text) {
        endStatus(channelId, threadTs);
        return;
      }
      const expiresAt = now() + STATUS_LIFETIME_MS;
      statuses.set(keyOf(channelId, threadTs), { channelId, threadTs, text, expiresAt });
      changed();
    },
    /** Ends the statuses that have been shown for long enough. */
    runDue(): void {
      for (const [key, { expiresAt }] of statuses) {
        if (expiresAt > now()) continue;
        statuses.delete(key);
        changed();
      }
    },
    /** Forgets all that the app has set. */
    clear(): void {
      own.clear();
      statuses.clear();
    },
  };
}

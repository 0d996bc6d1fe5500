import { ApiError, type ContentReader } from '../blocks/content.ts';
import type { ViewReader } from '../blocks/view-checks.ts';
import type { SocketMode } from '../delivery/socket-mode.ts';
import type { Agent } from '../interactions/agent.ts';
import type { ComposerLinks } from '../interactions/composer-links.ts';
import type { Executions } from '../interactions/executions.ts';
import type { Triggers } from '../interactions/triggers.ts';
import type { FileStore } from '../world/files.ts';
import type { Store } from '../world/store.ts';
import type { Views } from '../world/views.ts';
import { agentMethods } from './agent-methods.ts';
import { chatMethods } from './chat-methods.ts';
import { conversationMethods } from './conversation-methods.ts';
import { fileMethods } from './file-methods.ts';
import { functionMethods } from './function-methods.ts';
import type { Method, MethodContext } from './method.ts';
import { peopleMethods } from './people-methods.ts';
import { createRateLimiter, type RateLimit } from './rate-limit.ts';
import { unfurlMethods } from './unfurl-method.ts';
import { viewMethods } from './view-methods.ts';

/** Slack's tier 3: 50 calls a minute. */
const TIER_3: RateLimit = { perSecond: 50 / 60, burst: 50 };

export function createMethodContext(options: {
  store: Store;
  files: FileStore;
  views: Views;
  triggers: Triggers;
  executions: Executions;
  agent: Agent;
  readContent: ContentReader;
  readView: ViewReader;
  homeEnabled: boolean;
  composer: ComposerLinks;
  unfurlDomains: readonly string[];
  /** For posts, per channel. `false`: no rate limits. */
  rateLimit: RateLimit | false;
  now: () => number;
  url: () => string;
  socketMode: SocketMode | undefined;
}): MethodContext {
  const { rateLimit, socketMode, ...parts } = options;
  return {
    ...parts,
    limit: createLimit(rateLimit, parts.now),
    openConnection() {
      if (!socketMode) throw new ApiError('socket_mode_not_enabled');
      const ticket = socketMode.openTicket();
      const base = parts.url().replace(/^http/, 'ws');
      return `${base}/link/?ticket=${ticket}&app_id=${parts.store.world.app.id}`;
    },
  };
}

/** All supported Web API methods, by name. */
export function createMethods(context: MethodContext): ReadonlyMap<string, Method> {
  const all = [
    agentMethods,
    chatMethods,
    conversationMethods,
    fileMethods,
    functionMethods,
    peopleMethods,
    unfurlMethods,
    viewMethods,
  ];
  return new Map(all.flatMap((methods) => Object.entries(methods(context))));
}

function createLimit(posts: RateLimit | false, now: () => number): MethodContext['limit'] {
  const waitFor = createRateLimiter(now);
  return (key, kind) => {
    if (!posts) return;
    const retryAfter = waitFor(key, kind === 'post' ? posts : TIER_3);
    if (retryAfter > 0) throw new ApiError('ratelimited', { retryAfter });
  };
}

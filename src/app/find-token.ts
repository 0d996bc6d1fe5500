import { createCache } from '../cache.ts';
import { type AllWorkspaces, storeOf } from '../database/workspace-store.ts';
import { createRateLimit } from '../slack/rate-limit.ts';
import {
  type FoundAssistantToken,
  findAssistantToken,
  hashOfToken,
  isAssistantToken,
  recordUse,
} from '../workspaces/assistant-tokens.ts';
import { tooManyRequests } from './call-turns.ts';

/** Requests with one token, or of one person whom Slackbot asks for: more than an assistant needs for a conversation. */
export const assistantLimit = { max: 60, perMinute: 120 };

/**
 * Tokens that this process looks up without having found them before. Anybody can make tokens up, so others' new tokens
 * have to get through among them: a look-up costs little more than the request itself.
 */
export const unknownTokenLimit = { max: 600, perMinute: 6_000 };

const rememberedMs = 24 * 3_600_000;

/**
 * Returns a function that finds a token in the store, each time, so that a revoked one is refused at once. Before that, a
 * token that was found before counts against its own limit, and all others against one. Throws UserError too-busy.
 */
export function createFindToken({ db, realNow }: { db: AllWorkspaces; realNow: () => number }) {
  const mayAsk = createRateLimit({ ...assistantLimit, realNow });
  const mayTry = createRateLimit({ ...unknownTokenLimit, realNow });
  /** The hashes of tokens that were found. */
  const known = createCache<string>({ ttlMs: rememberedMs, realNow });

  return async (token: string): Promise<FoundAssistantToken | undefined> => {
    if (!isAssistantToken(token)) return undefined;
    const hash = hashOfToken(token);
    const isAllowed = known.get(hash) === undefined ? mayTry('all') : mayAsk(hash);
    if (!isAllowed) throw tooManyRequests();
    const at = new Date(realNow());
    const found = await findAssistantToken(db, token, at);
    if (!found) {
      known.delete(hash);
      return undefined;
    }
    known.set(hash, found.id);
    await recordUse(storeOf(db, found.workspaceId), found.id, at);
    return found;
  };
}

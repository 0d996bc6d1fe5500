import { createCache } from '../cache.ts';
import { type AllWorkspaces, storeOf } from '../database/workspace-store.ts';
import { UserError } from '../errors.ts';
import { createFairQueue } from '../fair-queue.ts';
import { createRateLimit } from '../slack/rate-limit.ts';
import {
  type FoundAssistantToken,
  findAssistantToken,
  hashOfToken,
  isAssistantToken,
  recordUse,
} from '../workspaces/assistant-tokens.ts';

/** In the whole process. */
export const callLimits = { maxAtOnce: 4, maxWaiting: 40, maxWaitingOfPerson: 12 };

/** Of other requests, such as the list of tools: they only compute, so they don't wait for calls, which wait for the service. */
export const otherLimits = { ...callLimits, maxAtOnce: 1 };

/** About as long as the calls that wait take. */
export const retrySeconds = 5;

/**
 * Bounds the calls of assistants. People take turns, so a burst of one assistant delays neither people in Slack nor other
 * assistants much. Returns a function that waits for a person's turn and returns the function that ends it. It throws
 * UserError too-busy if too many calls wait already, and the signal's reason.
 */
export function createCallTurns({
  maxAtOnce,
  maxWaiting,
  maxWaitingOfPerson,
}: {
  maxAtOnce: number;
  maxWaiting: number;
  maxWaitingOfPerson: number;
}): (personId: string, signal: AbortSignal) => Promise<() => void> {
  const queue = createFairQueue({ max: () => maxAtOnce });
  return async (personId, signal) => {
    // A few people with many calls each shut nobody else out.
    const maxOwn = queue.waiting() < maxWaiting ? maxWaitingOfPerson : 1;
    if (queue.waiting(personId) >= maxOwn) throw tooBusy();
    return await queue.enter({ takers: () => [personId], signal });
  };
}

/** A sender who sends more than `assistantLimit` allows. */
export const tooManyRequests = (): UserError =>
  new UserError({
    code: 'too-busy',
    message: 'This assistant sends too many requests.',
    hint: `Try again in ${retrySeconds} seconds.`,
  });

const tooBusy = (): UserError =>
  new UserError({
    code: 'too-busy',
    message: 'Landfall is busy: too many calls of assistants are waiting.',
    hint: `Try again in ${retrySeconds} seconds, with fewer calls at once.`,
  });

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

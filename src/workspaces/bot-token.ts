import { setTimeout as delay } from 'node:timers/promises';
import { createReadCache } from '../cache.ts';
import { createRowLease, withoutLease } from '../database/due.ts';
import type { SecretBox } from '../database/secrets.ts';
import type { AllWorkspaces } from '../database/workspace-store.ts';
import { messageOf, StoreUnavailable } from '../errors.ts';
import type { Logger } from '../log.ts';

/** What Slack does with the tokens of an installation. */
export interface OAuthCalls {
  /** `refused`: Slack will never accept this refresh token. Throws if it does not answer, or not with tokens. */
  refresh(refreshToken: string): Promise<RefreshedToken | 'refused'>;
  /** False if Slack accepts the token no more; undefined if Slack does not say. */
  accepts(token: string): Promise<boolean | undefined>;
  /** The ids of the workspaces that the token of an organisation works for. Throws if Slack does not say. */
  listTeams(token: string): Promise<ReadonlySet<string>>;
}

interface RefreshedToken {
  token: string;
  refreshToken: string;
  lifetimeMs: number;
}

interface StoredToken {
  sealed: string;
  token: string;
  refreshToken: string | undefined;
  /** Undefined for a token that isn't rotated. */
  expiresAt: number | undefined;
}

/** The app was uninstalled, or its token revoked or expired: nothing works until somebody installs it again. */
export class NotInstalledError extends Error {
  override readonly name = 'NotInstalledError';
}

export interface BotTokenOptions {
  db: AllWorkspaces;
  box: SecretBox;
  oauth: OAuthCalls;
  realNow: () => number;
  newId: () => string;
  logger: Logger;
  wait?: (ms: number) => Promise<unknown>;
}

/** Slack's tokens live for 12 h. */
const renewBeforeMs = 2 * 3_600_000;
/** Longer than a refresh takes, which has 10 s. */
const leaseMs = 30_000;
const retryAfterMs = 60_000;
const pollMs = 250;
const maxPolls = (2 * leaseMs) / pollMs;
const maxStoreAttempts = 10;

export const sealToken = (box: SecretBox, id: string, tokens: { token: string; refreshToken?: string }) =>
  box.seal(JSON.stringify(tokens), placeOf(id));

const placeOf = (id: string) => ({ table: 'installations', row: id, column: 'sealed_token' });

/**
 * The bot tokens of all installations, refreshed ahead of their end. A refresh token works once, so one process at a
 * time refreshes an installation. If the process dies before it has stored the answer, Slack refuses the used refresh
 * token: the old token serves until it expires, and then the app must be installed again.
 */
export function createBotTokens(options: BotTokenOptions) {
  const { db, box, oauth, realNow, newId, logger, wait = delay } = options;
  const refreshes = new Map<string, Promise<StoredToken>>();
  const retryAt = new Map<string, number>();
  const cache = createReadCache({
    read,
    realNow,
    last: { serves: (error, token) => error instanceof StoreUnavailable && isValid(token) },
  });

  const isDue = ({ expiresAt }: StoredToken) =>
    expiresAt !== undefined && expiresAt - realNow() < renewBeforeMs;
  const isValid = ({ expiresAt }: StoredToken) => expiresAt === undefined || expiresAt > realNow();

  async function read(id: string): Promise<StoredToken> {
    const row = await db
      .selectFrom('installations')
      .select(['sealed_token', 'token_expires_at', 'revoked_at'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row || row.revoked_at) throw new NotInstalledError(`no valid token of ${id}`);
    const { sealed_token: sealed, token_expires_at: expiry } = row;
    // sealToken wrote it; only a holder of the key can change it.
    const tokens = JSON.parse(box.open(sealed, placeOf(id))) as { token: string; refreshToken?: string };
    return { sealed, token: tokens.token, refreshToken: tokens.refreshToken, expiresAt: expiry?.getTime() };
  }

  /** One refresh at a time in this process. */
  function refreshOnce(id: string): Promise<StoredToken> {
    const running = refreshes.get(id);
    if (running) return running;
    const refresh = refreshLeased(id).finally(() => {
      refreshes.delete(id);
      cache.invalidate(id);
    });
    refreshes.set(id, refresh);
    return refresh;
  }

  async function refreshLeased(id: string): Promise<StoredToken> {
    const lease = createRowLease(db, { table: 'installations', id, token: newId() });
    for (let poll = 0; poll < maxPolls; poll += 1) {
      if (await lease.acquire(leaseMs)) {
        try {
          return await refresh(id, await read(id));
        } finally {
          // It ends in any case.
          await lease.release().catch(() => {});
        }
      }
      // Another process refreshes it.
      const current = await read(id);
      if (isValid(current)) return current;
      await wait(pollMs);
    }
    throw new Error(`the token of ${id} is being refreshed by another process that does not finish`);
  }

  /** The caller holds the lease. */
  async function refresh(id: string, current: StoredToken): Promise<StoredToken> {
    const { refreshToken } = current;
    if (!isDue(current) || refreshToken === undefined) return current;
    try {
      const answer = await oauth.refresh(refreshToken);
      if (answer === 'refused') return await refused(id, current);
      retryAt.delete(id);
      logger.info({ installation: id }, "refreshed the bot's token");
      return await store(id, current, answer);
    } catch (error) {
      retryAt.set(id, realNow() + retryAfterMs);
      if (error instanceof NotInstalledError || !isValid(current)) throw error;
      logger.warn({ installation: id, reason: messageOf(error) }, "the bot's token was not refreshed");
      return current;
    }
  }

  async function refused(id: string, current: StoredToken): Promise<StoredToken> {
    retryAt.set(id, realNow() + retryAfterMs);
    logger.error({ installation: id }, 'Slack refuses to refresh the token: the app must be installed again');
    if (isValid(current)) return current;
    await db
      .updateTable('installations')
      .set({ revoked_at: new Date(realNow()) })
      .where('id', '=', id)
      .where('sealed_token', '=', current.sealed)
      .execute();
    throw new NotInstalledError(`the token of ${id} has expired`);
  }

  /** Changes nothing if the app was installed again meanwhile. Tries for a while: the answer is all there is. */
  async function store(id: string, replaced: StoredToken, answer: RefreshedToken): Promise<StoredToken> {
    const { token, refreshToken, lifetimeMs } = answer;
    const expiresAt = realNow() + lifetimeMs;
    const sealed = sealToken(box, id, { token, refreshToken });
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { numUpdatedRows } = await db
          .updateTable('installations')
          // Slack may have said meanwhile that the old token is no longer valid.
          .set({
            sealed_token: sealed,
            token_expires_at: new Date(expiresAt),
            revoked_at: null,
            ...withoutLease,
          })
          .where('id', '=', id)
          .where('sealed_token', '=', replaced.sealed)
          .executeTakeFirst();
        return numUpdatedRows > 0n ? { sealed, token, refreshToken, expiresAt } : await read(id);
      } catch (error) {
        if (error instanceof NotInstalledError || attempt === maxStoreAttempts) throw error;
        await wait(1_000);
      }
    }
  }

  return {
    /** Slack says that this token has expired, earlier than it promised. True if there is another one, or will be. */
    async expire(id: string, refused: string): Promise<boolean> {
      const { sealed, token, refreshToken } = await read(id);
      if (refreshToken === undefined) return false;
      // Many requests may have been under way with the old one.
      if (token !== refused) return true;
      await db
        .updateTable('installations')
        .set({ token_expires_at: new Date(realNow()) })
        .where('id', '=', id)
        .where('sealed_token', '=', sealed)
        .execute();
      cache.invalidate(id);
      return true;
    },
    /** Throws NotInstalledError, or the reason why an expired token was not refreshed. */
    async get(id: string): Promise<string> {
      const stored = await cache.get(id);
      if (!isDue(stored) || stored.refreshToken === undefined) return stored.token;
      const mayRefresh = refreshes.has(id) || realNow() >= (retryAt.get(id) ?? 0);
      if (!isValid(stored)) {
        if (!mayRefresh) throw new Error(`the token of ${id} has expired, and its refresh has just failed`);
        return (await refreshOnce(id)).token;
      }
      // The old token is still valid, so nobody waits for the next one.
      if (mayRefresh) refreshOnce(id).catch(() => {});
      return stored.token;
    },
    invalidate: cache.invalidate,
    /** Resolves when no refresh is under way. Await it before the database is closed. */
    async settled(): Promise<void> {
      await Promise.allSettled(refreshes.values());
    },
  };
}

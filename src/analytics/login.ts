import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { ServiceTrouble } from '../errors.ts';
import { type Logger, silentLogger } from '../log.ts';
import { type Measure, measureNothing } from '../measure.ts';
import { UnauthorizedError, UnreadableResponseError } from './errors.ts';
import {
  type BodyBudget,
  createBodyBudget,
  createHttpTransport,
  createServiceHealth,
} from './http-transport.ts';
import { createScaleDetector, type Scale, type ScaleMemory } from './probability-scale.ts';
import { createRequestLimiter } from './request-limiter.ts';
import { createTokenManager, type TokenStore } from './token-manager.ts';

/** Of an account at the service. */
export interface Credentials {
  apiKey: string;
  userId: string;
  password: string;
}

export interface LoginOptions extends Credentials {
  /** http or https, with or without a path and a trailing slash. */
  baseUrl: string;
  /** The real clock in milliseconds: tokens, back-off, deadlines. */
  realNow?: () => number;
  logger?: Logger;
  measure?: Measure;
  /** Shared by the processes of one account; none by default. */
  tokenStore?: TokenStore;
  probabilityScale?: 'auto' | Scale;
  scaleMemory?: ScaleMemory;
  maxInFlight?: number;
  /** Shared by all logins of a process; one of its own by default. */
  bodyBudget?: BodyBudget;
  /** For one attempt with its body. */
  timeoutMs?: number;
  /** The longest wait before the first retry of a GET; it doubles for each further one. */
  retryDelayMs?: number;
}

// If a header can't carry the token, the error message of `fetch` shows it.
const loginAnswer = z.object({ token: z.string().regex(/^[\x21-\x7e]+$/) });

export type Login = ReturnType<typeof createLogin>;

/**
 * All that clients with the same account share: the token, a refusal, the calls in flight, the scale of probabilities.
 * Throws TypeError for an API key that no header can carry.
 */
export function createLogin(options: LoginOptions) {
  const { baseUrl, apiKey, userId, password, timeoutMs = 10_000, retryDelayMs = 300 } = options;
  const { realNow = Date.now, logger = silentLogger, measure = measureNothing } = options;
  // Otherwise the error message of `fetch` would show the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey holds characters that a header cannot carry');
  const limiter = createRequestLimiter({ max: options.maxInFlight ?? 4, realNow });
  const transport = createHttpTransport({
    baseUrl,
    credentials: { apiKey, userId, password },
    timeoutMs,
    retryDelayMs,
    realNow,
    limiter,
    bodyBudget: options.bodyBudget ?? createBodyBudget(),
    logger,
    measure,
  });
  // Each client has its own health; this one is only for the time of the login's errors.
  const health = createServiceHealth({ now: () => new Date(realNow()) });
  const tokens = createTokenManager({
    login: postLogin,
    credentialTag: credentialTagOf(options),
    store: options.tokenStore,
    health,
    realNow,
    logger,
  });

  /** POST authentication/login: returns the token; never retried. */
  async function postLogin(): Promise<string> {
    const { json, unreadable } = await transport({
      resource: 'login',
      path: 'authentication/login',
      body: { user_id: userId, password },
      withinMs: timeoutMs,
      health,
    }).catch((error: unknown) => {
      throw toLoginError(error);
    });
    const { data } = loginAnswer.safeParse(json);
    if (!data) throw unreadable('no token in the answer to the login');
    return data.token;
  }

  return {
    transport,
    tokens,
    limiter,
    scale: createScaleDetector({
      setting: options.probabilityScale ?? 'auto',
      memory: options.scaleMemory,
    }),
    retryDelayMs,
  };
}

/** An HMAC: it differs if any of the credentials differ, and reveals none of them. */
export function credentialTagOf(options: Credentials & Pick<LoginOptions, 'baseUrl'>): string {
  return hmac(options.apiKey, [options.baseUrl, options.userId, options.password]);
}

/**
 * Identifies the login of an account, in any process. The password is left out: whoever has the database and the API key
 * could guess it from the id.
 */
export function loginIdOf(account: { address: string; apiKey: string; userId: string }): string {
  return hmac(account.apiKey, ['login', account.address, account.userId]);
}

const hmac = (key: string, parts: readonly string[]): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url').slice(0, 22);

/** UnauthorizedError if the service refuses the account; for 401, the transport has made it already. */
function toLoginError(error: unknown): unknown {
  const status = error instanceof ServiceTrouble ? error.status : undefined;
  if (status === 400 || status === 403 || status === 422) return new UnauthorizedError({ refused: 'login' });
  if (status !== 404) return error;
  // With a NotFoundError, a wrong base address would look like “no prediction” for every vessel.
  const reason = 'there is no login at this address';
  return new UnreadableResponseError({ status, contentType: '', excerpt: '', reason });
}

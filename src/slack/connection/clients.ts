import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import {
  type WebAPICallResult,
  WebAPIRateLimitedError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api';
import { z } from 'zod';
import type { ManyWorkspacesConfig } from '../../config/config.ts';
import { type Logger, silentLogger } from '../../log.ts';
import { type Measure, measureNothing } from '../../measure.ts';
import { hideAssistantTokens } from '../../workspaces/assistant-tokens.ts';
import type { OAuthCalls } from '../../workspaces/bot-token.ts';
import { deadTokenCodes, postTimeoutMs, slackCode } from '../posting/deliver.ts';

/** A bot's token, which may change: see workspaces/installations.ts. */
export interface TokenSource {
  getToken(): Promise<string>;
  /** Called with Slack's code after it refused the token. True if there is a new one. */
  onTokenRefused?(refusal: TokenRefusal): Promise<boolean>;
}

export interface TokenRefusal {
  /** Slack's, such as `token_expired`. */
  code: string;
  /** The one that was refused, or an older one. */
  token: string;
}

export type SlackClients = ReturnType<typeof createSlackClients>;

/** The clients don't wait for a rate limit to end: that would delay the requests of all people. */
export function createSlackClients(
  options: TokenSource & {
    apiUrl: string;
    /** For the token of an organisation: each request has to name the team. */
    teamId?: string | undefined;
    fetch: typeof globalThis.fetch;
    logger: BoltLogger;
    measure?: Measure;
  },
) {
  const { apiUrl, teamId, logger, measure = measureNothing, onTokenRefused = async () => false } = options;
  const createClient = (own: WebClientOptions) =>
    new Client({ ...common, ...own }, { getToken: () => options.getToken(), onTokenRefused, measure });
  const common = {
    slackApiUrl: apiUrl,
    fetch: withToken(options),
    logger,
    rejectRateLimitedCalls: true,
    ...(teamId !== undefined && { teamId }),
  };
  const quickRetry = { retries: 1, minTimeout: 100, maxTimeout: 200 };
  // A post whose answer was lost would appear twice.
  const noRetry = { retries: 0 };
  return {
    /** Only 2 s, since a person waits. */
    reads: createClient({ timeout: 2_000, retryConfig: quickRetry }),
    /** For a status, which an answer waits for and nobody needs. */
    statuses: createClient({ timeout: 1_000, retryConfig: noRetry }),
    posts: createClient({ timeout: postTimeoutMs, retryConfig: noRetry }),
    background: createClient({ timeout: 10_000, retryConfig: noRetry }),
  };
}

/** Reports a refused token, and repeats the request once if there is a new one: Slack has not carried it out. */
class Client extends WebClient {
  readonly #tokens: Required<TokenSource>;
  readonly #measure: Measure;

  constructor(
    options: WebClientOptions,
    { measure, ...tokens }: Required<TokenSource> & { measure: Measure },
  ) {
    super(undefined, options);
    this.#tokens = tokens;
    this.#measure = measure;
  }

  override async apiCall(method: string, options?: WebAPICallOptions): Promise<WebAPICallResult> {
    // If there is none, the request fails with the reason.
    const token = await this.#tokens.getToken().catch(() => '');
    try {
      return await this.#measuredCall(method, options);
    } catch (error) {
      const code = slackCode(error) ?? '';
      if (!deadTokenCodes.has(code) || !(await this.#tokens.onTokenRefused({ code, token }))) throw error;
      return await this.#measuredCall(method, options);
    }
  }

  async #measuredCall(method: string, options?: WebAPICallOptions): Promise<WebAPICallResult> {
    let outcome = 'ok';
    try {
      return await super.apiCall(method, options);
    } catch (error) {
      outcome = error instanceof WebAPIRateLimitedError ? 'ratelimited' : (slackCode(error) ?? 'none');
      throw error;
    } finally {
      this.#measure({ kind: 'slack', method, outcome });
    }
  }
}

type WebAPICallOptions = Parameters<WebClient['apiCall']>[1];

/** Adds the current token to requests of the Web API; files are uploaded to other addresses, without one. */
function withToken({
  getToken,
  apiUrl,
  fetch,
}: Parameters<typeof createSlackClients>[0]): typeof globalThis.fetch {
  return async (input, init) => {
    if (!String(input).startsWith(apiUrl)) return fetch(input, init);
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${await getToken()}`);
    return fetch(input, { ...init, headers });
  };
}

interface OneTimeOptions {
  apiUrl: string;
  fetch?: typeof globalThis.fetch;
  timeoutMs?: number;
}

/** For a client that asks once: it repeats nothing. */
export const oneTimeOptions = ({ apiUrl, fetch, timeoutMs = 10_000 }: OneTimeOptions) => ({
  slackApiUrl: apiUrl,
  ...(fetch && { fetch }),
  timeout: timeoutMs,
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
});

/** Logs nothing if there is no `logger`. */
const createOneTimeClient = (
  token: string | undefined,
  { logger = createBoltLogger(silentLogger), ...options }: OneTimeOptions & { logger?: BoltLogger },
): WebClient => new WebClient(token, { ...oneTimeOptions(options), logger });

/** Slack's refusal of a token, such as `invalid_auth`. */
interface TokenRefused {
  refusal: string;
}

interface TokenOwner {
  workspace: string;
  bot: string;
  /** What the token may do; undefined if Slack doesn't say. */
  scopes: readonly string[] | undefined;
}

/** Asks Slack whose bot token it is. Throws if Slack gives no answer. */
export const checkBotToken = ({
  token,
  apiUrl,
}: Record<'token' | 'apiUrl', string>): Promise<TokenOwner | TokenRefused> =>
  orRefusal(async () => {
    const { team, user, response_metadata } = await createOneTimeClient(token, { apiUrl }).auth.test();
    const scopes = response_metadata?.scopes;
    return { workspace: team ?? 'a workspace', bot: user ?? 'a bot', scopes };
  });

/** Asks Slack for the address of a Socket Mode connection, without opening it. Throws if Slack gives no answer. */
export const checkAppToken = ({
  token,
  apiUrl,
}: Record<'token' | 'apiUrl', string>): Promise<{ url: string } | TokenRefused> =>
  orRefusal(async () => {
    const { url = '' } = await createOneTimeClient(token, { apiUrl }).apps.connections.open();
    return { url };
  });

/** The manifest of the app as Slack has it now. Needs an app configuration token. Throws if Slack gives no answer. */
export const exportManifest = ({
  configToken,
  appId,
  apiUrl,
}: Record<'configToken' | 'appId' | 'apiUrl', string>): Promise<{ manifest: unknown } | TokenRefused> =>
  orRefusal(async () => {
    const { apps } = createOneTimeClient(configToken, { apiUrl });
    const { manifest } = await apps.manifest.export({ app_id: appId });
    return { manifest };
  });

/**
 * Undefined if Slack knows the client: it then refuses only the code, which is none. Otherwise Slack's error code. Throws if
 * Slack gives no answer.
 */
export async function checkClient({
  clientId,
  clientSecret,
  apiUrl,
}: Record<'clientId' | 'clientSecret' | 'apiUrl', string>): Promise<string | undefined> {
  const { oauth } = createOneTimeClient(undefined, { apiUrl });
  const answer = await orRefusal(() =>
    oauth.v2.access({ client_id: clientId, client_secret: clientSecret, code: 'none' }),
  );
  return 'refusal' in answer && answer.refusal !== 'invalid_code' ? String(answer.refusal) : undefined;
}

/** Throws if Slack gives no answer. */
async function orRefusal<T>(request: () => Promise<T>): Promise<T | TokenRefused> {
  try {
    return await request();
  } catch (error) {
    const refusal = slackCode(error);
    if (refusal === undefined || refusal.startsWith('http_')) throw error;
    return { refusal };
  }
}

/** Lifetimes are in seconds. */
const refreshAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.number().positive(),
});

/** Slack's answers to a refresh token that will never work again. */
const deadRefreshTokenCodes: ReadonlySet<string> = new Set([
  'invalid_refresh_token',
  'invalid_grant',
  'token_revoked',
  'token_expired',
  'account_inactive',
]);

/** What Slack does for installed workspaces. No request is repeated: a refresh token works once. */
export function createOAuthCalls(
  { clientId, clientSecret, apiUrl }: Pick<ManyWorkspacesConfig, 'clientId' | 'clientSecret' | 'apiUrl'>,
  { fetch, logger }: Required<Pick<OneTimeOptions & { logger: BoltLogger }, 'fetch' | 'logger'>>,
): OAuthCalls {
  const options = { apiUrl, fetch, logger };
  const client = createOAuthClient(undefined, options);
  return {
    async refresh(refreshToken) {
      try {
        const answer = await client.oauth.v2.access({
          client_id: clientId,
          client_secret: clientSecret,
          grant_type: 'refresh_token',
          refresh_token: refreshToken,
        });
        const { access_token, refresh_token, expires_in } = refreshAnswer.parse(answer);
        return { token: access_token, refreshToken: refresh_token, lifetimeMs: expires_in * 1000 };
      } catch (error) {
        if (deadRefreshTokenCodes.has(slackCode(error) ?? '')) return 'refused';
        throw error;
      }
    },
    accepts: (token) => acceptsToken(token, options),
    async listTeams(token) {
      const reader = createOAuthClient(token, { ...options, timeoutMs: listTimeoutMs });
      const ids = new Set<string>();
      for await (const page of reader.paginate('auth.teams.list', { limit: 1_000 }))
        for (const { id } of teamsPage.parse(page).teams) ids.add(id);
      return ids;
    },
  };
}

/** A delivery waits for it, and has to be acknowledged within 3 s. */
const listTimeoutMs = 2_000;

const teamsPage = z.object({ teams: z.array(z.object({ id: z.string() })) });

/** Logs no bodies. */
const createOAuthClient = (
  token: string | undefined,
  { logger, ...options }: OneTimeOptions & { logger: BoltLogger },
) => createOneTimeClient(token, { ...options, logger: withoutBodies(logger) });

/** The debug lines of Slack's libraries hold whole requests, with the client secret, codes and refresh tokens. */
export const withoutBodies = (logger: BoltLogger): BoltLogger => ({
  ...logger,
  debug: () => {},
  getLevel: () => LogLevel.INFO,
});

/** False if Slack accepts the token no more; undefined if it doesn't say. */
export async function acceptsToken(
  token: string,
  options: OneTimeOptions & { logger: BoltLogger },
): Promise<boolean | undefined> {
  try {
    await createOAuthClient(token, options).auth.test();
    return true;
  } catch (error) {
    return deadTokenCodes.has(slackCode(error) ?? '') ? false : undefined;
  }
}

/**
 * One level lower: Bolt's debug lines hold whole payloads, and its info lines repeat ours. Lines with what somebody typed
 * into a form are left out: it may be the account of the analytics service.
 */
export function createBoltLogger(logger: Logger): BoltLogger {
  const textOf = (part: unknown) => (part instanceof Error ? `${part.name}: ${part.message}` : String(part));
  const line = (parts: unknown[]) => hideSecrets(parts.map(textOf).join(' '));
  return {
    debug(...parts) {
      if (!logger.isLevelEnabled('trace')) return;
      const text = line(parts);
      // Slack calls it `values`, however the payload is encoded.
      logger.trace({}, text.includes('values') ? 'the payload of a form' : text);
    },
    info: (...parts) => logger.debug({}, line(parts)),
    warn: (...parts) => logger.warn({}, line(parts)),
    error: (...parts) => logger.error({}, line(parts)),
    setLevel: () => {},
    getLevel: () => (logger.isLevelEnabled('trace') ? LogLevel.DEBUG : LogLevel.INFO),
    setName: () => {},
  };
}

/** What opens something: tokens, such as that of a workflow's step, response URLs, and the ticket for a socket. */
const hideSecrets = (text: string): string =>
  hideAssistantTokens(text)
    .replaceAll(/("(?:\w*token|response_url)":")[^"]*/g, '$1…')
    .replaceAll(/\bticket=[^&"\s]+/g, 'ticket=…');

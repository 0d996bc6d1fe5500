import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import {
  type WebAPICallResult,
  WebAPIRateLimitedError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api';
import { type Logger, silentLogger } from '../../log.ts';
import { type Measure, measureNothing } from '../../measure.ts';
import { hideAssistantTokens } from '../../workspaces/assistant-tokens.ts';
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

export interface OneTimeOptions {
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
export const createOneTimeClient = (
  token: string | undefined,
  { logger = createBoltLogger(silentLogger), ...options }: OneTimeOptions & { logger?: BoltLogger },
): WebClient => new WebClient(token, { ...oneTimeOptions(options), logger });

interface Options {
  apiUrl: string;
  token: string;
}

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
export const checkBotToken = ({ token, ...options }: Options): Promise<TokenOwner | TokenRefused> =>
  orRefusal(async () => {
    const { team, user, response_metadata } = await createOneTimeClient(token, options).auth.test();
    const scopes = response_metadata?.scopes;
    return { workspace: team ?? 'a workspace', bot: user ?? 'a bot', scopes };
  });

/** Asks Slack for the address of a Socket Mode connection, without opening it. Throws if Slack gives no answer. */
export const checkAppToken = ({ token, ...options }: Options): Promise<{ url: string } | TokenRefused> =>
  orRefusal(async () => {
    const { url = '' } = await createOneTimeClient(token, options).apps.connections.open();
    return { url };
  });

/** The manifest of the app as Slack has it now. Needs an app configuration token. Throws if Slack gives no answer. */
export const exportManifest = ({
  configToken,
  appId,
  ...options
}: {
  apiUrl: string;
  configToken: string;
  appId: string;
}): Promise<{ manifest: unknown } | TokenRefused> =>
  orRefusal(async () => {
    const { apps } = createOneTimeClient(configToken, options);
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
}: {
  clientId: string;
  clientSecret: string;
  apiUrl: string;
}): Promise<string | undefined> {
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

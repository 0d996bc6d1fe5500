import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import {
  type WebAPICallResult,
  WebAPIRateLimitedError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api';
import type { Logger } from '../../log.ts';
import { type Measure, measureNothing } from '../../measure.ts';
import { hideAssistantTokens } from '../../workspaces/assistant-tokens.ts';
import { postTimeoutMs } from '../posting/response-url.ts';
import { deadTokenCodes, slackCode } from '../posting/slack-errors.ts';

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
    /** For the token of an organisation, with which each request has to name the team. */
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
    try {
      const result = await super.apiCall(method, options);
      this.#measure({ kind: 'slack', method, outcome: 'ok' });
      return result;
    } catch (error) {
      const isLimited = error instanceof WebAPIRateLimitedError;
      this.#measure({
        kind: 'slack',
        method,
        outcome: isLimited ? 'ratelimited' : (slackCode(error) ?? 'none'),
      });
      throw error;
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

/**
 * One level lower: Bolt's debug lines hold whole payloads, and its info lines repeat ours. Lines with what somebody typed
 * into a form are left out: it may be the account of the analytics service. So are tokens that a form's answer shows.
 */
export function createBoltLogger(logger: Logger): BoltLogger {
  const textOf = (part: unknown) => (part instanceof Error ? `${part.name}: ${part.message}` : String(part));
  const line = (parts: unknown[]) => hideAssistantTokens(parts.map(textOf).join(' '));
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

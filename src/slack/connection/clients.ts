import type { Logger as BoltLogger } from '@slack/bolt';
import {
  type WebAPICallResult,
  WebAPIRateLimitedError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api';
import { type Measure, measureNothing } from '../../measure.ts';
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

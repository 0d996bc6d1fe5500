import { type Dispatcher, EnvHttpProxyAgent, Pool, setGlobalDispatcher } from 'undici';
import { type ProxyConfig, proxyHost } from '../config/proxy.ts';
import { messageOf } from '../errors.ts';

/**
 * From now on all requests of this process go through the proxy of the settings: those of undici, of `fetch`, which is
 * made of it, and Socket Mode's (see socket-connection.ts). Does nothing without a proxy.
 */
export function setProxy(proxy: ProxyConfig): void {
  if (proxy) setGlobalDispatcher(createProxyAgent(proxy));
}

/** Its errors name the proxy, without the password. An empty address is no proxy, whatever the environment says. */
function createProxyAgent({ https, http = '', except }: NonNullable<ProxyConfig>): EnvHttpProxyAgent {
  return new EnvHttpProxyAgent({
    httpsProxy: https,
    httpProxy: http,
    noProxy: except,
    clientFactory: (origin, options) => new ProxyPool(origin, options),
  });
}

/** The proxy can't be reached, or doesn't connect us to an address. Does not cover that address itself. */
class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code = 'ERR_PROXY';
}

/** Connections to the proxy itself. Undici's own errors don't say that the proxy is to blame. */
class ProxyPool extends Pool {
  readonly #proxy: string;

  constructor(origin: URL, options: object) {
    super(origin, options);
    this.#proxy = proxyHost(origin.href);
  }

  // The agent uses the form that returns a promise.
  override connect = (async (options: Dispatcher.ConnectOptions) => {
    const answer = await super.connect(options).catch((cause: unknown) => {
      throw new ProxyError(`The proxy ${this.#proxy} can't be reached: ${messageOf(cause)}`, { cause });
    });
    const { statusCode, socket } = answer;
    if (statusCode === 200) return answer;
    socket.on('error', () => {}).destroy();
    throw new ProxyError(`The proxy ${this.#proxy} ${refusal(statusCode)} to ${options.path}`);
  }) as Pool['connect'];
}

const refusal = (status: number): string =>
  status === 407
    ? 'wants another user and password (status 407) before it connects'
    : `refuses to connect (status ${status})`;

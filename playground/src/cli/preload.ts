// Runs in the app's process, before the app (`node --import`). What the app sends to Slack goes to the local Slack
// instead, and so do people whom it sends to Slack's page of consent. The app itself isn't changed.
import http, { type ClientRequest, type RequestOptions, ServerResponse } from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';

const { BOLT_PLAYGROUND_URL } = process.env;
if (BOLT_PLAYGROUND_URL) redirectTo(new URL(BOLT_PLAYGROUND_URL));

function redirectTo(slack: URL): void {
  const isSlack = (host: string | null | undefined) => /^(?:[\w-]+\.)*slack\.com$/.test(host ?? '');
  redirectFetch(slack, isSlack);
  redirectHttps(slack, isSlack);
  redirectPeople(slack);
  syncBuiltinESMExports();
}

type IsSlack = (host: string | null | undefined) => boolean;

function redirectFetch(slack: URL, isSlack: IsSlack): void {
  const original = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (!isSlack(url.hostname)) return original(input, init);
    const local = new URL(url.pathname + url.search, slack);
    return original(input instanceof Request ? new Request(local, input) : local, init);
  };
}

type Callback = Parameters<typeof https.request>[2];

/** Of the clients that use node:https, such as axios in older versions of Slack's SDK. */
function redirectHttps(slack: URL, isSlack: IsSlack): void {
  const original = https.request;
  const request = (...given: unknown[]): ClientRequest => {
    const { url, options, callback } = readCall(given);
    const host = options.hostname ?? options.host?.replace(/:\d+$/, '') ?? url?.hostname;
    // The arguments are those of the caller.
    if (!isSlack(host)) return original(...(given as Parameters<typeof https.request>));
    const { agent: _agent, ...rest } = options;
    const headers = { ...(rest.headers as Record<string, string> | undefined) };
    for (const name of Object.keys(headers)) if (name.toLowerCase() === 'host') delete headers[name];
    return http.request(
      {
        ...rest,
        protocol: slack.protocol,
        host: slack.hostname,
        hostname: slack.hostname,
        port: slack.port,
        path: options.path ?? (url ? url.pathname + url.search : '/'),
        headers,
      },
      callback,
    );
  };
  https.request = request;
  https.get = (...given: unknown[]) => {
    const sent = request(...given);
    sent.end();
    return sent;
  };
}

/** `request(url, options, callback)`: each may be left out. */
function readCall(given: unknown[]): { url?: URL; options: RequestOptions; callback: Callback } {
  const [first, ...others] = given;
  const isUrl = typeof first === 'string' || first instanceof URL;
  const rest = isUrl ? others : given;
  // Node's own types of these arguments.
  const callback = rest.find((part) => typeof part === 'function') as Callback;
  const options = (rest.find((part) => typeof part === 'object' && part !== null) ?? {}) as RequestOptions;
  return { ...(isUrl && { url: new URL(first) }), options, callback };
}

/** In redirects and pages of the app: the page of consent, and the links back to Slack after it. */
function redirectPeople(slack: URL): void {
  const local = (text: string): string =>
    text
      .replaceAll('https://slack.com/oauth/', `${slack.origin}/oauth/`)
      .replaceAll('https://slack.com/app_redirect', `${slack.origin}/app_redirect`)
      .replaceAll('https://app.slack.com/client/', `${slack.origin}/app_redirect?team=`);
  const { setHeader, writeHead, end } = ServerResponse.prototype;
  ServerResponse.prototype.setHeader = function (name, value) {
    const isLink = name.toLowerCase() === 'location' && typeof value === 'string';
    return setHeader.call(this, name, isLink ? local(value) : value);
  };
  ServerResponse.prototype.writeHead = function (this: ServerResponse, status: number, ...rest: unknown[]) {
    const headers = rest.at(-1);
    if (typeof headers === 'object' && headers !== null && !Array.isArray(headers)) {
      for (const [name, value] of Object.entries(headers))
        if (name.toLowerCase() === 'location' && typeof value === 'string')
          Object.assign(headers, { [name]: local(value) });
    }
    return Reflect.apply(writeHead, this, [status, ...rest]);
  };
  ServerResponse.prototype.end = function (this: ServerResponse, ...given: unknown[]) {
    const [chunk, ...rest] = given;
    if (typeof chunk !== 'string' && !Buffer.isBuffer(chunk)) return Reflect.apply(end, this, given);
    const isPage = chunk.includes('slack.com/') && String(this.getHeader('content-type')).includes('html');
    const sent = isPage ? local(chunk.toString()) : chunk;
    if (isPage && !this.headersSent && this.hasHeader('content-length'))
      this.setHeader('content-length', Buffer.byteLength(sent));
    return Reflect.apply(end, this, [sent, ...rest]);
  };
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import {
  type App,
  type AuthorizeSourceData,
  HTTPModuleFunctions,
  HTTPResponseAck,
  type Logger,
  type Receiver,
} from '@slack/bolt';
import { z } from 'zod';
import { createCache, createMonotonicClock } from '../../cache.ts';
import { parseJson } from '../../errors.ts';
import type { Measure, RefusedDelivery } from '../../measure.ts';
import type { DeliverySource } from '../../workspaces/installations.ts';
import type { SlackUser } from '../people/lookups.ts';

/** Slack's unsigned check of the certificate has a token of 24 letters beside `ssl_check=1`. */
const maxSslCheckBytes = 1_000;

type Body = Record<string, unknown>;

/** Bolt's own receiver leaves a signed body that isn't a payload unanswered, and crashes on a signed `null`. */
export function createHttpReceiver({
  signingSecret = '',
  readBody,
  logger,
  measure,
}: {
  signingSecret: string | undefined;
  readBody: ReadBody;
  logger: Logger;
  measure: Measure;
}) {
  let app: App | undefined;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readPayload(request, response);
    if (body === undefined) return;
    if (body.ssl_check === '1') return HTTPModuleFunctions.buildSSLCheckResponse(response);
    if (body.type === 'url_verification') {
      return HTTPModuleFunctions.buildUrlVerificationResponse(response, body);
    }
    const ack = new HTTPResponseAck({
      ...{ logger, processBeforeResponse: false },
      ...{ httpRequest: request, httpRequestBody: body, httpResponse: response },
    });
    try {
      await app?.processEvent({ body, ack: ack.bind(), ...retryOf(request) });
    } catch (error) {
      logger.error(error);
    }
    // Acknowledges an unknown kind of payload, which no listener took.
    ack.ack();
    if (!response.headersSent) HTTPModuleFunctions.buildNoBodyResponse(response, 400);
  }

  /** Undefined if the request was refused. */
  async function readPayload(request: IncomingMessage, response: ServerResponse): Promise<Body | undefined> {
    const refuse = (status: number, reason: string, kind: RefusedDelivery = 'body') => {
      logger.warn(`Refused a request: ${reason}`);
      measure({ kind: 'refused-delivery', reason: kind });
      // Whatever the sender still has to send is not read.
      response.setHeader('connection', 'close');
      HTTPModuleFunctions.buildNoBodyResponse(response, status);
      return undefined;
    };
    const { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp } = request.headers;
    const nowMs = Date.now();
    const mayBeSigned = maySlackHaveSigned({ signature, timestamp }, nowMs);
    if (!mayBeSigned && !mayBeSslCheck(request)) return refuse(401, 'Slack has not signed it', 'signature');
    const chunks = request.iterator({ destroyOnReturn: false });
    const read = await readBody(chunks, request.headers['content-length']).catch(() => undefined);
    if (!read) return refuse(401, 'its body is not complete');
    if (read === 413) return refuse(413, 'its body is too large');
    if (read === 503) return refuse(503, 'too many large bodies at once');
    const text = read.toString();
    const isSigned = isSignedBySlack({ signature, timestamp, body: text }, { signingSecret, nowMs });
    // Slack doesn't sign its check of the certificate, so nothing else of that body may be read.
    if (!isSigned && isSslCheck(request, text)) return { ssl_check: '1' };
    if (!isSigned) return refuse(401, 'its signature is not valid', 'signature');
    const body = parseBody(Object.assign(request, { rawBody: read }));
    if (body === undefined) HTTPModuleFunctions.buildNoBodyResponse(response, 400);
    return body;
  }

  const receiver: Receiver = {
    init: (boltApp) => {
      app = boltApp;
    },
    start: async () => {},
    stop: async () => {},
  };
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    receive(request, response).catch((error) => {
      logger.error(error);
      if (!response.headersSent) HTTPModuleFunctions.buildNoBodyResponse(response, 500);
    });
  };
  return { receiver, handle };
}

const mayBeSslCheck = ({ headers }: IncomingMessage): boolean =>
  headers['content-type'] === 'application/x-www-form-urlencoded' &&
  Number(headers['content-length']) <= maxSslCheckBytes;

const isSslCheck = (request: IncomingMessage, body: string): boolean =>
  mayBeSslCheck(request) && new URLSearchParams(body).get('ssl_check') === '1';

function parseBody(request: IncomingMessage & { rawBody: Buffer }): Body | undefined {
  try {
    const body: unknown = HTTPModuleFunctions.parseHTTPRequestBody(request);
    // Any object is a record of unknown values.
    return typeof body === 'object' && body !== null ? (body as Body) : undefined;
  } catch {
    return undefined;
  }
}

function retryOf(request: IncomingMessage): { retryNum?: number; retryReason?: string } {
  const retryNum = HTTPModuleFunctions.extractRetryNumFromHTTPRequest(request);
  const retryReason = HTTPModuleFunctions.extractRetryReasonFromHTTPRequest(request);
  return { ...(retryNum !== undefined && { retryNum }), ...(retryReason !== undefined && { retryReason }) };
}

interface SignedRequest {
  /** `v0=` and 64 hexadecimal digits. */
  signature: unknown;
  /** Unix seconds. */
  timestamp: unknown;
  body: string;
}

const maxAgeSeconds = 300;

/**
 * Whether these headers can be Slack's: a signature's shape, and a time in the last five minutes. It is known before the body
 * is read, and anybody may send a long one.
 */
function maySlackHaveSigned({ signature, timestamp }: Omit<SignedRequest, 'body'>, nowMs: number): boolean {
  if (typeof signature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(signature)) return false;
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false;
  return Number(timestamp) >= Math.floor(nowMs / 1000) - maxAgeSeconds;
}

/**
 * Did Slack sign this body in the last five minutes? See docs.slack.dev/authentication/verifying-requests-from-slack.
 * Bolt's own check takes ten times as long, a tenth of a command's CPU time.
 */
export function isSignedBySlack(
  { signature, timestamp, body }: SignedRequest,
  { signingSecret, nowMs }: { signingSecret: string; nowMs: number },
): boolean {
  if (signingSecret === '' || !maySlackHaveSigned({ signature, timestamp }, nowMs)) return false;
  const expected = `v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  return timingSafeEqual(Buffer.from(String(signature)), Buffer.from(expected));
}

const message = z.object({
  params: z.object({
    _meta: z.object({
      slack: z.object({
        user_id: z.string().min(1),
        team_id: z.string().min(1),
        enterprise_id: z.string().nullish(),
      }),
    }),
  }),
});

/** Whether it can be a request of Slackbot, as far as its headers say. */
export const isLikeSlackbot = (headers: Headers, nowMs: number): boolean =>
  maySlackHaveSigned(signatureIn(headers), nowMs);

const signatureIn = (headers: Headers) => ({
  signature: headers.get('x-slack-signature'),
  timestamp: headers.get('x-slack-request-timestamp'),
});

/**
 * Reads the person that Slackbot asks our MCP server for: see “Slack identity” in Slack's docs of its MCP client. Undefined if Slack did
 * not sign the request; no `user` for one that is not for a person, such as the list of tools.
 */
export function readAssistantRequest(
  { headers, body }: { headers: Headers; body: string },
  { signingSecret = '', nowMs }: { signingSecret: string | undefined; nowMs: number },
): { user: SlackUser | undefined } | undefined {
  if (!isSignedBySlack({ ...signatureIn(headers), body }, { signingSecret, nowMs })) return undefined;
  const { data } = message.safeParse(parseJson(body));
  if (!data) return { user: undefined };
  const { user_id: id, team_id: teamId, enterprise_id: enterpriseId } = data.params._meta.slack;
  return { user: { id, teamId, enterpriseId: enterpriseId ?? undefined } };
}

const id = z.string().min(1).nullish();

type BoltSource = Pick<AuthorizeSourceData<boolean>, 'enterpriseId' | 'isEnterpriseInstall'>;

/** Parts of events, commands and interactions that name a workspace. */
const named = z.object({
  event: z.unknown().optional(),
  authorizations: z.array(z.object({ team_id: id })).optional(),
  context_team_id: id,
  is_ext_shared_channel: z.boolean().optional(),
  team_id: id,
  view: z.object({ app_installed_team_id: id }).nullish(),
  team: z.object({ id }).nullish(),
  user: z.object({ team_id: id }).nullish().catch(undefined),
});

/**
 * Finds the installation that a delivery is for. What Bolt says of the team isn't used: in a channel that organisations
 * share, it may be the host of the channel, or the workspace of an outsider.
 */
export function deliverySourceOf(
  body: unknown,
  { enterpriseId, isEnterpriseInstall }: BoltSource,
): DeliverySource {
  const { data } = named.safeParse(body);
  const teamId =
    data && (data.event ? teamOfEvent(data) : teamOfInteraction(data, { enterpriseId, isEnterpriseInstall }));
  return {
    isEnterpriseInstall,
    ...(teamId && { teamId }),
    ...(enterpriseId && { enterpriseId }),
  };
}

type Named = z.infer<typeof named>;

/** Of an org-wide installation, the authorization may name no team. */
function teamOfEvent({ authorizations, context_team_id, is_ext_shared_channel, team_id }: Named) {
  return authorizations?.[0]?.team_id ?? context_team_id ?? (is_ext_shared_channel ? undefined : team_id);
}

/**
 * Slack names no workspace in many interactions with an org-wide installation. Then the person's is tried: it counts only
 * if Slack lists it among those of the organisation (see installations.ts), which it doesn't for an outsider.
 */
function teamOfInteraction(
  { team_id, view, team, user }: Named,
  { enterpriseId, isEnterpriseInstall }: BoltSource,
) {
  // Of a view, Slack may name the organisation here.
  const installedAt = view?.app_installed_team_id;
  const teamId = team_id ?? (installedAt === enterpriseId ? undefined : installedAt) ?? team?.id;
  return teamId ?? (isEnterpriseInstall ? user?.team_id : undefined);
}

/** Where Slack delivers. */
export const slackPath = '/slack/events';

/** Longer than proxies reuse a connection: if the server closes it first, a request just sent on it fails. */
const keepAliveTimeout = 75_000;

/** Slack gives up after 3 s, and has few connections for all its deliveries. */
const defaultLimits = { receiveMs: 5_000, maxConnections: 1_000 };

/**
 * A plain HTTP server that bounds what anybody can hold: a request has to be here, with its body, within `receiveMs`, and
 * beyond `maxConnections`, connections that wait for their next request make room.
 */
export function createWebServer(options: {
  host: string;
  port: number;
  handle: RequestListener;
  limits?: typeof defaultLimits;
}) {
  const { host, port, handle, limits = defaultLimits } = options;
  const { receiveMs, maxConnections } = limits;
  const server = createServer(
    {
      ...{ requestTimeout: receiveMs, headersTimeout: receiveMs, keepAliveTimeout },
      connectionsCheckingInterval: receiveMs / 5,
    },
    handle,
  );
  server.maxConnections = maxConnections;
  server.on('drop', () => server.closeIdleConnections());
  let closed: Promise<void> | undefined;
  /** Accepts no more connections; open ones may finish until `cut`. */
  const close = () => {
    closed ??= new Promise((resolve) => server.close(() => resolve()));
  };

  return {
    /** Listens; returns the address. Rejects if the port is in use. */
    start: (): Promise<string> =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => resolve(addressOf(server.address())));
      }),
    close,
    /** Ends every connection, also half-open ones; resolves when none is left. */
    async cut(): Promise<void> {
      close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function addressOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('not a TCP address');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

/** Answers a request for one of its pages, and returns true; false for any other request. */
export type Pages = (...request: Parameters<RequestListener>) => boolean;

/** By their paths; one that ends in `*` is that of all that begin so. */
export type Routes = Readonly<Record<string, (request: Request) => Promise<Response>>>;

export function serveRoutes(routes: Routes): Pages {
  // A health check over HTTP/1.0 names no host.
  const options = { overrideGlobalObjects: false, hostname: 'localhost' };
  const listeners = Object.entries(routes).map(([pattern, answer]) => ({
    matches: (path: string) =>
      pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
    listen: getRequestListener(answer, options),
  }));
  return (request, response) => {
    const path = pathOf(request);
    const found = listeners.find(({ matches }) => matches(path));
    void found?.listen(request, response);
    return found !== undefined;
  };
}

/** `/healthz`: the process is up. `/readyz`: it can answer; if not, the reasons are listed, without secrets. */
export function healthRoutes(whyNotReady: () => string[]): Routes {
  const headers = { 'cache-control': 'no-store' };
  return {
    '/healthz': async () => Response.json({ ok: true }, { headers }),
    async '/readyz'() {
      const reasons = whyNotReady();
      const ok = reasons.length === 0;
      return Response.json({ ok, reasons }, { status: ok ? 200 : 503, headers });
    },
  };
}

export function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

/** Slack's payloads and assistants' requests are far smaller. */
const maxBodyBytes = 1024 * 1024;

/** A body may have as much without a share of the budget, so those who fill it shut out none of the usual deliveries. */
const freeBytes = 64 * 1024;

export type ReadBody = ReturnType<typeof createBodyReader>;

/**
 * Reads the bodies of requests that anybody may send, and bounds the bytes that are held for them at the same time. Returns
 * the whole body, or the status that refuses it: 413 if it is too large, 503 if others have used up the budget. Nobody waits
 * for a share: a sender who is slow on purpose would hold up all others. Throws if the sender hangs up.
 */
export function createBodyReader({ maxBytesInFlight = 16 * 1024 * 1024 } = {}) {
  let bytesInFlight = 0;

  /** `chunks` must survive an early return, so that the refusal can still be sent. */
  return async (
    chunks: AsyncIterable<Uint8Array>,
    contentLength: string | null | undefined,
  ): Promise<Buffer | 413 | 503> => {
    if (Number(contentLength ?? 0) > maxBodyBytes) return 413;
    const read: Uint8Array[] = [];
    let bytes = 0;
    let ownShare = 0;
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > maxBodyBytes) return 413;
        const more = Math.max(0, bytes - freeBytes) - ownShare;
        if (more > 0 && bytesInFlight + more > maxBytesInFlight) return 503;
        ownShare += more;
        bytesInFlight += more;
        read.push(chunk);
      }
      return Buffer.concat(read);
    } finally {
      bytesInFlight -= ownShare;
    }
  };
}

/**
 * A token bucket for each key: `max` at once, then `perMinute` on average. Returns a function that takes one, and says
 * whether there was one.
 */
export function createRateLimit({
  max,
  perMinute,
  realNow,
}: {
  max: number;
  perMinute: number;
  realNow: () => number;
}): (key: string) => boolean {
  const perMs = perMinute / 60_000;
  const now = createMonotonicClock(realNow);
  // After its ttl a bucket is full again, and needs no entry.
  const buckets = createCache<{ left: number; at: number }>({ ttlMs: Math.ceil(max / perMs), realNow: now });

  return (key) => {
    const at = now();
    const bucket = buckets.get(key) ?? { left: max, at };
    const left = Math.min(max, bucket.left + (at - bucket.at) * perMs);
    const isAllowed = left >= 1;
    buckets.set(key, { left: isAllowed ? left - 1 : left, at });
    return isAllowed;
  };
}

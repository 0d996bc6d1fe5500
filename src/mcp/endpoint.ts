import {
  type AuthInfo,
  createMcpHandler,
  hostHeaderValidationResponse,
  INVALID_REQUEST,
  type McpServer,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { ownLines, parseJson, UserError } from '../errors.ts';
import type { Logger } from '../log.ts';

/** A factory of servers for whoever sent a request. */
export type ServerOf = () => McpServer;

/** Who sent a request. */
export interface Sender {
  serverOf: ServerOf;
  /** For what is no call: waits for this sender's turn, and returns the function that ends it. Throws UserError too-busy. */
  takeTurn(signal: AbortSignal): Promise<() => void>;
}

/** Finds the sender of a body; undefined if it doesn't come from whom the headers name. */
export type Confirm = (body: string) => Promise<Sender | undefined>;

/** Of the server, which the protocol leaves to it (JSON-RPC 2.0, 5.1). */
const tooManyRequests = -32_000;

/**
 * POST /mcp: Streamable HTTP, without sessions. `identify` looks at the headers alone, before the body is read: undefined for
 * somebody unknown, who gets nothing; it throws UserError too-busy for too many requests. `hosts`: the names under which this
 * server is reached, so that no page in a browser reaches it under another one.
 */
export function createMcpEndpoint({
  identify,
  readBody,
  hosts,
  retrySeconds,
  logger,
}: {
  identify(headers: Headers): Promise<Confirm | undefined>;
  /** Returns the status that refuses a body, if it can't be read. */
  readBody(request: Request): Promise<string | 413 | 503>;
  hosts: readonly string[];
  /** After which those who are too many may try again. */
  retrySeconds: number;
  logger: Logger;
}) {
  const senders = new WeakMap<AuthInfo, ServerOf>();
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const serverOf = authInfo && senders.get(authInfo);
      // `serve` passes one with each request.
      if (!serverOf) throw new Error('a request without a sender');
      return serverOf();
    },
    { onerror: (err) => logger.warn({ err }, 'an assistant sent something unreadable') },
  );

  async function answer(request: Request): Promise<Response> {
    const allowed = [...hosts];
    const foreign =
      hostHeaderValidationResponse(request, allowed) ?? originValidationResponse(request, allowed);
    if (foreign) return foreign;
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    const confirm = await identify(request.headers);
    if (!confirm) return unauthorized();
    const body = await readBody(request);
    if (typeof body === 'number') return new Response(null, { status: body, headers: retryAfter(body) });
    const sender = await confirm(body);
    return sender ? serve(request, { body, sender }) : unauthorized();
  }

  async function serve(
    { url, headers, signal }: Request,
    { body, sender }: { body: string; sender: Sender },
  ): Promise<Response> {
    // What is no JSON, the protocol's own handler refuses.
    const message = parseJson(body);
    // The protocol has none since its revision of June 2025, and one request would take the turn of many.
    if (Array.isArray(message))
      return failure(400, INVALID_REQUEST, 'Send each message in a request of its own');
    const authInfo: AuthInfo = { token: '', clientId: '', scopes: [] };
    senders.set(authInfo, sender.serverOf);
    const copy = new Request(url, { method: 'POST', headers, body, signal });
    const respond = () => handler.fetch(copy, { authInfo, parsedBody: message });
    // A call takes its turn where it is answered, so that a model can read why it has none.
    if (isToolCall(message)) return respond();
    const endTurn = await sender.takeTurn(signal);
    signal.addEventListener('abort', endTurn, { once: true });
    try {
      const response = await respond();
      // The work is done when the last of the answer is there.
      return response.body ? new Response(await response.text(), response) : response;
    } finally {
      endTurn();
    }
  }

  return {
    answer: (request: Request): Promise<Response> =>
      answer(request).catch((error: unknown) => {
        if (!(error instanceof UserError) || error.code !== 'too-busy') throw error;
        const { message, hint = '' } = error;
        return failure(429, tooManyRequests, `${message} ${hint}`.trim());
      }),
    close: () => handler.close(),
  };

  /** A JSON-RPC error for a request whose message is not looked at. */
  function failure(status: number, code: number, message: string): Response {
    return Response.json(
      { jsonrpc: '2.0', error: { code, message }, id: null },
      { status, headers: retryAfter(status) },
    );
  }

  function retryAfter(status: number): Record<string, string> {
    return status === 429 || status === 503 ? { 'retry-after': String(retrySeconds) } : {};
  }
}

const isToolCall = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'method' in message && message.method === 'tools/call';

/** RFC 6750, 3: the client needs another token. */
function unauthorized(): Response {
  const description = `Send a token that an admin made with /${ownLines.assistants}, or a request that Slack signed`;
  return Response.json(
    { error: 'invalid_token', error_description: description },
    {
      status: 401,
      headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${description}"` },
    },
  );
}

import {
  type AuthInfo,
  createMcpHandler,
  hostHeaderValidationResponse,
  type McpServer,
  originValidationResponse,
  readRequestBody,
} from '@modelcontextprotocol/server';
import type { Logger } from '../log.ts';

/** Slack's and every assistant's requests are far smaller. */
const maxBodyBytes = 1024 * 1024;

/** A request whose sender is to be found. */
export interface UnknownRequest {
  headers: Headers;
  body: string;
}

/** A factory of servers for whoever sent a request. */
export type ServerOf = () => McpServer;

/**
 * POST /mcp: Streamable HTTP, without sessions. `identify` returns the server for the sender of a request, or undefined
 * for somebody unknown, who gets nothing. `hosts`: the names under which this server is reached, so that no page in a
 * browser reaches it under another one.
 */
export function createMcpEndpoint({
  identify,
  hosts,
  logger,
}: {
  identify(request: UnknownRequest): Promise<ServerOf | undefined>;
  hosts: readonly string[];
  logger: Logger;
}) {
  const servers = new WeakMap<AuthInfo, ServerOf>();
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const serverOf = authInfo && servers.get(authInfo);
      // `answer` passes one with each request.
      if (!serverOf) throw new Error('a request without a sender');
      return serverOf();
    },
    { onerror: (err) => logger.warn({ err }, 'an assistant sent something unreadable') },
  );

  return {
    async answer(request: Request): Promise<Response> {
      const allowed = [...hosts];
      const foreign =
        hostHeaderValidationResponse(request, allowed) ?? originValidationResponse(request, allowed);
      if (foreign) return foreign;
      if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
      const body = await readRequestBody(request, maxBodyBytes);
      if (body.tooLarge) return new Response(null, { status: 413 });
      const { headers, signal } = request;
      const serverOf = await identify({ headers, body: body.text });
      if (!serverOf) return unauthorized();
      const authInfo: AuthInfo = { token: '', clientId: '', scopes: [] };
      servers.set(authInfo, serverOf);
      const copy = new Request(request.url, { method: 'POST', headers, body: body.text, signal });
      return handler.fetch(copy, { authInfo });
    },
    close: () => handler.close(),
  };
}

/** RFC 6750, 3: the client needs another token. */
function unauthorized(): Response {
  const description =
    'Send a token that an admin made with /landfall assistants, or a request that Slack signed';
  return Response.json(
    { error: 'invalid_token', error_description: description },
    {
      status: 401,
      headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${description}"` },
    },
  );
}

import { existsSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { WebSocketServer } from 'ws';
import type { SocketMode } from './delivery/socket-mode.ts';
import { createGuard, type Guard } from './guards.ts';
import type { Live } from './page-api/live.ts';
import { isUpload } from './web-api/file-routes.ts';
import type { Bindings } from './web-api/web-api.ts';
import { MAX_FILE_BYTES } from './world/files.ts';

const MAX_BODY = 4 * 1024 * 1024;

export type Route = (request: Request) => Response | Promise<Response>;

interface ServerParts {
  /** Routes are matched in this order. */
  apps: Hono<Bindings>[];
  live: Pick<Live, 'accept'>;
  socketMode: SocketMode | undefined;
  routes: Record<string, Route>;
  pageDir: string | undefined;
}

interface PlaygroundServer {
  /** Without a trailing slash. */
  url: string;
  close(): Promise<void>;
}

/** Serves all parts behind a check of Host and Origin. Rejects if the port is in use. */
export async function startServer(
  parts: ServerParts,
  options: { host: string; port: number; allowedHosts: string[] },
): Promise<PlaygroundServer> {
  let port = options.port;
  const name = reachableName(options.host);
  const guard = createGuard(() => port, { names: [name], hosts: options.allowedHosts });
  const app = createRoutes(parts, guard);
  const server = await new Promise<Server>((resolve, reject) => {
    const listening = serve({ fetch: app.fetch, hostname: options.host, port }, (info) => {
      port = info.port;
      resolve(http);
    });
    // `serve` creates a plain HTTP server by default.
    const http = listening as Server;
    // A slow client must not lose its keep-alive connection just as it sends its next request.
    http.keepAliveTimeout = 75_000;
    http.once('error', reject);
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY });
  server.on('upgrade', (request, socket, head) => upgrade(parts, guard, sockets, { request, socket, head }));
  return {
    url: `http://${name}:${port}`,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      // The server no longer counts these as its own, but a page that hangs would keep it open.
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      return closed;
    },
  };
}

function createRoutes(parts: ServerParts, guard: Guard): Hono<Bindings> {
  const app = new Hono<Bindings>();
  for (const [path, route] of Object.entries(parts.routes)) app.all(path, (c) => route(c.req.raw));
  app.use(async (c, next) => {
    const isAllowed = guard.allowsHost(c.req.header('host')) && guard.allowsOrigin(c.req.header('origin'));
    return isAllowed ? next() : refuse(c);
  });
  const limit = (maxSize: number) =>
    bodyLimit({ maxSize, onError: (c) => c.json({ ok: false, error: 'This request is too large.' }, 413) });
  const [bodyLimiter, uploadLimiter] = [limit(MAX_BODY), limit(MAX_FILE_BYTES)];
  app.use((c, next) => (isUpload(c.req.path) ? uploadLimiter : bodyLimiter)(c, next));
  app.use('/playground/*', async (c, next) => {
    // Another site's page can't send these types without a preflight; this also rejects plain HTML forms.
    const type = c.req.header('content-type');
    const expected = isUpload(c.req.path) ? 'application/octet-stream' : 'application/json';
    if (c.req.method === 'POST' && !type?.startsWith(expected))
      return c.json({ ok: false, error: `Send this request as ${expected}.` }, 415);
    return guard.allowsSite(c.req.header('sec-fetch-site')) ? next() : refuse(c);
  });
  for (const part of parts.apps) app.route('/', part);
  // A message's permalink, opened in a new tab: the page shows the message.
  app.get('/archives/:channel/:message', (c) => c.redirect(`/#${c.req.path}`));
  const root = parts.pageDir;
  if (root && existsSync(`${root}/index.html`)) {
    app.use(async (c, next) => {
      await next();
      c.header('x-content-type-options', 'nosniff');
      c.header('content-security-policy', "frame-ancestors 'none'");
      // Asset names contain a hash of their content; the page itself must be revalidated each time.
      const isHashed = c.req.path.startsWith('/assets/') && c.res.ok;
      c.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    });
    app.use(serveStatic({ root }));
  } else app.get('/', (c) => c.text("The page isn't built yet: run `npm run prepare`, then reload.\n"));
  app.onError((_error, c) => c.json({ ok: false, error: 'internal_error' }, 500));
  return app;
}

function refuse(c: Context): Response {
  return c.json({ ok: false, error: 'This server accepts requests only under its own local name.' }, 403);
}

/** The name for the server's URL: if it listens on all interfaces, its loopback address. */
function reachableName(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function upgrade(
  parts: ServerParts,
  guard: Guard,
  sockets: WebSocketServer,
  { request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer },
): void {
  // An unhandled socket error would end the process, and so would parsing a path like `//`.
  socket.on('error', () => socket.destroy());
  const path = request.url ?? '/';
  const url = new URL(URL.canParse(path, 'http://localhost') ? path : '/', 'http://localhost');
  const isAllowed = guard.allowsHost(request.headers.host) && guard.allowsOrigin(request.headers.origin);
  const { socketMode, live } = parts;
  if (isAllowed && url.pathname === '/playground/live') {
    const userId = url.searchParams.get('user') ?? '';
    sockets.handleUpgrade(request, socket, head, (ws) => live.accept(ws, userId));
  } else if (
    isAllowed &&
    socketMode?.redeem(url.searchParams.get('ticket') ?? '') &&
    url.pathname === '/link/'
  ) {
    sockets.handleUpgrade(request, socket, head, (ws) => socketMode.accept(ws));
  } else {
    socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n', () => socket.destroy());
  }
}

import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { ApiError } from '../blocks/content.ts';
import type { ResponseUrls } from '../delivery/response-url.ts';
import type { Wire } from '../delivery/wire.ts';
import { isJsonObject, type JsonObject, parseJson } from '../json.ts';
import type { Fault, Faults } from './faults.ts';
import type { Installation } from './installation.ts';
import type { Method } from './method.ts';

interface WebApiOptions {
  methods: ReadonlyMap<string, Method>;
  botToken: string;
  appToken: string;
  /** From the manifest. Undefined: all scopes. */
  scopes: ReadonlySet<string> | undefined;
  installation: Installation;
  responseUrls: ResponseUrls;
  faults: Faults;
  wire: Wire;
  now: () => number;
}

export type Bindings = { Bindings: HttpBindings };

/** Slack's Web API under `/api/`, and the response URLs under `/commands/` and `/actions/`. */
export function createWebApi(options: WebApiOptions): Hono<Bindings> {
  const app = new Hono<Bindings>();
  app.on(['GET', 'POST'], '/api/:method', async (c) => {
    const name = c.req.param('method');
    const args = await readArgs(c);
    return answer(c, { ...options, label: name, args, run: () => callMethod(options, name, args, c) });
  });
  app.post('/:kind{commands|actions}/:team/:id/:secret', async (c) => {
    const { team, id, secret } = c.req.param();
    const args = await readArgs(c);
    const run = () => {
      options.responseUrls.use(`${team}/${id}/${secret}`, args);
      return undefined;
    };
    return answer(c, { ...options, label: 'response_url', args: args ?? {}, run, refusedStatus: 404 });
  });
  return app;
}

interface ApiRequest {
  label: string;
  args: JsonObject | undefined;
  run: () => JsonObject | undefined;
  /** The Web API refuses with status 200, a response URL with an error status. */
  refusedStatus?: 404;
  faults: Faults;
  wire: Wire;
  now: () => number;
}

async function answer(c: Context<Bindings>, request: ApiRequest): Promise<Response> {
  const at = new Date(request.now()).toISOString();
  const started = performance.now();
  const fault = request.faults.take(request.label);
  const result = faultResult(fault) ?? run(request);
  if (fault && 'until' in fault) await fault.until;
  request.wire.add({
    at,
    direction: 'from-app',
    label: request.label,
    tookMs: performance.now() - started,
    ok: result.ok,
    payload: { ...request.args, ...(result.ok ? {} : { error: result.body.error ?? result.status }) },
  });
  if (fault && 'cut' in fault) c.env.outgoing.destroy();
  if (result.status === 200 && request.refusedStatus) return c.text('ok');
  if (typeof result.body.error === 'string' || result.ok) {
    // Hono's type requires a literal, but its code accepts any HTTP status.
    return c.json(result.body, result.status as 200, result.headers);
  }
  return c.text('upstream unavailable', result.status as 500);
}

interface Result {
  ok: boolean;
  status: number;
  body: JsonObject;
  headers?: Record<string, string>;
}

function run(request: ApiRequest): Result {
  try {
    return { ok: true, status: 200, body: { ok: true, ...request.run() } };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return refusedResult(error, request.refusedStatus);
  }
}

function refusedResult(error: ApiError, refusedStatus = 200): Result {
  const body = { ok: false, error: error.code, ...error.detail };
  const wait = error.detail.retryAfter;
  if (typeof wait === 'number') return rateLimited(wait);
  const isUrlError = error.code.endsWith('_url');
  return { ok: false, status: refusedStatus === 404 && !isUrlError ? 400 : refusedStatus, body };
}

function rateLimited(seconds: number): Result {
  const headers = { 'retry-after': String(seconds) };
  return { ok: false, status: 429, body: { ok: false, error: 'ratelimited' }, headers };
}

function faultResult(fault: Fault | undefined): Result | undefined {
  if (!fault) return undefined;
  if ('error' in fault) return { ok: false, status: 200, body: { ok: false, error: fault.error } };
  if ('rateLimitedSeconds' in fault) return rateLimited(fault.rateLimitedSeconds);
  if ('status' in fault) return { ok: false, status: fault.status, body: {} };
  return undefined;
}

/** Checks in Slack's order: the method, the token, its type, its scopes. */
function callMethod(
  options: WebApiOptions,
  name: string,
  args: JsonObject | undefined,
  c: Context<Bindings>,
): JsonObject | undefined {
  const method = options.methods.get(name);
  if (!method) throw new ApiError('unknown_method', { req_method: name });
  if (!args) throw new ApiError('invalid_json');
  if (method.token !== 'none') {
    const token = bearer(c) ?? (typeof args.token === 'string' ? args.token : undefined);
    if (!token) throw new ApiError('not_authed');
    if (token !== options.botToken && token !== options.appToken) throw new ApiError('invalid_auth');
    const refusal = options.installation.refusal();
    if (refusal && token === options.botToken) throw new ApiError(refusal);
    if ((token === options.appToken) !== (method.token === 'app')) {
      throw new ApiError('not_allowed_token_type');
    }
    if (options.scopes && token === options.botToken)
      c.header('x-oauth-scopes', [...options.scopes].join(','));
  }
  if (method.scopes && options.scopes && !method.scopes.some((scope) => options.scopes?.has(scope))) {
    const provided = [...options.scopes].join(',');
    throw new ApiError('missing_scope', { needed: method.scopes.join(','), provided });
  }
  return method.run(args);
}

function bearer(c: Context): string | undefined {
  return /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
}

/** Arguments from JSON, a form or the query. Undefined if the body claims to be JSON but isn't. */
async function readArgs(c: Context): Promise<JsonObject | undefined> {
  if (c.req.method === 'GET') return c.req.query();
  const type = c.req.header('content-type') ?? '';
  if (type.includes('multipart/form-data')) return c.req.parseBody();
  const text = await c.req.text();
  if (!type.includes('json')) return Object.fromEntries(new URLSearchParams(text));
  if (text.trim() === '') return {};
  const body = parseJson(text);
  return isJsonObject(body) ? body : undefined;
}

import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { ApiError } from '../blocks/content.ts';
import type { Images } from '../blocks/images.ts';
import type { Wire } from '../delivery/wire.ts';
import { isJsonObject, type JsonObject, nonEmptyString, parseJson } from '../json.ts';
import type { Fault, Faults } from './faults.ts';
import type { FindGrant, Grant } from './grant.ts';
import type { Caller, Method } from './method.ts';
import { type ApiWorkspace, workspaceOf } from './route-call.ts';

interface WebApiOptions {
  /** The first one also answers what concerns none, such as `api.test`. */
  workspaces: readonly ApiWorkspace[];
  /** Methods that concern the app as a whole, such as `oauth.v2.access`. */
  appMethods: ReadonlyMap<string, Method>;
  findGrant: FindGrant;
  faults: Faults;
  images: Images;
  wire: Wire;
  /** True if the inspector names the workspace of each call. */
  namesWorkspace: boolean;
  now: () => number;
}

export type Bindings = { Bindings: HttpBindings };

/** Slack's Web API under `/api/`, and the response URLs under `/commands/` and `/actions/`. */
export function createWebApi(options: WebApiOptions): Hono<Bindings> {
  const app = new Hono<Bindings>();
  app.on(['GET', 'POST'], '/api/:method', async (c) => {
    const label = c.req.param('method');
    const args = withClient(await readArgs(c), c);
    return answer(c, { ...options, label, args, call: prepare(options, label, args, c) });
  });
  app.post('/:kind{commands|actions}/:team/:id/:secret', async (c) => {
    const { team, id, secret } = c.req.param();
    const args = await readArgs(c);
    const workspace = options.workspaces.find(({ context }) => context.store.world.team.id === team);
    const run = async () => {
      if (!workspace) throw new ApiError('invalid_url');
      await options.images.download(args ?? {});
      workspace.responseUrls.use(`${team}/${id}/${secret}`, args);
      return undefined;
    };
    const call = { run, teamName: workspace?.context.store.world.team.name };
    return answer(c, { ...options, label: 'response_url', args: args ?? {}, call, refusedStatus: 404 });
  });
  return app;
}

/** A call whose checks have been made. */
interface Call {
  /** Returns the fields of the answer. Throws ApiError. */
  run: () => Promise<JsonObject | undefined>;
  /** The workspace in which it acts, once that is known. */
  teamName: string | undefined;
}

interface ApiRequest {
  label: string;
  args: JsonObject | undefined;
  call: Call;
  namesWorkspace: boolean;
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
  const result = faultResult(fault) ?? (await run(request));
  const { teamName } = request.call;
  if (fault && 'until' in fault) await fault.until;
  const isCut = fault !== undefined && 'cut' in fault;
  request.wire.add({
    at,
    direction: 'from-app',
    label: request.label,
    tookMs: performance.now() - started,
    ok: result.ok && !isCut,
    ...(isCut ? { error: 'cut off' } : { status: result.status, ...errorOf(result), response: result.body }),
    request: request.args ?? {},
    ...(request.namesWorkspace && teamName ? { teamName } : {}),
  });
  if (isCut) c.env.outgoing.destroy();
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

async function run(request: ApiRequest): Promise<Result> {
  try {
    return { ok: true, status: 200, body: { ok: true, ...(await request.call.run()) } };
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

const errorOf = ({ body }: Result) => (typeof body.error === 'string' ? { error: body.error } : {});

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

/** Checks in Slack's order: the method, the token, its type, its scopes. A failed check is thrown by `run`. */
function prepare(
  options: WebApiOptions,
  name: string,
  args: JsonObject | undefined,
  c: Context<Bindings>,
): Call {
  try {
    const { method, workspace, caller } = checkCall(options, name, args, c);
    const run = async () => {
      await options.images.download(args ?? {});
      return method.run(args ?? {}, caller);
    };
    return { run, teamName: workspace?.context.store.world.team.name };
  } catch (error) {
    return { run: () => Promise.reject(error), teamName: undefined };
  }
}

const NOBODY: Grant = { kind: 'app', scopes: undefined, teamIds: [] };

function checkCall(
  { workspaces, appMethods, findGrant }: WebApiOptions,
  name: string,
  args: JsonObject | undefined,
  c: Context<Bindings>,
): { method: Method; workspace: ApiWorkspace | undefined; caller: Caller } {
  const known = appMethods.get(name) ?? workspaces[0]?.methods.get(name);
  if (!known) throw new ApiError('unknown_method', { req_method: name });
  if (!args) throw new ApiError('invalid_json');
  if (known.token === 'none') return { method: known, workspace: undefined, caller: callerOf(NOBODY) };
  const token = bearer(c) ?? nonEmptyString(args.token);
  if (!token) throw new ApiError('not_authed');
  const grant = findGrant(token);
  if (grant.kind !== known.token) throw new ApiError('not_allowed_token_type');
  const workspace = grant.kind === 'bot' ? workspaceOf(workspaces, { grant, name, args }) : undefined;
  if (grant.kind === 'bot' && grant.scopes) {
    c.header('x-oauth-scopes', [...grant.scopes].join(','));
    if (known.scopes) c.header('x-accepted-oauth-scopes', known.scopes.join(','));
  }
  if (known.scopes && grant.scopes && !known.scopes.some((scope) => grant.scopes?.has(scope))) {
    throw missingScope(known.scopes.join(','), grant.scopes);
  }
  return { method: workspace?.methods.get(name) ?? known, workspace, caller: callerOf(grant) };
}

const callerOf = (grant: Grant): Caller => ({
  grant,
  requireScope(scope) {
    if (grant.scopes && !grant.scopes.has(scope)) throw missingScope(scope, grant.scopes);
  },
});

const missingScope = (needed: string, provided: ReadonlySet<string>): ApiError =>
  new ApiError('missing_scope', { needed, provided: [...provided].join(',') });

function bearer(c: Context): string | undefined {
  return /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
}

/** Adds the client's id and secret from HTTP Basic authentication. */
function withClient(args: JsonObject | undefined, c: Context): JsonObject | undefined {
  const [, basic] = /^Basic (.+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
  if (!args || !basic) return args;
  const [id = '', ...secret] = Buffer.from(basic, 'base64').toString().split(':');
  return { ...args, client_id: id, client_secret: secret.join(':') };
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

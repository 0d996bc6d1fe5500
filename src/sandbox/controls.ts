import type { HttpBindings } from '@hono/node-server';
import { Hono, type HonoRequest } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import type { Faults } from './faults.ts';
import type { RequestCounts } from './request-counts.ts';
import type { SandboxClock } from './sandbox-clock.ts';

const target = {
  endpoint: z.string().min(1).max(300).optional(),
  times: z.int().min(1).optional(),
};

/** The body of POST /_sandbox/faults: a `Fault` and its target, as for `sandbox.faults.add`. */
const faultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('latency'), ms: z.number().min(0).max(600_000), ...target }),
  z.object({ kind: z.literal('hold'), ...target }),
  z.object({
    kind: z.literal('status'),
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.unknown().optional(),
    ...target,
  }),
  z.object({ kind: z.literal('malformed'), body: z.enum(['html', 'truncated', 'stalled']), ...target }),
  z.object({ kind: z.literal('token-revoked'), ...target }),
  z.object({ kind: z.literal('cut'), when: z.enum(['before', 'in-body']), ...target }),
]);

const clockSchema = z.object({
  /** Moves the domain clock by this many milliseconds. */
  advanceMs: z.number().min(-4e12).max(4e12).optional(),
  speed: z.number().min(0).max(1_000_000).optional(),
});

/** `/_sandbox/`: the state, faults and clock of a running sandbox, as JSON. Only for pages on loopback. */
export function createControls(options: {
  clock: SandboxClock;
  faults: Faults;
  requests: RequestCounts;
  host: string;
}): Hono<{ Bindings: HttpBindings }> {
  const { clock, faults, requests, host } = options;
  const app = new Hono<{ Bindings: HttpBindings }>();
  const state = () => ({
    clock: { now: clock.now().toISOString(), speed: clock.speed() },
    faults: faults
      .list()
      .map(({ id, fault, endpoint, remaining, hits }) => ({ id, fault, endpoint, remaining, hits })),
    requests: { total: requests.total, errors: requests.errors, byEndpoint: requests.byEndpoint },
  });

  app.use(async (context, next) => {
    const { method } = context.req;
    if (!isOwnPage({ host, hostHeader: context.req.header('host'), origin: context.req.header('origin') }))
      throw new HTTPException(403, { message: 'Only pages of this server may use the controls.' });
    if (method === 'POST' && !/^application\/json\b/i.test(context.req.header('content-type') ?? ''))
      throw new HTTPException(415, { message: 'Send the request as application/json.' });
    await next();
  });
  app.get('/state', (context) => context.json(state()));
  app.post('/faults', async (context) => {
    const { endpoint, times, ...fault } = await read(faultSchema, context.req);
    faults.add(fault, {
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(times === undefined ? {} : { times }),
    });
    return context.json(state());
  });
  app.post('/revoke-tokens', (context) => {
    faults.revokeTokens();
    return context.json(state());
  });
  app.delete('/faults', (context) => {
    faults.clear();
    return context.json(state());
  });
  app.delete('/faults/:id', (context) => {
    faults.remove(Number(context.req.param('id')));
    return context.json(state());
  });
  app.post('/clock', async (context) => {
    const { advanceMs, speed } = await read(clockSchema, context.req);
    if (advanceMs !== undefined) clock.advance(advanceMs);
    if (speed !== undefined) clock.setSpeed(speed);
    return context.json(state());
  });
  return app;
}

async function read<Schema extends z.ZodType>(
  schema: Schema,
  request: HonoRequest,
): Promise<z.output<Schema>> {
  const result = schema.safeParse(await request.json().catch(() => undefined));
  if (result.success) return result.data;
  throw new HTTPException(400, { message: z.prettifyError(result.error) });
}

/** Against DNS rebinding and foreign pages: Host must name this server, and Origin no other page. */
function isOwnPage(request: {
  host: string;
  hostHeader: string | undefined;
  origin: string | undefined;
}): boolean {
  const { host, hostHeader = '', origin } = request;
  const name = hostHeader.replace(/:\d+$/, '').toLowerCase();
  if (!['127.0.0.1', 'localhost', '[::1]', host.toLowerCase()].includes(name)) return false;
  return origin === undefined || origin.toLowerCase() === `http://${hostHeader.toLowerCase()}`;
}

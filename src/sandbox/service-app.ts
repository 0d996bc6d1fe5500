import { setTimeout as wait } from 'node:timers/promises';
import { OpenAPIHono } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import { endpointOf } from './endpoints.ts';
import { respondWithFault } from './fault-response.ts';
import { addHandlers } from './handlers.ts';
import { ServiceError } from './service-error.ts';
import type { ServiceEnv, ServiceOptions } from './service-options.ts';

const description =
  'An embedded stand-in for the Vessel Schedule Analytics Service. **All its data is invented**: vessels, ' +
  'predictions, statistics and usage come from a seeded generator, even for real vessels.';

/** Serves an invented world over HTTP, as the contract says. */
export function createServiceApp(options: ServiceOptions): OpenAPIHono<ServiceEnv> {
  const app = new OpenAPIHono<ServiceEnv>({
    defaultHook: (result) => {
      if (!result.success) throw new ServiceError(400, 'invalid_request', describe(result.error));
    },
  });
  app.onError((error, context) => {
    if (error instanceof ServiceError) {
      const { status, code, message } = error;
      return context.json({ status, code, message }, status);
    }
    if (error instanceof HTTPException)
      return context.json(
        { status: error.status, code: 'invalid_request', message: error.message },
        error.status,
      );
    return context.json({ status: 500, code: 'internal', message: 'The sandbox failed.' }, 500);
  });
  app.notFound((context) =>
    context.json({ status: 404, code: 'no_such_path', message: 'No such path.' }, 404),
  );
  if (options.record) app.use(options.record);
  app.use(async (context, next) => {
    await next();
    context.header('x-landfall-sandbox', 'invented data');
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'apiKey', {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'session', { type: 'http', scheme: 'bearer' });
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    security: [{ apiKey: [], session: [] }],
    info: { title: 'Vessel Schedule Analytics Service (sandbox)', version: '1', description },
  });
  guard(app, options);
  addHandlers(app, options);
  return app;
}

/** For each request to the contract's endpoints: counts it, injects its faults, and checks headers and token. */
function guard(app: OpenAPIHono<ServiceEnv>, options: ServiceOptions) {
  const { counter, takeFaults, latencyMs, sessions, usage, now } = options;
  app.use(async (context, next) => {
    const endpoint = endpointOf(context.req.path);
    if (!endpoint) return next();
    counter.countRequest(endpoint);
    const faults = takeFaults(context.req.path);
    if (latencyMs > 0) await wait(latencyMs, undefined, { ref: false });
    for (const delay of faults.delays) await delay();
    if (faults.replacement) {
      const answer = await respondWithFault(faults.replacement, { context, next, sessions });
      if (answer) context.res = answer;
    } else await next();
    counter.countAnswer(context.res.status);
    const userId = context.get('account')?.userId;
    if (userId) usage.record({ userId, endpoint, failed: context.res.status >= 400, at: now() });
  });
  app.use(async (context, next) => {
    const endpoint = endpointOf(context.req.path);
    if (!endpoint) return next();
    if (!/^application\/json\b/i.test(context.req.header('content-type') ?? ''))
      throw new ServiceError(415, 'content_type', 'The header content-type: application/json is missing.');
    if (endpoint !== 'login') {
      const { 'x-api-key': apiKey, authorization } = context.req.header();
      context.set('account', await sessions.authenticate(apiKey, authorization));
    }
    return next();
  });
}

const describe = (error: { issues: readonly { path: PropertyKey[]; message: string }[] }) =>
  error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');

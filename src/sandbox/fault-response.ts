import { setImmediate } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, Next } from 'hono';
import type { RequestFaults } from './faults.ts';
import type { ServiceEnv } from './service-options.ts';
import type { Sessions } from './sessions.ts';

interface FaultyRequest {
  context: Context<ServiceEnv>;
  next: Next;
  sessions: Sessions;
}

/** Returns the response that replaces the real one, or undefined if the real one is sent after all. */
export async function respondWithFault(
  fault: NonNullable<RequestFaults['replacement']>,
  { context, next, sessions }: FaultyRequest,
): Promise<Response | undefined> {
  switch (fault.kind) {
    case 'status': {
      const body = fault.body ?? { status: fault.status, code: 'injected', message: 'An injected fault.' };
      const headers = { 'content-type': 'application/json', ...fault.headers };
      return new Response(JSON.stringify(body), { status: fault.status, headers });
    }
    case 'token-revoked': {
      const token = /^Bearer (\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
      if (token) sessions.revoke(token);
      await next();
      return undefined;
    }
    case 'cut':
      if (fault.when === 'before') {
        context.env.outgoing.destroy();
        return RESPONSE_ALREADY_SENT;
      }
      await next();
      return sendHalf(context, () => context.env.outgoing.destroy());
    case 'malformed':
      if (fault.body === 'html')
        return new Response('<!doctype html><title>Gateway</title><p>Please wait.', {
          headers: { 'content-type': 'text/html' },
        });
      await next();
      if (fault.body === 'stalled') return sendHalf(context, () => {});
      return new Response(half(await context.res.text()), {
        headers: { 'content-type': 'application/json' },
      });
  }
}

/** Announces the length of the whole body, writes half of it, and calls `then`. */
async function sendHalf(context: Context<ServiceEnv>, then: () => void): Promise<Response> {
  const text = await context.res.text();
  const { outgoing } = context.env;
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  await new Promise((resolve) => outgoing.write(half(text), resolve));
  await setImmediate();
  then();
  return RESPONSE_ALREADY_SENT;
}

const half = (text: string) => text.slice(0, Math.ceil(text.length / 2));

import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';

/** A request to the service and its answer, for an inspector. It holds secrets: keys, passwords and tokens. */
export interface ServiceCall {
  method: string;
  /** With the query. */
  path: string;
  requestHeaders: Readonly<Record<string, string>>;
  requestBody: string;
  /** Undefined: the connection ended before the answer. */
  status: number | undefined;
  responseHeaders: Readonly<Record<string, string>>;
  responseBody: string;
  /** False if the connection ended in the middle of the answer. */
  isComplete: boolean;
  /** Milliseconds. */
  tookMs: number;
}

export interface Calls {
  /** Calls the listener at the end of each call, from now on; returns a function that ends this. */
  observe(listener: (call: ServiceCall) => void): () => void;
  /** Costs nothing unless somebody observes. */
  record: MiddlewareHandler<{ Bindings: HttpBindings }>;
}

/** Of each body, an inspector gets this many characters. */
const MAX_BODY = 100_000;

export function createCalls(): Calls {
  const listeners = new Set<(call: ServiceCall) => void>();
  return {
    observe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async record(context, next) {
      const { method, path } = context.req;
      if (listeners.size === 0 || path.startsWith('/_sandbox')) return next();
      const startedAt = performance.now();
      const { search } = new URL(context.req.url);
      const requestHeaders = context.req.header();
      // Hono keeps the text for the handler.
      const requestBody = shortened(method === 'GET' ? '' : await context.req.text());
      let responseHeaders = {};
      let responseBody = '';
      const { outgoing } = context.env;
      // Also emitted when the client leaves before an answer, for which a fault may wait forever.
      outgoing.once('close', () => {
        const call: ServiceCall = {
          method,
          path: path + search,
          requestHeaders,
          requestBody,
          status: outgoing.headersSent ? outgoing.statusCode : undefined,
          responseHeaders,
          responseBody,
          isComplete: outgoing.writableFinished,
          tookMs: performance.now() - startedAt,
        };
        for (const listener of listeners) listener(call);
      });
      await next();
      responseHeaders = Object.fromEntries(context.res.headers);
      responseBody = shortened(await context.res.clone().text());
    },
  };
}

const shortened = (text: string) =>
  text.length > MAX_BODY ? `${text.slice(0, MAX_BODY)} … (${text.length} characters)` : text;

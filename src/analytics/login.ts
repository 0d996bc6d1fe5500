import { z } from 'zod';
import { ServiceTrouble } from '../errors.ts';
import { UnauthorizedError, UnreadableResponseError } from './errors.ts';
import type { HttpTransport } from './http-transport.ts';

export interface Credentials {
  userId: string;
  password: string;
}

interface LoginOptions {
  transport: HttpTransport;
  credentials: Credentials;
  withinMs: number;
}

// A token that no header can carry would appear in fetch's own error message.
const answer = z.object({ token: z.string().regex(/^[\x21-\x7e]+$/) });

/**
 * POST authentication/login: returns the token; never retried. Throws UnauthorizedError if the service
 * refuses the account (400, 401, 403, 422).
 */
export function createLogin({ transport, credentials, withinMs }: LoginOptions): () => Promise<string> {
  return async () => {
    const { json, unreadable } = await transport({
      resource: 'login',
      path: 'authentication/login',
      json: { user_id: credentials.userId, password: credentials.password },
      withinMs,
    }).catch((error: unknown) => {
      throw asLoginError(error);
    });
    const { data } = answer.safeParse(json);
    if (!data) throw unreadable('no token in the answer to the login');
    return data.token;
  };
}

function asLoginError(error: unknown): unknown {
  const status = error instanceof ServiceTrouble ? error.status : undefined;
  if (status === 400 || status === 403 || status === 422) return new UnauthorizedError({ refused: 'login' });
  if (status !== 404) return error;
  // With a NotFoundError, a wrong base address would look like «no prediction» for every vessel.
  const reason = 'there is no login at this address';
  return new UnreadableResponseError({ status, contentType: '', excerpt: '', reason });
}

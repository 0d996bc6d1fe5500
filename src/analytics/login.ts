import { z } from 'zod';
import { ForbiddenError, NotFoundError, UnauthorizedError, UnreadableResponseError } from './errors.ts';
import type { HttpTransport, ServiceReply } from './http-transport.ts';

export interface Credentials {
  userId: string;
  password: string;
}

export interface LoginOptions {
  transport: HttpTransport;
  apiKey: string;
  credentials: Credentials;
  withinMs: number;
}

// A token that a header can't carry would come out in fetch's own error message.
const answer = z.object({ token: z.string().regex(/^[\x21-\x7e]+$/) });

/**
 * POST authentication/login: gives the token, and is never repeated by itself. Throws UnauthorizedError when
 * the account is refused (400, 401, 403, 422). Nothing of the answer is kept in an error: it may be a token.
 */
export function createLogin({
  transport,
  apiKey,
  credentials,
  withinMs,
}: LoginOptions): () => Promise<string> {
  return async () => {
    const reply = await transport({
      resource: 'login',
      path: 'authentication/login',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      json: { user_id: credentials.userId, password: credentials.password },
      withinMs,
    }).catch((error: unknown) => {
      throw asLoginError(error);
    });
    const read = answer.safeParse(parseJson(reply.text));
    if (read.success) return read.data.token;
    throw unreadable(reply, 'no token in the answer to the login');
  };
}

function asLoginError(error: unknown): unknown {
  if (error instanceof ForbiddenError) return new UnauthorizedError({ refused: 'login' });
  if (error instanceof UnreadableResponseError && error.status === 400)
    return new UnauthorizedError({ refused: 'login' });
  if (!(error instanceof NotFoundError)) return error;
  if (error.status === 422) return new UnauthorizedError({ refused: 'login' });
  // Else a wrong base address would read as «no prediction» for every vessel.
  return unreadable({ status: 404, contentType: '', text: '' }, 'there is no login at this address');
}

function unreadable({ status, contentType }: ServiceReply, reason: string): UnreadableResponseError {
  return new UnreadableResponseError({ status, contentType, excerpt: '', reason });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

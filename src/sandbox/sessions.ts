import { randomBytes, randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { ServiceError } from './service-error.ts';

export interface SandboxAccount {
  apiKey: string;
  userId: string;
  password: string;
  /** Access to trade lane statistics. */
  beta: boolean;
}

/** Logins and their tokens: JWTs that expire on the real clock, signed with a secret of this process. */
export interface Sessions {
  /** Throws ServiceError 401. */
  login(
    apiKey: string | undefined,
    body: { user_id: string; password: string },
  ): Promise<{ token: string; account: SandboxAccount }>;
  /** Returns the account of the key and token. Throws ServiceError 401. */
  authenticate(apiKey: string | undefined, authorization: string | undefined): Promise<SandboxAccount>;
  /** Revokes this token or, without an argument, all tokens issued so far: they get 401 from now on. */
  revoke(token?: string): void;
}

export function createSessions(options: {
  accounts: readonly SandboxAccount[];
  tokenMinutes: number;
  realNow: () => number;
}): Sessions {
  const { accounts, tokenMinutes, realNow } = options;
  const secret = randomBytes(32);
  const revoked = new LRUCache<string, true>({ max: 10_000 });
  let generation = 0;

  const checkKey = (apiKey: string | undefined) => {
    if (!accounts.some((account) => account.apiKey === apiKey))
      throw new ServiceError(401, 'invalid_api_key', 'X-Api-Key is missing or unknown.');
  };

  return {
    async login(apiKey, { user_id, password }) {
      checkKey(apiKey);
      const account = accounts.find(
        (known) => known.apiKey === apiKey && known.userId === user_id && known.password === password,
      );
      if (!account) throw new ServiceError(401, 'invalid_credentials', 'user_id or password is wrong.');
      const issuedAt = Math.floor(realNow() / 1000);
      const token = await new SignJWT({ generation })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(account.userId)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + Math.round(tokenMinutes * 60))
        .sign(secret);
      return { token, account };
    },

    async authenticate(apiKey, authorization) {
      checkKey(apiKey);
      const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
      if (!token) throw new ServiceError(401, 'missing_token', 'Authorization: Bearer <token> is missing.');
      const claims = await verify(token, secret, realNow);
      const account = accounts.find((known) => known.apiKey === apiKey && known.userId === claims.sub);
      if (!account) throw new ServiceError(401, 'invalid_token', 'The token is for another account.');
      if (claims.generation !== generation || revoked.has(token))
        throw new ServiceError(401, 'token_revoked', 'The token was revoked; log in again.');
      return account;
    },

    revoke(token) {
      if (token === undefined) generation += 1;
      else revoked.set(token, true);
    },
  };
}

async function verify(token: string, secret: Uint8Array, realNow: () => number) {
  try {
    const options = { algorithms: ['HS256'], currentDate: new Date(realNow()) };
    return (await jwtVerify<{ generation: number }>(token, secret, options)).payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired)
      throw new ServiceError(401, 'token_expired', 'The token has expired; log in again.');
    throw new ServiceError(401, 'invalid_token', 'The token is not valid.');
  }
}

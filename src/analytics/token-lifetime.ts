import { decodeJwt } from 'jose/jwt/decode';
import type { StoredToken } from './token-store.ts';

const marginShare = 0.1;
const maxMarginMs = 60_000;

/**
 * When a new token expires, on our clock. The `exp` of a JWT is counted from its `iat` if it has one, since clocks may
 * differ. Undefined if the token does not say, or has expired already.
 */
export function expiryOf(token: string, obtainedAt: number): number | undefined {
  const { exp, iat } = claims(token);
  if (exp === undefined) return undefined;
  const expiresAt = iat === undefined ? exp * 1000 : obtainedAt + (exp - iat) * 1000;
  return expiresAt > obtainedAt ? expiresAt : undefined;
}

export function isExpired({ expiresAt }: StoredToken, nowMs: number): boolean {
  return expiresAt !== undefined && nowMs >= expiresAt;
}

/** True in the last tenth of its life, at most a minute: time to log in again. */
export function isDue({ obtainedAt, expiresAt }: StoredToken, nowMs: number): boolean {
  if (expiresAt === undefined) return false;
  return nowMs >= expiresAt - Math.min(maxMarginMs, (expiresAt - obtainedAt) * marginShare);
}

/** The signature is not verified: only the service can do that. */
function claims(token: string): { exp?: number; iat?: number } {
  try {
    const { exp, iat } = decodeJwt(token);
    return { ...(Number.isFinite(exp) && { exp }), ...(Number.isFinite(iat) && { iat }) };
  } catch {
    return {};
  }
}

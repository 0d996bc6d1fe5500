import { decodeJwt } from 'jose/jwt/decode';
import type { StoredToken } from './token-store.ts';

const marginShare = 0.1;
const maxMarginMs = 60_000;

/**
 * When a token just obtained ends, on our clock: `exp` of a JWT, counted from `iat` where it has one, so that
 * clocks may differ. Undefined where it does not say, or says that it ended before it began.
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

/** Within the last tenth of its life, at most a minute: time to get the next one. */
export function isDue({ obtainedAt, expiresAt }: StoredToken, nowMs: number): boolean {
  if (expiresAt === undefined) return false;
  return nowMs >= expiresAt - Math.min(maxMarginMs, (expiresAt - obtainedAt) * marginShare);
}

/** Not verified: the token is the service's own matter, only its end is read. */
function claims(token: string): { exp?: number; iat?: number } {
  try {
    const { exp, iat } = decodeJwt(token);
    return { ...(Number.isFinite(exp) && { exp }), ...(Number.isFinite(iat) && { iat }) };
  } catch {
    return {};
  }
}

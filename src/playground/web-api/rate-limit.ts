export interface RateLimit {
  perSecond: number;
  /** So many at once are let through before the rate holds. */
  burst: number;
}

/** Token buckets by key. Gives the seconds to wait (for `Retry-After`), or 0 where the call may go on. */
export function createRateLimiter(now: () => number): (key: string, limit: RateLimit) => number {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return (key, limit) => {
    const at = now();
    const bucket = buckets.get(key) ?? { tokens: limit.burst, at };
    const refilled = bucket.tokens + (Math.max(0, at - bucket.at) / 1000) * limit.perSecond;
    const tokens = Math.min(limit.burst, refilled);
    const allowed = tokens >= 1;
    buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, at });
    return allowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / limit.perSecond));
  };
}

export interface RateLimit {
  perSecond: number;
  /** Calls allowed at once before the rate applies. */
  burst: number;
}

/** Token buckets by key. Returns the seconds to wait (for `Retry-After`), or 0 if the call is allowed. */
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

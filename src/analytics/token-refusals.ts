import { ForbiddenError, UnauthorizedError } from './errors.ts';
import type { Resource } from './service-calls.ts';

/** Remembers which resources refuse (401) even a token just issued, so that asking them burns no logins. */
export interface TokenRefusals {
  throwIfRefused(resource: Resource): void;
  accepted(resource: Resource): void;
  /** Notes a 401 on a new token; gives the error that says what it means. */
  refused(resource: Resource): Error;
}

interface Refusal {
  until: number;
  times: number;
}

const firstBackOffMs = 60_000;
const maxBackOffMs = 15 * 60_000;
const beta: Resource = 'trade lane statistics';

export function createTokenRefusals({ realNow }: { realNow: () => number }): TokenRefusals {
  const refusals = new Map<Resource, Refusal>();

  /** On trade lanes alone it means «no access to the beta»; when others refuse too, the account is out. */
  function meaning(resource: Resource, retryAfterMs: number): Error {
    const alone = [...refusals.keys()].every((refused) => refused === beta);
    return resource === beta && alone
      ? new ForbiddenError({ resource })
      : new UnauthorizedError({ refused: 'token', retryAfterMs });
  }

  return {
    throwIfRefused(resource) {
      const retryAfterMs = (refusals.get(resource)?.until ?? 0) - realNow();
      if (retryAfterMs > 0) throw meaning(resource, retryAfterMs);
    },
    accepted(resource) {
      refusals.delete(resource);
    },
    refused(resource) {
      const times = (refusals.get(resource)?.times ?? 0) + 1;
      const backOffMs = Math.min(maxBackOffMs, firstBackOffMs * 2 ** (times - 1));
      refusals.set(resource, { until: realNow() + backOffMs, times });
      return meaning(resource, backOffMs);
    },
  };
}

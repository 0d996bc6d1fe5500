import { ForbiddenError, UnauthorizedError } from './errors.ts';
import type { Resource } from './http-transport.ts';
import { nextRefusal, type Refusal } from './refusal.ts';

const betaResource: Resource = 'trade lane statistics';

/** Remembers which resources answer 401 even to a new token, so asking for them costs no more logins. */
export function createDeniedResources({ realNow }: { realNow: () => number }) {
  const denials = new Map<Resource, Refusal>();

  /** If only trade lanes answer 401, the account has no access to the beta; otherwise it is locked out. */
  function errorFor(resource: Resource, retryAfterMs: number): Error {
    const onlyBeta = [...denials.keys()].every((denied) => denied === betaResource);
    return resource === betaResource && onlyBeta
      ? new ForbiddenError({ resource })
      : new UnauthorizedError({ refused: 'token', retryAfterMs });
  }

  return {
    checkAllowed(resource: Resource): void {
      const retryAfterMs = (denials.get(resource)?.until ?? 0) - realNow();
      if (retryAfterMs > 0) throw errorFor(resource, retryAfterMs);
    },
    /** Records a 401 on a new token and returns the error that says what it means. */
    deny(resource: Resource): Error {
      const denial = nextRefusal(denials.get(resource), realNow());
      denials.set(resource, denial);
      return errorFor(resource, denial.until - realNow());
    },
    allow: (resource: Resource) => void denials.delete(resource),
  };
}

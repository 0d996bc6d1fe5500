import { ForbiddenError, UnauthorizedError } from './errors.ts';
import { refusalBackOffMs } from './refusal-back-off.ts';
import type { Resource } from './service-call.ts';

/** Remembers which resources answer 401 even to a new token, so that asking for them costs no more logins. */
interface DeniedResources {
  throwIfDenied(resource: Resource): void;
  /** Records a 401 on a new token and returns the error that says what it means. */
  deny(resource: Resource): Error;
  allow(resource: Resource): void;
}

const beta: Resource = 'trade lane statistics';

export function createDeniedResources({ realNow }: { realNow: () => number }): DeniedResources {
  const denials = new Map<Resource, { until: number; times: number }>();

  /** On trade lanes alone, 401 means no access to the beta; if others answer it too, the account is locked out. */
  function errorFor(resource: Resource, retryAfterMs: number): Error {
    const onlyBeta = [...denials.keys()].every((denied) => denied === beta);
    return resource === beta && onlyBeta
      ? new ForbiddenError({ resource })
      : new UnauthorizedError({ refused: 'token', retryAfterMs });
  }

  return {
    throwIfDenied(resource) {
      const retryAfterMs = (denials.get(resource)?.until ?? 0) - realNow();
      if (retryAfterMs > 0) throw errorFor(resource, retryAfterMs);
    },
    deny(resource) {
      const times = (denials.get(resource)?.times ?? 0) + 1;
      const backOffMs = refusalBackOffMs(times);
      denials.set(resource, { until: realNow() + backOffMs, times });
      return errorFor(resource, backOffMs);
    },
    allow: (resource) => void denials.delete(resource),
  };
}

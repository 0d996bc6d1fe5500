import type { ServiceStatus } from './answers.ts';

export type ServiceHealth = ReturnType<typeof createServiceHealth>;

/** When the service last answered, and since when it has been failing, on the domain clock. */
export function createServiceHealth({ now }: { now: () => Date }) {
  let status: Pick<ServiceStatus, 'lastSuccessAt' | 'failingSince' | 'latencyMs'> = {};
  return {
    succeeded(latencyMs: number) {
      status = { lastSuccessAt: now(), latencyMs };
    },
    /** The service refused the request or asked us to wait: not a success, but the service is up. */
    answered() {
      delete status.failingSince;
    },
    /** Records a failure; returns since when the service has been failing. */
    failed(): Date {
      status.failingSince ??= now();
      return status.failingSince;
    },
    status: () => ({ ...status }),
  };
}

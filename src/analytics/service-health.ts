import type { ServiceStatus } from './answers.ts';

type HealthStatus = Pick<ServiceStatus, 'lastSuccessAt' | 'failingSince' | 'latencyMs'>;

/** When the service last answered, and since when it has been failing, on the domain clock. */
export interface ServiceHealth {
  succeeded(latencyMs: number): void;
  /** It refused the call or asked to wait: neither a success nor an outage. */
  answered(): void;
  /** Records a failure; returns since when the service has been failing. */
  failed(): Date;
  status(): HealthStatus;
}

export function createServiceHealth({ now }: { now: () => Date }): ServiceHealth {
  let status: HealthStatus = {};
  return {
    succeeded(latencyMs) {
      status = { lastSuccessAt: now(), latencyMs };
    },
    answered() {
      delete status.failingSince;
    },
    failed() {
      status.failingSince ??= now();
      return status.failingSince;
    },
    status: () => ({ ...status }),
  };
}

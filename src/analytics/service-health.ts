export interface ServiceHealth {
  succeeded(latencyMs: number): void;
  /** It said no, or not now: no success, and no silence. */
  answered(): void;
  /** Notes a failure; gives back since when the service fails (domain clock). */
  failed(): Date;
  failingSince(): Date | undefined;
  lastSuccessAt(): Date | undefined;
  latencyMs(): number | undefined;
}

/** Remembers when the service answered last, on the domain clock. */
export function createServiceHealth({ now }: { now: () => Date }): ServiceHealth {
  let failingSince: Date | undefined;
  let lastSuccessAt: Date | undefined;
  let latency: number | undefined;
  return {
    succeeded(latencyMs) {
      failingSince = undefined;
      lastSuccessAt = now();
      latency = latencyMs;
    },
    answered() {
      failingSince = undefined;
    },
    failed() {
      failingSince ??= now();
      return failingSince;
    },
    failingSince: () => failingSince,
    lastSuccessAt: () => lastSuccessAt,
    latencyMs: () => latency,
  };
}

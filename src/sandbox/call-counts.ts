import { type Endpoint, endpoints } from './endpoints.ts';

/** Calls that reached the sandbox since its start or the last reset, whatever the answer. */
export interface CallCounts {
  readonly total: number;
  /** Login calls, refused ones included. */
  readonly logins: number;
  readonly byEndpoint: Readonly<Record<Endpoint, number>>;
  /** Answered with a status of 400 or above. */
  readonly errors: number;
  reset(): void;
}

export interface CallCounter {
  counts: CallCounts;
  arrived(endpoint: Endpoint): void;
  answered(status: number): void;
}

export function createCallCounter(): CallCounter {
  let byEndpoint = zeroes();
  let errors = 0;
  return {
    counts: {
      get total() {
        return endpoints.reduce((sum, endpoint) => sum + byEndpoint[endpoint], 0);
      },
      get logins() {
        return byEndpoint.login;
      },
      get byEndpoint() {
        return { ...byEndpoint };
      },
      get errors() {
        return errors;
      },
      reset() {
        byEndpoint = zeroes();
        errors = 0;
      },
    },
    arrived(endpoint) {
      byEndpoint[endpoint] += 1;
    },
    answered(status) {
      if (status >= 400) errors += 1;
    },
  };
}

const zeroes = (): Record<Endpoint, number> => ({
  login: 0,
  vessel: 0,
  port: 0,
  ship: 0,
  shiplist: 0,
  usage: 0,
  statistics: 0,
});

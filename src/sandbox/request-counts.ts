import { type Endpoint, endpoints } from './endpoints.ts';

/** Requests to the endpoints of the contract since the start or the last reset, whatever the answer. */
export interface RequestCounts {
  readonly total: number;
  /** Includes refused logins. */
  readonly logins: number;
  readonly byEndpoint: Readonly<Record<Endpoint, number>>;
  /** Requests answered with a status of 400 or above. */
  readonly errors: number;
  reset(): void;
}

export interface RequestCounter {
  counts: RequestCounts;
  countRequest(endpoint: Endpoint): void;
  countAnswer(status: number): void;
}

export function createRequestCounter(): RequestCounter {
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
    countRequest(endpoint) {
      byEndpoint[endpoint] += 1;
    },
    countAnswer(status) {
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

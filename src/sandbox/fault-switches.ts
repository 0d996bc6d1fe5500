import { endpointPaths } from './endpoints.ts';
import type { Faults } from './faults.ts';

/** A fault that a person switches on and off. */
export interface FaultSwitch {
  id: string;
  label: string;
  /** What else to know about it. */
  note?: string;
  /** Returns a function that ends the fault. */
  begin(): () => void;
}

const slowMs = 8_000;
const retryAfterSeconds = 30;

/** The usual faults of the service. Any other can be injected with `faults.add`. */
export function createFaultSwitches(faults: Faults): readonly FaultSwitch[] {
  return [
    { id: 'no-answer', label: "The service doesn't answer", begin: () => faults.hold().remove },
    {
      id: 'slow',
      label: `The service answers after ${slowMs / 1000} s`,
      begin: () => faults.latency(slowMs).remove,
    },
    {
      id: 'server-error',
      label: 'The service fails with status 500',
      begin: () => faults.status(500).remove,
    },
    {
      id: 'rate-limited',
      label: 'The service limits the rate of calls',
      note: `Status 429, to be retried after ${retryAfterSeconds} s`,
      begin: () => faults.status(429, { headers: { 'retry-after': String(retryAfterSeconds) } }).remove,
    },
    {
      id: 'login-refused',
      label: 'The login is refused',
      note: 'The bot tries again after a minute, then less and less often',
      begin() {
        const { remove } = faults.add(refusedLogin, { endpoint: endpointPaths.login });
        faults.revokeTokens();
        return remove;
      },
    },
    {
      id: 'unreadable',
      label: 'The service sends web pages instead of data',
      begin: () => faults.malformed('html').remove,
    },
    {
      id: 'empty',
      label: 'The service has no predictions',
      begin() {
        const added = Object.entries(emptyBodies).map(([endpoint, body]) =>
          faults.add({ kind: 'status', status: 200, headers: {}, body }, { endpoint }),
        );
        return () => {
          for (const { remove } of added) remove();
        };
      },
    },
  ];
}

const refusedLogin = {
  kind: 'status',
  status: 401,
  headers: {},
  body: { status: 401, code: 'invalid_credentials', message: 'user_id or password is wrong.' },
} as const;

const emptyBodies = {
  [`${endpointPaths.vessel}/*`]: { predictions: [] },
  [`${endpointPaths.port}/*`]: { predictions: [] },
  [`${endpointPaths.ship}/*`]: { records: [] },
  [`${endpointPaths.shiplist}/*`]: { records: [] },
};

/** Something that has happened, for the metrics. Durations are in milliseconds. No ids of people or workspaces. */
export type Measurement =
  /** From a delivery of Slack until it was acknowledged. Slack waits for 3 s. */
  | { kind: 'ack'; ms: number }
  /** From a person's request until Slack has accepted the answer. `command` is undefined for a button or a form. */
  | { kind: 'answer'; command: string | undefined; outcome: AnswerOutcome; ms: number }
  /** An attempt of a request to the analytics service. `status` is undefined without an answer. */
  | { kind: 'service'; resource: string; status: number | undefined; ms: number }
  /** An answer of the service that breaks the contract, whatever its status. */
  | { kind: 'unreadable'; resource: string }
  | { kind: 'cache'; resource: string; result: CacheResult }
  | { kind: 'job-failure'; job: string }
  /** A request to the address for Slack that Slack has not sent, or that can't be read. */
  | { kind: 'refused-delivery'; reason: RefusedDelivery }
  | { kind: 'refused-request'; surface: 'install'; reason: RefusedInstall }
  | { kind: 'refused-request'; surface: 'assistant'; reason: RefusedAssistant }
  /** `outcome`: `ok`, Slack's error code, or `none` without an answer. */
  | { kind: 'slack'; method: string; outcome: string }
  /** `ms` is undefined if there was no connection for it. */
  | { kind: 'query'; ms: number | undefined; isFailed: boolean };

/** `refused`: the person has to type something else. `failed`: Landfall or the service. `declined`: not served at all. */
export type AnswerOutcome = 'answered' | 'refused' | 'failed' | 'asked_first' | 'declined';

/** `signature`: none of Slack's, or made with another signing secret. `body`: too large, too many at once, or incomplete. */
export type RefusedDelivery = 'signature' | 'body';

/** `too-many`: see `exchangeLimit`. */
export type RefusedInstall = 'too-many' | 'used-state' | 'invalid-state';

/** `unknown`: neither a valid token nor Slack's signature. `body`: too large, or too many at once. */
export type RefusedAssistant = 'unknown' | 'too-many' | 'body';

/** `shared`: another caller's request was under way. `stale`: an old answer, since the service is down. */
export type CacheResult = 'hit' | 'miss' | 'shared' | 'stale';

/** Called for each measurement. Never throws. */
export type Measure = (measurement: Measurement) => void;

export const measureNothing: Measure = () => {};

import type { UnreadableResponseError } from './errors.ts';

export type Resource =
  | 'vessel predictions'
  | 'port predictions'
  | 'ship next ports'
  | 'shiplist next ports'
  | 'the usage report'
  | 'trade lane statistics';

/** A GET of the contract. */
export interface ServiceCall {
  resource: Resource;
  /** Relative to the base address, already encoded. */
  path: string;
  query?: Readonly<Record<string, string>>;
}

export interface JsonReply {
  /** Undefined for a 2xx without a body. */
  json: unknown;
  /** The error to throw if the JSON breaks the contract. */
  unreadable(reason: string): UnreadableResponseError;
}

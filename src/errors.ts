/**
 * What a person typed that cannot be answered. Closed, so that every code has a text and a test.
 * Every other error is a `ServiceTrouble`, a `StoreUnavailable` or a fault of ours.
 */
export type UserErrorCode =
  | 'unknown-command'
  | 'missing-argument'
  | 'unexpected-words'
  | 'unclosed-quote'
  | 'too-long'
  | 'bad-check-digit'
  | 'bad-imo'
  | 'unknown-vessel'
  | 'ambiguous-vessel'
  | 'too-many-fleets'
  | 'too-many-names'
  | 'too-many-vessels'
  | 'unknown-port'
  | 'ambiguous-port'
  | 'same-port'
  | 'unknown-carrier'
  | 'bad-date'
  | 'bad-period'
  | 'bad-month'
  | 'bad-rule'
  | 'bad-schedule'
  | 'bad-snooze'
  | 'unknown-zone'
  | 'unknown-person'
  | 'unknown-list'
  | 'unknown-watch'
  | 'unknown-digest'
  | 'unknown-fleet'
  | 'bad-channel'
  | 'bad-owner'
  | 'bad-file'
  | 'too-late'
  | 'not-allowed';

/** A command line that would have been right, with the words of the button that runs it. */
export interface Choice {
  label: string;
  line: string;
}

interface UserErrorDetails {
  code: UserErrorCode;
  /** What was wrong, in plain words without markup; may hold what was typed: the view escapes it. */
  message: string;
  /** One more plain sentence: where to find the right thing, or what the rule is. */
  hint?: string;
  /** The nearest right things, each a whole command line. */
  choices?: readonly Choice[];
  /** A whole command line to copy. */
  example?: string;
  /** It names what only the person who asked may see. */
  isPersonal?: boolean;
}

/** Does not cover service trouble, permissions of Slack, or faults of ours. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly code: UserErrorCode;
  readonly hint: string | undefined;
  readonly choices: readonly Choice[];
  readonly example: string | undefined;
  readonly isPersonal: boolean;

  constructor({ code, message, hint, choices = [], example, isPersonal = false }: UserErrorDetails) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.choices = choices;
    this.example = example;
    this.isPersonal = isPersonal;
  }
}

type ServiceTroubleCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'rate-limited'
  | 'unavailable'
  | 'unreadable';

interface ServiceTroubleDetails {
  code: ServiceTroubleCode;
  /** Since when the service has been failing, on the domain clock. */
  since?: Date | undefined;
  /** The HTTP status of its answer. */
  status?: number | undefined;
  /** No attempt is worthwhile before this has passed. */
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/**
 * The analytics service gave no usable answer. Does not cover what a person typed, nor the database.
 * Never holds a secret.
 */
export class ServiceTrouble extends Error {
  override readonly name: string = 'ServiceTrouble';
  readonly code: ServiceTroubleCode;
  readonly since: Date | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { code, since, status, retryAfterMs, cause }: ServiceTroubleDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.since = since;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The database does not answer at the moment. Does not cover a query that it refuses. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

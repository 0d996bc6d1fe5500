/**
 * What a person typed that cannot be answered. Closed, so that every code has a text and a test.
 * Everything that is not a `UserError` is service trouble (`analytics/errors`) or ours.
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

export interface UserErrorDetails {
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

/** The lines of the bot's own command that errors, pages and surfaces name. */
export const ownLines = {
  /** All commands. The slash command of that name also runs any other line. */
  all: 'landfall',
  help: 'landfall help',
  status: 'landfall status',
  settings: 'landfall settings',
  ports: 'landfall ports',
  audit: 'landfall audit',
  overview: 'landfall overview',
  account: 'landfall account',
  assistants: 'landfall assistants',
  export: 'landfall export',
  forget: 'landfall forget',
  limit: 'landfall limit',
  pause: 'landfall pause',
  resume: 'landfall resume',
} as const;

/** The words as they reach Landfall in a channel, to copy. */
export const afterMention = (words: string): string => `@Landfall ${words}`;

/** Why a person's input can't be answered. The list is closed: every code has a text and a test. */
export type UserErrorCode =
  | 'unknown-command'
  | 'missing-argument'
  | 'unexpected-words'
  /** Each is understood, but not both together; or a value isn't valid. */
  | 'conflicting-words'
  | 'unclosed-quote'
  | 'too-long'
  | 'bad-check-digit'
  | 'bad-imo'
  | 'unknown-vessel'
  | 'bad-reference'
  | 'unknown-reference'
  | 'ambiguous-vessel'
  | 'too-many-fleets'
  | 'too-many-names'
  | 'too-many-references'
  | 'too-many-promises'
  | 'too-many-vessels'
  | 'unknown-port'
  | 'ambiguous-port'
  | 'same-port'
  | 'too-many-ports'
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
  | 'too-busy'
  | 'over-budget'
  | 'no-account'
  | 'bad-account'
  | 'no-pictures'
  | 'seen-outside'
  | 'not-allowed';

/** A valid command line, with the label of the button that runs it. */
export interface Choice {
  label: string;
  line: string;
}

/** The one known word that a misspelt one is near. */
export interface Correction {
  typed: string;
  /** As a person reads it: `Antwerp`. */
  meant: string;
  /** The whole line with it. */
  line: string;
}

/** The button that opens a form. */
export interface FormOffer {
  label: string;
  name: string;
  target: object;
}

interface UserErrorDetails {
  code: UserErrorCode;
  /** What was wrong, as plain text. It may quote the input: the view escapes it. */
  message: string;
  /** One more sentence: the rule, or the place to find the right value. */
  hint?: string | undefined;
  /** The nearest valid inputs, each a complete command line. */
  choices?: readonly Choice[];
  /** Several of the choices may be wanted, so their buttons stay. */
  areSeveral?: boolean;
  /** Runs instead of the typed line if it changes nothing. */
  correction?: Correction | undefined;
  /** A complete command line to copy. */
  example?: string | undefined;
  /** A form that helps, with what is known already. */
  form?: FormOffer | undefined;
  /** The message holds something that only this person may see. */
  isPersonal?: boolean;
}

/** What a person typed can't be answered. Does not cover service trouble, Slack's permissions or our own bugs. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly code: UserErrorCode;
  readonly hint: string | undefined;
  readonly choices: readonly Choice[];
  readonly areSeveral: boolean;
  readonly correction: Correction | undefined;
  readonly example: string | undefined;
  readonly form: FormOffer | undefined;
  readonly isPersonal: boolean;

  constructor(details: UserErrorDetails) {
    const { code, message, hint, choices = [], correction, example, form } = details;
    const { areSeveral = false, isPersonal = false } = details;
    super(message);
    this.code = code;
    this.hint = hint;
    this.choices = choices;
    this.areSeveral = areSeveral;
    this.correction = correction;
    this.example = example;
    this.form = form;
    this.isPersonal = isPersonal;
  }
}

/** The result, or the UserError that was thrown instead. */
export function attempt<Value>(parse: () => Value): Value | UserError {
  try {
    return parse();
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}

/** No account of the analytics service serves the workspace, so no question about vessels can be answered. */
export class NoAccountError extends UserError {
  /** The Slack id of the person who installed Landfall, if it is known. */
  readonly installerId: string | undefined;

  constructor({ installerId }: { installerId: string | undefined }) {
    super({
      code: 'no-account',
      message: "Landfall isn't connected to the analytics service yet.",
      hint: `A workspace admin can connect it: they type /${ownLines.account}.`,
      // Admins see a button that others don't.
      isPersonal: true,
    });
    this.installerId = installerId;
  }
}

export type ServiceTroubleCode =
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
  /** HTTP status. */
  status?: number | undefined;
  /** Any attempt within this time will fail. */
  retryAfterMs?: number | undefined;
  /** It is a part of the service that few accounts include. */
  isBeta?: boolean;
  cause?: unknown;
}

/** The analytics service gave no usable answer. Does not cover wrong input or the database. Holds no secret. */
export class ServiceTrouble extends Error {
  override readonly name: string = 'ServiceTrouble';
  readonly code: ServiceTroubleCode;
  readonly since: Date | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly isBeta: boolean;

  constructor(
    message: string,
    { code, since, status, retryAfterMs, isBeta = false, cause }: ServiceTroubleDetails,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.since = since;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.isBeta = isBeta;
  }
}

/** The database does not answer. Does not cover a refused query. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Why the database does not answer. Drivers put the address and the reason in their messages, never the password. */
export function reasonOf(error: unknown): string {
  if (error instanceof StoreUnavailable) return reasonOf(error.cause);
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return messageOf(error);
}

/** Why a request got no answer: the message of the innermost cause, since `fetch` itself only says “fetch failed”. */
export function networkReasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(networkReasonOf).join('; ');
  // A proxy's error says all; its cause doesn't name the proxy.
  const isComplete = !(error instanceof Error) || error.cause === undefined || error.name === 'ProxyError';
  return isComplete ? messageOf(error) : networkReasonOf(error.cause);
}

/** Like messageOf; if the database does not answer, it also says why. */
export const fullMessageOf = (error: unknown): string =>
  error instanceof StoreUnavailable ? `The database does not answer: ${reasonOf(error)}` : messageOf(error);

/** The code of our own error, or of an error of the system or the database, such as `EADDRINUSE`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * The store can't be opened, read or restored. The message says what to do, and holds no secret. Does not
 * cover a database that fails later, in use.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** Undefined if the text isn't JSON: it comes from outside, and its reader says what is wrong. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

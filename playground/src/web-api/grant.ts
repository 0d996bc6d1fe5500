/** An Enterprise organisation, which holds several workspaces. */
export interface Enterprise {
  id: string;
  name: string;
  domain: string;
}

/** What a valid token allows. */
export interface Grant {
  kind: 'bot' | 'app';
  /** Undefined: all scopes. */
  scopes: ReadonlySet<string> | undefined;
  /** The workspaces in which it works. */
  teamIds: readonly string[];
  /** Set for the token of one run of a custom step. */
  executionId?: string;
  /** Set if the app is installed org-wide. */
  organisation?: Enterprise;
}

/** Finds what a token allows. Throws ApiError: invalid_auth, token_expired, token_revoked, account_inactive. */
export type FindGrant = (token: string) => Grant;

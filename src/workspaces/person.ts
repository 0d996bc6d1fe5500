/** What Slack knows of a user. */
export interface Person {
  /** As shown in Slack, unescaped. */
  name: string;
  /** IANA name; undefined where Slack does not say. */
  zone: string | undefined;
  isAdmin: boolean;
  /** Of this workspace, in some of its channels alone. */
  isGuest: boolean;
  /** Of another organisation (Slack Connect). */
  isOutside: boolean;
  /** An app, or somebody who can't sign in any more. */
  isGone: boolean;
  /** Slack did not say who it is: until it does, they count as of another organisation. */
  isUnknown: boolean;
}

/** What Slack knows of a user. */
export interface Person {
  /** As shown in Slack, unescaped. */
  name: string;
  /** IANA name; UTC where Slack does not tell. */
  zone: string;
  isAdmin: boolean;
  /** Of another organisation (Slack Connect). */
  isOutside: boolean;
  /** An app, or somebody who can't sign in any more. */
  isGone: boolean;
}

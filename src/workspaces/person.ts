/** A user, as Slack describes them. */
export interface Person {
  /** As shown in Slack, unescaped. */
  name: string;
  /** IANA name; undefined if Slack gives none. */
  zone: string | undefined;
  isAdmin: boolean;
  /** An admin of a workspace of the organisation, but Slack doesn't say that it is this one. */
  mayBeAdmin?: boolean;
  /** Slack's guests see only some of the workspace's channels. */
  isGuest: boolean;
  /** Belongs to another organisation (Slack Connect). */
  isOutside: boolean;
  /** An app, or a deactivated account. */
  isGone: boolean;
  /** Slack did not answer. Until it does the person counts as an outsider. */
  isUnknown: boolean;
}

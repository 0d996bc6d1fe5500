/** A user, as Slack describes them. */
export interface Person {
  /** As shown in Slack, unescaped. */
  name: string;
  /** IANA name; undefined where Slack does not say. */
  zone: string | undefined;
  isAdmin: boolean;
  /** In only some of the workspace's channels. */
  isGuest: boolean;
  /** Of another organisation (Slack Connect). */
  isOutside: boolean;
  /** An app, or a deactivated account. */
  isGone: boolean;
  /** Slack could not be asked. Until it answers they count as from another organisation. */
  isUnknown: boolean;
}

/** What an operator of the playground can switch while it runs. */
export interface InstallSettings {
  /** New installations get tokens that expire after 12 hours, and a refresh token. */
  rotation: boolean;
  /** The workspaces belong to one Enterprise organisation, for which the app can be installed at once. */
  organisation: boolean;
  /** Workspaces outside of that organisation, to which its installation has no access. */
  apart: readonly string[];
  /** On uninstalling, `tokens_revoked` is sent before `app_uninstalled`. Slack promises no order. */
  revokedFirst: boolean;
}

/** What an operator of the playground can switch while it runs. */
export interface InstallSettings {
  /** New installations get tokens that expire after 12 hours, and a refresh token. */
  rotation: boolean;
  /** All workspaces belong to one Enterprise organisation, for which the app can be installed at once. */
  organisation: boolean;
  /** On uninstalling, `tokens_revoked` is sent before `app_uninstalled`. Slack promises no order. */
  revokedFirst: boolean;
}

import type { InstallSettings } from './settings.ts';

/** What an app needs for OAuth, and what tests and the page can switch. */
export interface PlaygroundOAuth {
  clientId: string;
  clientSecret: string;
  /** For `installerOptions.authorizationUrl`. */
  authorizationUrl: string;
  /** Where the page sends people who want the app: its landing page. */
  setInstallUrl(url: string): void;
  settings(): InstallSettings;
  /** Throws if the app is installed org-wide and the workspaces would leave the organisation. */
  change(settings: Partial<InstallSettings>): void;
  /** Makes every token of a rotating installation expire now. */
  expireTokens(): void;
  /** True if the app is installed in this workspace, on its own or org-wide. */
  isInstalled(teamId: string): boolean;
  /**
   * Decides as a person does on the consent page, to which the app has sent the browser with `authorizeUrl`. Returns the
   * URL to which the browser goes next. `placeId` is a workspace or the organisation, `declined` are optional scopes.
   * Throws what the page would say.
   */
  allow(authorizeUrl: string, by: { placeId: string; userId: string; declined?: string[] }): string;
  cancel(authorizeUrl: string): string;
}

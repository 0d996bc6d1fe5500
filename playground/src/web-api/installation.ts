import type { Enterprise } from './grant.ts';

/** Why the app's tokens no longer work. Slack's error codes. */
export type EndReason = 'token_revoked' | 'account_inactive';

/** The app's installation as deliveries describe it. */
export interface Authorization {
  /** The workspace; for the end of an org-wide installation, the organisation. */
  teamId: string;
  botUserId: string;
  /** The organisation of the workspace. */
  enterprise: Enterprise | undefined;
  isOrgWide: boolean;
}

/** The app in one workspace. */
export interface Installation {
  /** False: the workspace doesn't offer the app's commands, and sends it nothing. */
  isActive(): boolean;
  authorization(): Authorization;
  /** Ends the installation, and returns how its last events describe it. Undefined: there is none. */
  end(reason: EndReason): Authorization | undefined;
  /**
   * The organisation's installation gets access to the workspace, or loses it. Returns how the event describes that
   * installation. Undefined: nothing has changed for the app.
   */
  setAccess(access: { isGranted: boolean }): Authorization | undefined;
  /** Makes the tokens valid again. Throws if the app is installed by OAuth. */
  restore(): void;
}

/** The only workspace: installed from the start, with one token for ever. It delivers even after its end. */
export function createFixedInstallation(authorization: () => Authorization) {
  let ended: EndReason | undefined;
  return {
    isActive: () => true,
    authorization,
    /** The error for calls with the bot token. Undefined while it is valid. */
    refusal: () => ended,
    end(reason: EndReason) {
      ended = reason;
      return authorization();
    },
    setAccess: () => undefined,
    restore() {
      ended = undefined;
    },
  } satisfies Installation & { refusal: () => EndReason | undefined };
}

/** Whether the app is installed and its bot token is valid. */
export interface Installation {
  /** The error for calls with the bot token. Undefined while it is valid. */
  refusal(): 'token_revoked' | 'account_inactive' | undefined;
  set(state: 'installed' | 'token_revoked' | 'account_inactive'): void;
}

export function createInstallation(): Installation {
  let state: 'installed' | 'token_revoked' | 'account_inactive' = 'installed';
  return {
    refusal: () => (state === 'installed' ? undefined : state),
    set(next) {
      state = next;
    },
  };
}

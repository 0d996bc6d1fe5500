/** Whether the app's tokens still stand. */
export interface Installation {
  /** What Slack answers to the bot token; undefined while it is good. */
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

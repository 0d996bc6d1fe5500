export type Installation = ReturnType<typeof createInstallation>;

/** Whether the app is installed and its bot token is valid. */
export function createInstallation() {
  let state: 'installed' | 'token_revoked' | 'account_inactive' = 'installed';
  return {
    /** The error for calls with the bot token. Undefined while it is valid. */
    refusal: () => (state === 'installed' ? undefined : state),
    set(next: typeof state) {
      state = next;
    },
  };
}

/** Slack repeats these until a person acts: invites the bot, unarchives the channel, reinstalls the app. */
export const permanentErrors: ReadonlySet<string> = new Set([
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
  'restricted_action_thread_locked',
  'restricted_action_non_threadable_channel',
  'user_not_found',
  'user_disabled',
  'cannot_dm_bot',
  'messages_tab_disabled',
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
  'access_denied',
  'account_inactive',
  'team_access_not_granted',
  'token_revoked',
  'token_expired',
  'invalid_auth',
  'not_authed',
]);

/** After these the outcome is unknown: Slack may have done part of the work. */
export const unknownOutcomeErrors: ReadonlySet<string> = new Set([
  'fatal_error',
  'internal_error',
  'service_unavailable',
  'request_timeout',
]);

/** The events that Slack has to send; manifest.yml subscribes to them. */
export const botEvents: readonly string[] = [
  'app_home_opened',
  'app_mention',
  'app_uninstalled',
  'channel_archive',
  'channel_deleted',
  'channel_left',
  'channel_shared',
  'function_executed',
  'group_archive',
  'group_deleted',
  'group_left',
  'link_shared',
  'message.im',
  'team_access_granted',
  'team_access_revoked',
  'tokens_revoked',
];

/** The manifest of an app that reads links to two sites. */
export const linkManifest = `display_information: { name: Your app }
features:
  unfurl_domains: [vesselfinder.com, balticshipping.com]
  slash_commands: [{ command: /lookup, should_escape: true }]
oauth_config:
  scopes: { bot: [commands, chat:write, links:read, links:write, channels:read, channels:history, groups:history] }
settings:
  event_subscriptions: { bot_events: [app_mention, link_shared] }
`;

const TEXTS: Record<string, string> = {
  'app_mentions:read': 'Read messages that mention it, in conversations that it is in',
  'assistant:write': 'Act as an assistant in its own conversations',
  'channels:history': 'Read messages in public channels that it has been added to',
  'channels:join': 'Join public channels',
  'channels:read': 'See the names and members of public channels',
  'chat:write': 'Post messages, and edit or delete its own',
  'chat:write.public': 'Post in public channels that it is not a member of',
  commands: 'Add slash commands and shortcuts that people can use',
  'files:read': 'Read files shared in conversations that it has been added to',
  'files:write': 'Upload files, and edit or delete its own',
  'groups:history': 'Read messages in private channels that it has been added to',
  'groups:read': 'See the names and members of private channels that it has been added to',
  'im:history': 'Read the direct messages that people send it',
  'im:read': 'See which people it has direct messages with',
  'im:write': 'Start direct messages with people',
  'links:read': 'See links to its own sites in messages',
  'links:write': 'Show previews of links to its own sites',
  'mcp:connect': 'Offer its tools to assistants in Slack',
  'reactions:read': 'See emoji reactions to messages',
  'reactions:write': 'Add emoji reactions to messages',
  'team:read': "See the workspace's name, domain and icon",
  'users:read': 'See the people of the workspace: names, time zones, languages and roles',
  'users:read.email': "See people's email addresses",
};

/** What a scope allows, in plain English. */
export const scopeText = (scope: string): string => TEXTS[scope] ?? `Use the permission ${scope}`;

/** True if Slack could know a scope of this name. */
export const isScope = (scope: string): boolean => /^[a-z_]+(:[a-z_.]+)?$/.test(scope);

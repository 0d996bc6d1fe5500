import type { Channel, User } from '../world/world.ts';

export type Escaper = ReturnType<typeof createEscaper>;

const LINK = String.raw`https?:\/\/[^\s<>|]+`;
const DOMAIN = String.raw`(?<![\w@./-])(?:[a-z0-9-]+\.)+(?:com|net|org|io|de|uk|dev|example)(?:\/[^\s<>|]*)?(?![\w-])`;
const MAIL = String.raw`[\w.+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}`;

/**
 * Encodes typed text as Slack does before an app receives it. `present` gives the user whom a name means at the moment:
 * nobody for an app that isn't installed.
 */
export function createEscaper(
  users: User[],
  channels: Channel[],
  present: (user: User) => User | undefined = (user) => user,
) {
  const people = new Map<string, User>();
  for (const user of users) {
    people.set(user.name.toLowerCase(), user);
    people.set(user.realName.toLowerCase(), user);
  }
  const channelsByName = new Map(channels.filter((c) => c.name).map((channel) => [channel.name, channel]));
  const names = (keys: Iterable<string>) => [...keys].sort((a, b) => b.length - a.length).map(escapePattern);
  const pattern = new RegExp(
    [
      `(?<mail>${MAIL})`,
      `(?<link>${LINK})`,
      `@(?<person>${names(people.keys()).join('|')})(?![\\w-])`,
      `#(?<channel>${names(channelsByName.keys()).join('|')})(?![\\w-])`,
      `(?<domain>${DOMAIN})`,
      `(?<special>[&<>])`,
    ].join('|'),
    'gi',
  );
  const encode = (text: string, mention: (user: User) => string) =>
    text.replace(pattern, (match, ...rest) => {
      // If the pattern has named groups, the replacer's last argument is the object that holds them.
      const groups = rest.at(-1) as Record<string, string | undefined>;
      const named = people.get(groups.person?.toLowerCase() ?? '');
      const user = named && present(named);
      if (user) return mention(user);
      if (named) return match;
      const channel = channelsByName.get(groups.channel?.toLowerCase() ?? '');
      if (channel) return `<#${channel.id}|${channel.name}>`;
      if (groups.mail) return `<mailto:${match}|${match}>`;
      if (groups.link) return `<${escapeText(match)}>`;
      if (groups.domain) return `<http://${escapeText(match)}|${escapeText(match)}>`;
      return escapeText(match);
    });
  return {
    /** A message's text as in events: `<@U…>`, `<#C…|ops>`, `<https://…>`, and `&`, `<`, `>` escaped. */
    message: (text: string) => encode(text, (user) => `<@${user.id}>`),
    /** The text of a slash command with `should_escape`: the same, but with user names (`<@U…|ada>`). */
    command: (text: string) => encode(text, (user) => `<@${user.id}|${user.name}>`),
  };
}

/** The three characters that Slack escapes. */
function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (char) => (char === '&' ? '&amp;' : char === '<' ? '&lt;' : '&gt;'));
}

function escapePattern(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

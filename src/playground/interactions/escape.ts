import type { Channel, User } from '../world/world.ts';

export interface Escaper {
  /** A message as events carry it: `<@U…>`, `<#C…|ops>`, `<https://…>`, and `&`, `<`, `>` escaped. */
  message(text: string): string;
  /** The words of a slash command with `should_escape`: as above, with the user's name (`<@U…|ada>`). */
  command(text: string): string;
}

const LINK = String.raw`https?:\/\/[^\s<>|]+`;
const DOMAIN = String.raw`(?<![\w@./-])(?:[a-z0-9-]+\.)+(?:com|net|org|io|de|uk|dev|example)(?:\/[^\s<>|]*)?(?![\w-])`;
const MAIL = String.raw`[\w.+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}`;

/** Does to typed text what Slack's clients and server do to it before an app sees it. */
export function createEscaper(users: User[], channels: Channel[]): Escaper {
  const people = new Map<string, User>();
  for (const user of users) {
    people.set(user.name.toLowerCase(), user);
    people.set(user.realName.toLowerCase(), user);
  }
  const rooms = new Map(channels.filter((c) => c.name).map((channel) => [channel.name, channel]));
  const names = (keys: Iterable<string>) => [...keys].sort((a, b) => b.length - a.length).map(quote);
  const pattern = new RegExp(
    [
      `(?<mail>${MAIL})`,
      `(?<link>${LINK})`,
      `@(?<person>${names(people.keys()).join('|')})(?![\\w-])`,
      `#(?<room>${names(rooms.keys()).join('|')})(?![\\w-])`,
      `(?<domain>${DOMAIN})`,
      `(?<special>[&<>])`,
    ].join('|'),
    'gi',
  );
  const encode = (text: string, mention: (user: User) => string) =>
    text.replace(pattern, (match, ...rest) => {
      // With named groups the last argument of a replacer is the object of groups.
      const groups = rest.at(-1) as Record<string, string | undefined>;
      const user = people.get(groups.person?.toLowerCase() ?? '');
      if (user) return mention(user);
      const room = rooms.get(groups.room?.toLowerCase() ?? '');
      if (room) return `<#${room.id}|${room.name}>`;
      if (groups.mail) return `<mailto:${match}|${match}>`;
      if (groups.link) return `<${escapeText(match)}>`;
      if (groups.domain) return `<http://${escapeText(match)}|${escapeText(match)}>`;
      return escapeText(match);
    });
  return {
    message: (text) => encode(text, (user) => `<@${user.id}>`),
    command: (text) => encode(text, (user) => `<@${user.id}|${user.name}>`),
  };
}

/** The three characters that Slack escapes. */
function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (char) => (char === '&' ? '&amp;' : char === '<' ? '&lt;' : '&gt;'));
}

function quote(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

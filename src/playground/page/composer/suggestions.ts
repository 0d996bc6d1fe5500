import type { PageState } from '../../page-api/page-api.ts';
import { isSlackbot } from '../model/is-slackbot.ts';

export interface Suggestion {
  key: string;
  title: string;
  detail: string;
  hint: string;
}

export interface Suggestions {
  /** Where the completed word begins and ends in the text. */
  from: number;
  to: number;
  items: Suggestion[];
}

type World = Pick<PageState, 'commands' | 'users' | 'channels'>;

const NOTHING: Suggestions = { from: 0, to: 0, items: [] };
const MOST = 8;

/** What could complete the word before the caret: a command at the start, `@name` and `#channel` anywhere. */
export function suggest(text: string, caret: number, { commands, users, channels }: World): Suggestions {
  const typed = text.slice(0, caret);
  const [word = ''] = /(?:^|(?<=\s))[/@#][\p{L}\p{N}_-]*$/u.exec(typed) ?? [];
  const from = caret - word.length;
  const found = (items: Suggestion[]): Suggestions => ({
    from,
    to: caret,
    items: matching(items, word.toLowerCase()).slice(0, MOST),
  });
  if (word.startsWith('/') && from === 0) {
    return found(
      commands.map(({ command, description, usageHint }) => ({
        key: command,
        title: command,
        detail: description,
        hint: usageHint,
      })),
    );
  }
  if (word.startsWith('@')) {
    const detail = (user: World['users'][number]) => (user.isBot ? `${user.realName} · app` : user.realName);
    return found(
      users
        .filter((user) => !isSlackbot(user))
        .map((user) => ({ key: user.id, title: `@${user.name}`, detail: detail(user), hint: '' })),
    );
  }
  if (word.startsWith('#')) {
    const named = channels.filter((channel) => channel.kind !== 'dm');
    return found(
      named.map(({ id, name, topic }) => ({ key: id, title: `#${name}`, detail: topic, hint: '' })),
    );
  }
  return NOTHING;
}

/** Those that begin as typed, then those that hold it. */
function matching(items: Suggestion[], word: string): Suggestion[] {
  const begins = items.filter(({ title }) => title.toLowerCase().startsWith(word));
  const holds = items.filter(
    (item) => !begins.includes(item) && item.title.toLowerCase().includes(word.slice(1)),
  );
  return [...begins, ...holds];
}

/** The text with the word completed and a space after it, and where the caret then stands. */
export function complete(text: string, { from, to }: Suggestions, chosen: Suggestion): [string, number] {
  const rest = text.slice(to).replace(/^ /, '');
  const start = `${text.slice(0, from)}${chosen.title} `;
  return [start + rest, start.length];
}

/** The usage hint of the command that a line begins with, once the command is complete. */
export function usageOf(
  text: string,
  commands: World['commands'],
): { command: string; hint: string } | undefined {
  const [, typed] = /^(\/\S+)\s/.exec(text) ?? [];
  const known = commands.find(({ command }) => command === typed?.toLowerCase());
  return known?.usageHint ? { command: known.command, hint: known.usageHint } : undefined;
}

import type { PageState } from '../../src/page-api/page-api.ts';
import { isPresent } from '../model/app-user.ts';
import { isSlackbot } from '../model/is-slackbot.ts';

export interface Suggestion {
  key: string;
  title: string;
  detail: string;
  hint: string;
}

interface Suggestions {
  /** Start and end of the word to complete. */
  from: number;
  to: number;
  items: Suggestion[];
}

type World = Pick<PageState, 'commands' | 'users' | 'channels' | 'botUserId'>;

const NOTHING: Suggestions = { from: 0, to: 0, items: [] };
const MAX_SUGGESTIONS = 8;

/** Completions of the word before the caret: a command at the start, `@name` and `#channel` anywhere. */
export function suggest(text: string, caret: number, world: World): Suggestions {
  const { commands, users, channels } = world;
  const typed = text.slice(0, caret);
  const [word = ''] = /(?:^|(?<=\s))[/@#][\p{L}\p{N}_-]*$/u.exec(typed) ?? [];
  const from = caret - word.length;
  const toSuggestions = (items: Suggestion[]): Suggestions => ({
    from,
    to: caret,
    items: matching(items, word.toLowerCase()).slice(0, MAX_SUGGESTIONS),
  });
  if (word.startsWith('/') && from === 0) {
    return toSuggestions(
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
    return toSuggestions(
      users
        .filter((user) => !isSlackbot(user) && isPresent(user, world))
        .map((user) => ({ key: user.id, title: `@${user.name}`, detail: detail(user), hint: '' })),
    );
  }
  if (word.startsWith('#')) {
    const named = channels.filter((channel) => channel.kind !== 'dm');
    return toSuggestions(
      named.map(({ id, name, topic }) => ({ key: id, title: `#${name}`, detail: topic, hint: '' })),
    );
  }
  return NOTHING;
}

/** First the titles that start with the word, then those that contain it. */
function matching(items: Suggestion[], word: string): Suggestion[] {
  const starting = items.filter(({ title }) => title.toLowerCase().startsWith(word));
  const containing = items.filter(
    (item) => !starting.includes(item) && item.title.toLowerCase().includes(word.slice(1)),
  );
  return [...starting, ...containing];
}

/** The text with the completed word and a space after it, and the new position of the caret. */
export function complete(text: string, { from, to }: Suggestions, chosen: Suggestion): [string, number] {
  const rest = text.slice(to).replace(/^ /, '');
  const start = `${text.slice(0, from)}${chosen.title} `;
  return [start + rest, start.length];
}

/** The usage hint of the command at the start of the line, once it is typed in full. */
export function usageOf(
  text: string,
  commands: World['commands'],
): { command: string; hint: string } | undefined {
  const [, typed] = /^(\/\S+)\s/.exec(text) ?? [];
  const known = commands.find(({ command }) => command === typed?.toLowerCase());
  return known?.usageHint ? { command: known.command, hint: known.usageHint } : undefined;
}

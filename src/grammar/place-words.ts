import { wordsError } from './line-help.ts';
import { type LineOption, optionOf } from './options.ts';

/** Takes a channel's id: `in <#C024BE7LR>` is how cleanLine writes Slack's `in #ops`. */
export const channelOption: LineOption<string> = optionOf(
  /(?:^|\s)in (?:<#([CDG][A-Z0-9]+)>|#[^\s<>]+)$/i,
  ([text, id], help) => {
    if (id !== undefined) return id.toUpperCase();
    throw wordsError('bad-channel', `I can't tell which channel ${text.trim().slice(3)} is.`, help, {
      hint: 'Type # and pick the channel from the list that Slack shows, or type the line in that channel.',
    });
  },
);

export const formatChannel = (id: string | undefined): string => (id === undefined ? '' : `in <#${id}>`);

/** A person's id: cleanLine leaves `<@U012ABCDEF>` after “hand over”, “assign” and `by`. Undefined for anything else. */
export const readPerson = (words: string): string | undefined =>
  /^<@([UW][A-Z0-9]+)>$/i.exec(words.trim())?.[1]?.toUpperCase();

/** `9461477 to <@U012ABCDEF>`: a person at the end, and what stands before. `person` is undefined for anything else. */
export function takePerson(words: string): { rest: string; person: string | undefined } {
  const [, rest = '', typed = ''] = /^(.*?)(?:(?:^|\s)to)?\s*(\S+)$/is.exec(words.trim()) ?? [];
  return { rest, person: readPerson(typed) };
}

export const howToNamePerson = 'Type @ and pick the person from the list that Slack shows.';

export const formatPerson = (id: string): string => `<@${id}>`;

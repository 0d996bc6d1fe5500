import { UserError } from '../errors.ts';
import type { Option } from './options.ts';

/** `in <#C024BE7LR>`, which cleanLine makes of Slack's `in #ops`: gives the channel's id. */
export const channelOption: Option<string> = {
  take: (words, helpFor) => {
    const [text = '', id] = /(?:^|\s)in (?:<#([CDG][A-Z0-9]+)>|#[^\s<>]+)$/i.exec(words) ?? [];
    if (text === '') return undefined;
    const rest = words.slice(0, -text.length);
    if (id !== undefined) return { rest, value: id.toUpperCase() };
    throw new UserError({
      code: 'bad-channel',
      message: `I can't tell which channel ${text.trim().slice(3)} is.`,
      hint: 'Type # and pick the channel from the list that Slack shows, or type the line in that channel.',
      example: helpFor(rest).example,
    });
  },
};

export const formatChannel = (id: string | undefined): string => (id === undefined ? '' : `in <#${id}>`);

/** `<@U012ABCDEF>`, which cleanLine leaves after “over”: gives the person's id; undefined for anything else. */
export function readPerson(words: string): string | undefined {
  return /^<@([UW][A-Z0-9]+)>$/i.exec(words.trim())?.[1]?.toUpperCase();
}

export const formatPerson = (id: string): string => `<@${id}>`;

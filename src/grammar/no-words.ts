import { UserError } from '../errors.ts';

/** For a command that is one word: `landfall status`. */
export const parseNoWords =
  (name: string) =>
  (words: string): object => {
    if (words.trim() === '') return {};
    throw new UserError({
      code: 'unexpected-words',
      message: `Nothing follows the word ${name}.`,
      example: `landfall ${name}`,
    });
  };

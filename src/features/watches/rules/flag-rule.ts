import { z } from 'zod';
import { takeWord } from './typed-words.ts';

/** What rules have in common that are on or off, without a figure: on by default. `when` says when they notify. */
export const flag = ({
  typed,
  pattern = typed,
  when,
}: {
  typed: string;
  pattern?: string;
  when: string;
}) => ({
  typed,
  schema: z.boolean(),
  defaultValue: true,
  off: false,
  take: takeWord(pattern),
  format: () => typed,
  resolve: () => true,
  tick: () => when.charAt(0).toUpperCase() + when.slice(1),
  words: () => when,
  brief: () => typed,
});

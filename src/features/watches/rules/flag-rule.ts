import { z } from 'zod';
import { takeWord } from './typed-words.ts';

/** What rules have in common that are on or off, without a figure: on by default. */
export const flag = ({ typed, pattern = typed }: { typed: string; pattern?: string }) => ({
  typed,
  schema: z.boolean(),
  defaultValue: true,
  off: false,
  take: takeWord(pattern),
  format: () => typed,
  resolve: () => true,
});

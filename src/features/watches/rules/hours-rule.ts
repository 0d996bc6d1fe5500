import { z } from 'zod';
import { type FigureField, takeFigure } from './figure-field.ts';
import { maxHours, takeHours } from './typed-words.ts';

/** What rules have in common whose value is a number of hours. `lead`: the pattern of the words before it. */
export function hours({
  word,
  lead,
  defaultValue,
  label,
}: {
  word: string;
  lead: string;
  defaultValue: number;
  label: string;
}) {
  const typed = `${word} 6h`;
  const take = takeHours(lead, typed);
  const right = `Write a number of hours from 1 to ${maxHours}, such as 6.`;
  const field: FigureField<number | null> = {
    id: word,
    label,
    placeholder: String(defaultValue),
    text: String,
    read: (text) => takeFigure(text, { before: word, take, right }),
  };
  return {
    typed,
    schema: z.number().positive().nullable(),
    defaultValue,
    off: null,
    take,
    format: (value: number) => `${word} ${value}h`,
    resolve: (value: number) => value,
    field,
  };
}

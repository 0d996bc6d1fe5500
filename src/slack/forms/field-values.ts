import { z } from 'zod';
import type { FieldValues } from '../../features/form.ts';

const Option = z.object({ value: z.string() });

/** Any element of a view's state. Slack sends null for an empty one. */
const Element = z
  .object({
    value: z.string().nullish(),
    selected_option: Option.transform(({ value }) => value).nullish(),
    selected_options: z.array(Option).nullish(),
    selected_date: z.string().nullish(),
    selected_time: z.string().nullish(),
    selected_user: z.string().nullish(),
    selected_conversation: z.string().nullish(),
  })
  .transform(({ selected_options, ...texts }) => ({
    text: Object.values(texts).find((text) => typeof text === 'string') ?? '',
    ticked: (selected_options ?? []).map(({ value }) => value),
  }));

const Values = z.record(z.string(), z.record(z.string(), Element));

/** Parses a view's state, in which each block holds one element. */
export function fieldValues(values: unknown): FieldValues {
  const fields = Values.parse(values);
  const elementOf = (field: string) => Object.values(fields[field] ?? {})[0];
  return {
    text: (field) => elementOf(field)?.text ?? '',
    ticked: (field) => elementOf(field)?.ticked ?? [],
  };
}

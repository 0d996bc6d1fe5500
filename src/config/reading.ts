import type { z } from 'zod';

/** Its check and default are the schema's; the description goes into `.env.example` and docs/settings.md. */
interface Setting {
  schema: z.ZodType;
  secret?: true;
  description: string;
}

export type Settings = Record<string, Setting>;
type Values<Group extends Settings> = { [Name in keyof Group]: z.output<Group[Name]['schema']> };

export interface Reading<Group extends Settings> {
  values: Values<Group>;
  /** Is the key set at all, rightly or wrongly? A wrong value is not also a missing one. */
  has: (name: keyof Group) => boolean;
  faults: string[];
}

/** Each key is read alone, so that one message can name all that are wrong. An empty value counts as not set. */
export function readValues<Group extends Settings>(
  settings: Group,
  env: Record<string, string | undefined>,
): Reading<Group> {
  const faults: string[] = [];
  const has = (name: keyof Group) => Boolean(env[String(name)]?.trim());
  const entries = Object.entries(settings).map(([name, { schema }]) => {
    const result = schema.safeParse(has(name) ? env[name]?.trim() : undefined);
    if (result.success) return [name, result.data];
    faults.push(`${name} should be ${result.error.issues[0]?.message ?? 'something else'}`);
    return [name, schema.safeParse(undefined).data];
  });
  // Object.fromEntries forgets which key has which type; each value comes from that key's own schema.
  return { values: Object.fromEntries(entries) as Values<Group>, has, faults };
}

import type { z } from 'zod';

/** The schema checks the value and has the default; the description appears in `.env.example` and docs/settings.md. */
interface Setting {
  schema: z.ZodType;
  secret?: true;
  description: string;
}

export type Settings = Record<string, Setting>;
type Values<Group extends Settings> = { [Name in keyof Group]: z.output<Group[Name]['schema']> };

export interface Reading<Group extends Settings> {
  values: Values<Group>;
  /** True if the key is set, even to a wrong value. */
  has: (name: keyof Group) => boolean;
  faults: string[];
}

/** Reads each key separately, so that one message can name every fault. An empty value counts as not set. */
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
  // Object.fromEntries forgets the type of each key; each value comes from that key's own schema.
  return { values: Object.fromEntries(entries) as Values<Group>, has, faults };
}

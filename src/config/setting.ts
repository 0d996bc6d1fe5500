import { z } from 'zod';

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
  problems: string[];
}

/** Reads each key separately, so that one message can name every problem. An empty value counts as not set. */
export function readValues<Group extends Settings>(
  settings: Group,
  env: Record<string, string | undefined>,
): Reading<Group> {
  const problems: string[] = [];
  const has = (name: keyof Group) => Boolean(env[String(name)]?.trim());
  const entries = Object.entries(settings).map(([name, { schema }]) => {
    const result = schema.safeParse(has(name) ? env[name]?.trim() : undefined);
    if (result.success) return [name, result.data];
    problems.push(`${name} should be ${result.error.issues[0]?.message ?? 'something else'}`);
    return [name, schema.safeParse(undefined).data];
  });
  // Each value comes from the schema of its key; Object.fromEntries can't show that.
  return { values: Object.fromEntries(entries) as Values<Group>, has, problems };
}

/** A whole number written as a decimal string, within bounds. */
export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min, `at least ${min}`).max(max, `at most ${max}`));

export const number = (min: number, max: number) =>
  z
    .string()
    .transform(Number)
    .pipe(z.number(`a number from ${min} to ${max}`).min(min, `at least ${min}`).max(max, `at most ${max}`));

/** An http(s) base URL, or the word for the embedded server. */
export const urlOr = (word: 'sandbox' | 'playground') =>
  z
    .string()
    .refine((value) => value === word || /^https?:$/.test(URL.parse(value)?.protocol ?? ''), {
      error: `an http or https address, or the word ${word}`,
    })
    .refine((value) => value === word || isBareAddress(URL.parse(value)), {
      error: 'an address without a user, a password, a query or a fragment',
    });

/** Addresses separated by commas, none of them twice. They have to fit into the menu of a form. */
export const addresses = z
  .string()
  .transform((text) => [...new Set(text.split(',').map((part) => withoutSlash(part.trim())))])
  .refine(
    (list) =>
      list.every(
        (item) => item !== 'sandbox' && item.length <= 150 && urlOr('sandbox').safeParse(item).success,
      ),
    {
      error: 'http or https addresses, separated by commas, without users, passwords, queries or fragments',
    },
  );

/** The same address is always written in the same way. */
export const withoutSlash = (address: string): string => address.replace(/\/+$/, '');

/** If the address had a password, the error messages of `fetch` would show it. A query or a fragment would break the paths added to the address. */
const isBareAddress = (url: URL | null): boolean =>
  url === null || `${url.username}${url.password}${url.search}${url.hash}` === '';

/** The origin of a public server, without a final slash: https, or http on loopback. */
export const publicOrigin = () =>
  z
    .string()
    .refine((value) => isSafe(URL.parse(value)), {
      error: 'an https address, such as https://landfall.example.com (http only on loopback)',
    })
    .refine((value) => isBareAddress(URL.parse(value)) && URL.parse(value)?.pathname === '/', {
      error: 'an address without a user, a password, a path, a query or a fragment',
    })
    .transform((value) => new URL(value).origin);

const isSafe = (url: URL | null): boolean =>
  url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));

/** The address of a page, or of a mailbox. */
export const pageOrMailbox = () =>
  z.string().refine((value) => /^(?:https|mailto):$/.test(URL.parse(value)?.protocol ?? ''), {
    error: 'an https address, or mailto: and a mail address',
  });

/** Text that is valid in an HTTP header. The error message of `fetch` would show any other text, which may be secret. */
export const headerText = () =>
  z.string().regex(/^[\x21-\x7e]+$/, 'printable ASCII characters, without spaces');

const encryptionKeyPattern = /^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/;

export const encryptionKeys = z
  .string()
  .refine((keys) => keys.split(',').every((key) => encryptionKeyPattern.test(key.trim())), {
    error: '32 bytes in base64 or hex (openssl rand -base64 32), several keys separated by commas',
  });

export const minutesOrAuto = z
  .union([z.literal('auto'), number(0.01, 10_080)], { error: 'auto, or minutes from 0.01 to 10080' })
  .default('auto');

export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `one of ${words.join(', ')}` });

export const trueOrFalse = oneOf(['true', 'false'])
  .default('false')
  .transform((word) => word === 'true');

/** Takes a host name, or an address with or without the brackets of a URL. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  return name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}

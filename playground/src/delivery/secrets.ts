import { isJsonObject, parseJson } from '../json.ts';

const HIDDEN = '(hidden)';

/** Headers, arguments, and fields of a form. */
const SECRET_KEYS = [
  'token',
  'access_token',
  'bot_access_token',
  'refresh_token',
  'client_secret',
  'authorization',
  'cookie',
  'x-api-key',
  'x-slack-signature',
  'apikey',
  'password',
];

/** The code of a sign-in. In the service's answers it is that of an error. */
export const SLACK_SECRET_KEYS: ReadonlySet<string> = new Set([...SECRET_KEYS, 'code']);
export const SERVICE_SECRET_KEYS: ReadonlySet<string> = new Set(SECRET_KEYS);

/** Also finds values in broken JSON, tokens of their own (JWT), and the ticket of a socket's address. */
const SECRET_TEXTS: readonly [RegExp, string][] = [
  [new RegExp(`("(?:${SECRET_KEYS.join('|')})"\\s*:\\s*")[^"]*`, 'gi'), `$1${HIDDEN}`],
  [/\beyJ[\w-]{10,}[\w.-]*/g, HIDDEN],
  [/([?&]ticket=)[\w-]+/g, `$1${HIDDEN}`],
];

/** A copy for the inspector. Text that is JSON, as in a form, becomes what it says. */
export function withoutSecrets(
  value: unknown,
  secrets: { keys: ReadonlySet<string>; values: readonly string[] },
): unknown {
  if (typeof value === 'string') {
    const json = /^\s*[{[]/.test(value) ? parseJson(value) : undefined;
    if (json !== undefined) return withoutSecrets(json, secrets);
    const text = secrets.values.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), value);
    return SECRET_TEXTS.reduce((rest, [pattern, hidden]) => rest.replace(pattern, hidden), text);
  }
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, secrets));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      secrets.keys.has(key.toLowerCase()) ? HIDDEN : withoutSecrets(item, secrets),
    ]),
  );
}

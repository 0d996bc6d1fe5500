const searchedCharacters = 20_000;
const shownCharacters = 200;

/**
 * Makes the excerpt of an answer that an error may hold: the first 200 characters, after removing the given secrets (also
 * in the encodings of JSON and URLs), every token after `Bearer`, and everything that looks like a JWT.
 */
export function redact(text: string, secrets: readonly string[]): string {
  // The longest first, since one secret may contain another.
  const encodedSecrets = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret.toWellFormed()),
    ])
    .sort((a, b) => b.length - a.length);
  return encodedSecrets
    .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text.slice(0, searchedCharacters))
    .replace(/\bBearer\s+[^\s"'<>]+/gi, 'Bearer [secret]')
    .replace(/\beyJ[\w-]{5,}(?:\.[\w-]+){1,4}/g, '[secret]')
    .slice(0, shownCharacters);
}

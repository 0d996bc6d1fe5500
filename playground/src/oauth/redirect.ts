/**
 * The URL to which the browser returns: the given one, or the first configured one. Undefined if it isn't configured.
 * As in Slack, a path below a configured URL is allowed; without any configured URL, every web address is.
 */
export function allowedRedirect(
  given: string | undefined,
  configured: readonly string[],
): string | undefined {
  if (given === undefined) return configured[0];
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) return undefined;
  return configured.length === 0 || configured.some((url) => isWithin(given, url)) ? given : undefined;
}

function isWithin(given: string, configured: string): boolean {
  if (!URL.canParse(configured)) return false;
  const [url, base] = [new URL(given), new URL(configured)];
  const folder = base.pathname.replace(/\/?$/, '/');
  return url.origin === base.origin && (url.pathname === base.pathname || url.pathname.startsWith(folder));
}

export function withQuery(url: string, query: Record<string, string | undefined>): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(query)) if (value) target.searchParams.set(name, value);
  return target.href;
}

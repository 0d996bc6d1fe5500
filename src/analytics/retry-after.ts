/** A mistake in the header must not silence the bot for years. */
const maxMs = 3_600_000;

/** RFC 9110, 10.2.3: seconds, or an HTTP date. Milliseconds from `nowMs`, from 0 to an hour. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const value = header.trim();
  if (/^\d+$/.test(value)) return Math.min(maxMs, Number(value) * 1000);
  if (!/^[A-Za-z]{3}.*\d{2}:\d{2}:\d{2}/.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.min(maxMs, Math.max(0, at - nowMs));
}

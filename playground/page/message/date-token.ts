import { dayOf, format, nearDay } from '../model/time.ts';

/**
 * Formats Slack's `<!date^UNIX^{date_short} at {time}|fallback>` in the reader's zone.
 * @see https://docs.slack.dev/messaging/formatting-message-text#date-formatting
 */
export function formatDateToken(token: {
  seconds: number;
  pattern: string;
  zone: string;
  now: number;
}): string {
  const { seconds, pattern, zone, now } = token;
  return pattern.replace(
    /\{(\w+)\}/g,
    (whole, name: string) => part(name, seconds * 1000, zone, now) ?? whole,
  );
}

const STYLES: Record<string, Intl.DateTimeFormatOptions> = {
  date: { day: 'numeric', month: 'long', year: 'numeric' },
  date_short: { day: 'numeric', month: 'short', year: 'numeric' },
  date_long: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  time: { timeStyle: 'short' },
  time_secs: { timeStyle: 'medium' },
};

function part(name: string, ms: number, zone: string, now: number): string | undefined {
  if (name === 'ago') return ago(ms, now);
  if (name === 'date_num') return dayOf(ms, zone);
  const pretty = /^(.+)_pretty$/.exec(name);
  const near = pretty && nearDay(ms, zone, now)?.toLowerCase();
  if (near) return near;
  const style = STYLES[pretty?.[1] ?? name];
  return style && format(ms, zone, style);
}

const STEPS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

function ago(ms: number, now: number): string {
  const [unit, size] = STEPS.find(([, size]) => Math.abs(ms - now) >= size) ?? (['second', 1000] as const);
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.round((ms - now) / size), unit);
}

import { minutesOrAuto, whole } from './checks.ts';
import type { Settings } from './reading.ts';

/** Watches, digests and what is stored of them. */
export const scheduleSettings = {
  WATCH_POLL_MINUTES: {
    schema: minutesOrAuto,
    description:
      'Minutes between two polls of what is watched: `auto` goes by the nearest ETA (15 minutes to 6 hours); a number, fractions too, is for trials.',
  },
  WATCH_MAX_PER_CHANNEL: {
    schema: whole(1, 100_000).default(1000),
    description: 'The most watches that one channel may have.',
  },
  DIGEST_MAX_PER_CHANNEL: {
    schema: whole(1, 10_000).default(50),
    description: 'The most digests that one channel may have.',
  },
  ANALYTICS_DAILY_CALLS: {
    schema: whole(1, 10_000_000).optional(),
    description:
      'Calls a day that watches may make of the service; when they need more, they poll less often. Without it there is no bound.',
  },
  HISTORY_DAYS: {
    schema: whole(1, 36_500).default(400),
    description: 'How long polled predictions, and who changed what, are kept, in days.',
  },
  LEASE_MS: {
    schema: whole(1000, 600_000).default(30_000),
    description:
      'How long one instance holds a piece of work, in milliseconds, before another may take it over (a crash).',
  },
} satisfies Settings;

import { minutesOrAuto, type Settings, whole } from './setting.ts';

export const scheduleSettings = {
  WATCH_POLL_MINUTES: {
    schema: minutesOrAuto,
    description:
      'Minutes between two polls of a watched vessel or port: `auto` follows the nearest ETA (15 minutes to 6 hours); a fixed number, decimals allowed, is for tests.',
  },
  WATCH_MAX_PER_CHANNEL: {
    schema: whole(1, 100_000).default(1000),
    description: 'Maximum number of watches in one channel.',
  },
  DIGEST_MAX_PER_CHANNEL: {
    schema: whole(1, 10_000).default(50),
    description: 'Maximum number of digests in one channel.',
  },
  ANALYTICS_DAILY_CALLS: {
    schema: whole(1, 10_000_000).optional(),
    description:
      'Maximum calls per day (UTC) for the watches, digests and assistants of one workspace. When watches need more, they poll less often; they leave room for what digests used the day before, up to half of it. Once the workspace has sent so many calls, digests and assistants get no new answers until the next day; people who ask in Slack always do. The workspace admins who use Landfall are notified when the watches need 80% of it, and all of it. Without it there is no limit.',
  },
  HISTORY_DAYS: {
    schema: whole(1, 36_500).default(400),
    description: 'How long polled predictions, the audit log and the counts of calls are stored, in days.',
  },
  LEASE_MS: {
    schema: whole(5_000, 600_000).default(30_000),
    description:
      "How long an instance's claim on a job lasts, in milliseconds, at least 5000. If the instance crashes, another takes over when the claim expires.",
  },
} satisfies Settings;

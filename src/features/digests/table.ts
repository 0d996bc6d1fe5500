import { defineTable } from '../table.ts';
import type { Digest } from './digest.ts';
import { formatSchedule } from './schedule-words.ts';

export const digestsTable = defineTable<Digest>({
  name: 'digests',
  about: 'A digest',
  columns: [
    { key: 'number', about: 'its number in the channel', value: ({ number }) => number },
    { key: 'title', about: 'its title', value: ({ title }) => title },
    {
      key: 'channel_id',
      about: "Slack's id of the channel; of the owner for a personal digest",
      value: ({ channelId }) => channelId,
    },
    { key: 'owner_id', about: "Slack's id of the owner", value: ({ ownerId }) => ownerId },
    { key: 'schedule', about: 'when it is sent, as it is typed', value: formatSchedule },
    { key: 'lines', about: 'its command lines, separated by `; `', value: ({ lines }) => lines.join('; ') },
    {
      key: 'is_only_news',
      about: '`true` if it is not sent without news',
      value: ({ onlyNews }) => onlyNews,
    },
    { key: 'status', about: '`active` or `paused`', value: ({ status }) => status },
    {
      key: 'next_run_at',
      about: 'when it is sent next, in UTC; empty while paused',
      value: ({ status, nextRunAt }) => (status === 'active' ? nextRunAt : undefined),
    },
  ],
});

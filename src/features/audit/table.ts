import { defineTable } from '../table.ts';
import { changeDetails, changeInWords, type Item, type ShownChange } from './change-words.ts';

export const auditTable = defineTable<ShownChange>({
  name: 'audit',
  about: 'A change, the newest first',
  columns: [
    { key: 'at', about: 'when, in UTC', value: ({ at }) => at },
    {
      key: 'actor_id',
      about: "Slack's id of the person; `landfall` for the bot itself",
      value: ({ actorId }) => actorId,
    },
    { key: 'action', about: 'such as `watch.stop`', value: ({ action }) => action },
    { key: 'subject', about: 'what was changed', value: ({ subject }) => subject },
    { key: 'channel_id', about: "Slack's id of the channel", value: ({ channelId }) => channelId },
    { key: 'change', about: 'in words', value: changeInWords },
    { key: 'details', about: 'what was before, and what is after it', value: detailsOf },
  ],
});

/** `owner: U1 → U2; alerts: in the thread only → …`. Times in it are relative to the change. */
function detailsOf(change: ShownChange): string {
  return changeDetails(change, change.at)
    .map(({ label, before, after }) => {
      const sides = [before, after].flatMap((items) => (items ? [sideOf(items)] : []));
      return `${label}: ${sides.join(' → ')}`;
    })
    .join('; ');
}

const sideOf = (items: readonly Item[]): string =>
  items.map((item) => (typeof item === 'string' ? item : item.person)).join(', ') || 'nothing';

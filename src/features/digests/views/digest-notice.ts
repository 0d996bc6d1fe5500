import { actions, button, sections } from '../../../messages/blocks.ts';
import type { Message } from '../../../messages/message.ts';
import { channelMention, escaped } from '../../../messages/mrkdwn.ts';
import { digestActionIds } from '../action-ids.ts';
import type { Digest } from '../digest.ts';

type Named = Pick<Digest, 'id' | 'title' | 'channelId' | 'destination'>;

/** What became of a digest, with the way back. */
export function digestNotice(
  { id, title, channelId, destination }: Named,
  what: 'running' | 'paused' | 'resumed' | 'removed',
): Message {
  const isOwn = destination === 'direct-message';
  const where = isOwn ? 'your own digest' : `the digest in ${channelMention(channelId)}`;
  const verb = { running: 'On its way', paused: 'Paused', resumed: 'Resumed', removed: 'Removed' }[what];
  const text = `${verb}: “${escaped(title)}”, ${where}.`;
  const back = {
    running: [],
    paused: [button({ id: digestActionIds.resume, label: 'Resume', value: id })],
    resumed: [button({ id: digestActionIds.pause, label: 'Pause', value: id })],
    removed: [],
  }[what];
  return { text, blocks: [...sections([text]), ...actions(back)] };
}

export function removeQuestion({ id, title, channelId, destination }: Named): Message {
  const where = destination === 'direct-message' ? '' : ` in ${channelMention(channelId)}`;
  const text = `Remove the digest “${escaped(title)}”${where}? It is not sent any more; what was sent stays.`;
  const yes = button({ id: digestActionIds.remove, label: 'Remove it', value: id });
  return { text, blocks: [...sections([text]), ...actions([{ ...yes, style: 'danger' }])] };
}

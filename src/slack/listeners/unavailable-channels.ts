import type { App } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../log.ts';
import { slackCode } from '../posting/post-errors.ts';
import type { InFlight } from '../receivers/in-flight.ts';

export interface UnavailableChannelsOptions {
  /** A client with a short timeout. */
  client: WebClient;
  inFlight: InFlight;
  /** Pauses the channel's watches and digests, and notifies their owners once. */
  markUnavailable(channel: { channelId: string; code: string }): Promise<void>;
  /** Sends the notices to the owners. */
  runDue(): Promise<void>;
  logger: Logger;
}

/** The error that a post to the channel would get after each event. */
const events = {
  channel_archive: 'is_archived',
  group_archive: 'is_archived',
  channel_left: 'not_in_channel',
  group_left: 'not_in_channel',
  channel_deleted: 'channel_not_found',
  group_deleted: 'channel_not_found',
} as const;

/** Acts when a channel is archived or deleted, or the bot removed from it, before the next post there fails. */
export function listenToUnavailableChannels(app: App, options: UnavailableChannelsOptions): void {
  const { client, inFlight, markUnavailable, runDue, logger } = options;
  const pause = async (channelId: string, eventCode: string) => {
    const code = await currentCode(client, channelId, eventCode);
    if (code === undefined) return;
    await markUnavailable({ channelId, code });
    logger.info({ channel: channelId, code }, 'a channel is unavailable: its watches and digests are paused');
    await runDue();
  };
  // Slack sends an acknowledged event only once, so a stop waits for this work.
  const handle = (channelId: string, eventCode: string) => inFlight.track(pause(channelId, eventCode));
  const { channel_archive, channel_left, channel_deleted, group_archive, group_left, group_deleted } = events;
  app.event('channel_archive', ({ event }) => handle(event.channel, channel_archive));
  app.event('channel_left', ({ event }) => handle(event.channel, channel_left));
  app.event('channel_deleted', ({ event }) => handle(event.channel, channel_deleted));
  app.event('group_archive', ({ event }) => handle(event.channel, group_archive));
  app.event('group_left', ({ event }) => handle(event.channel, group_left));
  app.event('group_deleted', ({ event }) => handle(event.channel, group_deleted));
}

/** Events may come minutes late, so Slack is asked: undefined if the bot is back. If it fails, the event's code. */
async function currentCode(
  client: WebClient,
  channel: string,
  eventCode: string,
): Promise<string | undefined> {
  try {
    const { channel: found } = await client.conversations.info({ channel });
    if (found?.is_archived) return 'is_archived';
    return found?.is_member ? undefined : 'not_in_channel';
  } catch (error) {
    return slackCode(error) === 'channel_not_found' ? 'channel_not_found' : eventCode;
  }
}

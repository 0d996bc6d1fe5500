import type { App } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../log.ts';
import { slackCode } from '../posting/post-errors.ts';
import type { InFlight } from '../receivers/in-flight.ts';

export interface UnavailableChannelsOptions {
  /** The client of what people wait for: nobody waits long. */
  client: WebClient;
  inFlight: InFlight;
  /** What stands in the channel is paused, and its owners are told, once. */
  markUnavailable(channel: { channelId: string; code: string }): Promise<void>;
  /** Sends what that gives to tell. */
  runDue(): Promise<void>;
  logger: Logger;
}

/** What each event says of a channel, in the words that a post there would meet. */
const events = {
  channel_archive: 'is_archived',
  group_archive: 'is_archived',
  channel_left: 'not_in_channel',
  group_left: 'not_in_channel',
  channel_deleted: 'channel_not_found',
  group_deleted: 'channel_not_found',
} as const;

/** A channel was archived or deleted, or the bot removed from it: its owners hear of it now, not at the next post. */
export function listenToUnavailableChannels(app: App, options: UnavailableChannelsOptions): void {
  const { client, inFlight, markUnavailable, runDue, logger } = options;
  const pause = async (channelId: string, said: string) => {
    const code = await codeOf(client, channelId, said);
    if (code === undefined) return;
    await markUnavailable({ channelId, code });
    logger.info({ channel: channelId, code }, 'a channel is unavailable: what stands there is paused');
    await runDue();
  };
  // Slack has its answer by now and says it only once: a stop waits for it.
  const lose = (channelId: string, said: string) => inFlight.track(pause(channelId, said));
  const { channel_archive, channel_left, channel_deleted, group_archive, group_left, group_deleted } = events;
  app.event('channel_archive', ({ event }) => lose(event.channel, channel_archive));
  app.event('channel_left', ({ event }) => lose(event.channel, channel_left));
  app.event('channel_deleted', ({ event }) => lose(event.channel, channel_deleted));
  app.event('group_archive', ({ event }) => lose(event.channel, group_archive));
  app.event('group_left', ({ event }) => lose(event.channel, group_left));
  app.event('group_deleted', ({ event }) => lose(event.channel, group_deleted));
}

/** Slack repeats events minutes later: undefined where all is well again. Where it can't be asked, it was right. */
async function codeOf(client: WebClient, channel: string, said: string): Promise<string | undefined> {
  try {
    const { channel: found } = await client.conversations.info({ channel });
    if (found?.is_archived) return 'is_archived';
    return found?.is_member ? undefined : 'not_in_channel';
  } catch (error) {
    return slackCode(error) === 'channel_not_found' ? 'channel_not_found' : said;
  }
}

import type { App } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../log.ts';
import { type Installation, isForInstallation } from '../connection/installation.ts';
import { type EdgeParts, partsOf } from '../edge-parts.ts';
import { slackCode } from '../posting/slack-errors.ts';
import type { InFlight } from '../receivers/in-flight.ts';

export interface LifecycleOptions {
  installation: Installation;
  /** Deletes everything that is stored about the workspace. */
  forgetWorkspace(): Promise<void>;
  inFlight: InFlight;
  /** The bot can't use Slack until somebody reinstalls it. */
  onTokenRevoked(): void;
  logger: Logger;
}

/** The app was uninstalled, or the bot's token revoked. Events of other workspaces are ignored. */
export function listenToLifecycle(app: App, options: LifecycleOptions): void {
  const { installation, inFlight, forgetWorkspace, onTokenRevoked, logger } = options;
  const workspace = installation.teamId;
  app.event('app_uninstalled', async ({ body }) => {
    if (!isForInstallation(body, installation)) return;
    onTokenRevoked();
    await inFlight.track(forgetWorkspace());
    logger.warn({ workspace }, 'uninstalled: everything stored of the workspace is deleted');
  });
  app.event('tokens_revoked', async ({ body, event }) => {
    if (!isForInstallation(body, installation)) return;
    if (!event.tokens.bot?.includes(installation.botUserId)) return;
    onTokenRevoked();
    logger.warn({ workspace }, "the bot's token was revoked");
  });
}

/** The error that a post to the channel would get after each event. */
const codeByEvent = {
  channel_archive: 'is_archived',
  group_archive: 'is_archived',
  channel_left: 'not_in_channel',
  group_left: 'not_in_channel',
  channel_deleted: 'channel_not_found',
  group_deleted: 'channel_not_found',
} as const;

/** Acts when a channel is archived or deleted, or the bot removed from it, before the next post there fails. */
export function listenToUnavailableChannels(app: App, logger: Logger): void {
  const markIfUnavailable = async (channelId: string, eventCode: string, parts: EdgeParts) => {
    const code = await currentCode(parts.reads, channelId, eventCode);
    if (code === undefined) return;
    await parts.markUnavailable({ channelId, code });
    logger.info({ channel: channelId, code }, 'a channel is unavailable: its watches and digests are paused');
    // Sends the notices to the owners.
    await parts.runDue();
  };
  // Object.keys does not keep the type of the keys.
  for (const type of Object.keys(codeByEvent) as (keyof typeof codeByEvent)[]) {
    app.event(type, ({ event, context }) => {
      const parts = partsOf(context);
      // Slack sends an acknowledged event only once, so a stop waits for this work.
      return parts.inFlight.track(markIfUnavailable(event.channel, codeByEvent[type], parts));
    });
  }
}

/** Asks Slack, since events may come minutes late. Undefined if the bot is back; the event's code if Slack fails. */
async function currentCode(
  client: WebClient,
  channelId: string,
  eventCode: string,
): Promise<string | undefined> {
  try {
    const { channel } = await client.conversations.info({ channel: channelId });
    if (channel?.is_archived) return 'is_archived';
    return channel?.is_member ? undefined : 'not_in_channel';
  } catch (error) {
    return slackCode(error) === 'channel_not_found' ? 'channel_not_found' : eventCode;
  }
}

import type { WebClient } from '@slack/web-api';
import type { SendFile } from '../../features/feature.ts';
import type { Logger } from '../../log.ts';

/** Sends a file to a person's direct messages. False where Slack refuses it, such as without `files:write`. */
export function createSendFile({ client, logger }: { client: WebClient; logger: Logger }): SendFile {
  return async (userId, { name, title, content }) => {
    try {
      const { channel } = await client.conversations.open({ users: userId });
      if (!channel?.id) return false;
      await client.filesUploadV2({
        channel_id: channel.id,
        filename: name,
        title,
        file: Buffer.from(content),
        initial_comment: title,
      });
      return true;
    } catch (error) {
      logger.warn({ err: error }, 'a file was not sent');
      return false;
    }
  };
}

import type { WebClient } from '@slack/web-api';
import type { SendFile } from '../../features/feature.ts';
import type { Logger } from '../../log.ts';

/** Into the direct message with a person. False where Slack refuses it, as without the scope `files:write`. */
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
      logger.warn({ err: error }, 'a file could not be sent');
      return false;
    }
  };
}

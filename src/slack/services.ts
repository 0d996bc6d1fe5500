import type { SlackServices } from '../features/feature.ts';
import type { Logger } from '../log.ts';
import type { SlackConnection } from './connection/connect.ts';
import { createChannelCheck } from './people/check-channel.ts';
import { createOwnerCheck, type OwnerCheckOptions } from './people/check-owner.ts';
import { createOwnDms } from './people/own-dms.ts';
import { createChannelMessages } from './posting/channel-messages.ts';
import { createSendFile } from './posting/send-file.ts';

/** What the features of a workspace need of Slack. */
export function createSlackServices(
  { clients, people, audiences }: SlackConnection,
  {
    getJoinedChannels,
    guests,
    logger,
  }: Pick<OwnerCheckOptions, 'getJoinedChannels' | 'guests'> & { logger: Logger },
): SlackServices {
  const { reads, posts: client } = clients;
  return {
    personOf: people.of,
    audienceOf: audiences.of,
    directMessageOf: createOwnDms({ client: reads }).of,
    checkChannel: createChannelCheck(reads),
    checkOwner: createOwnerCheck({ people, getJoinedChannels, guests }),
    sendFile: createSendFile({ client, logger }),
    messages: createChannelMessages(client),
  };
}

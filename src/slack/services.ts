import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { messageOf, UserError } from '../errors.ts';
import type { ChannelMessages, SlackServices } from '../features/services.ts';
import type { Logger } from '../log.ts';
import { PostError, postRefusal } from '../outbox/outgoing-message.ts';
import type { GuestSetting } from '../workspaces/settings.ts';
import type { SlackConnection } from './connection/connect.ts';
import { missingScope, scopeAdvice } from './install/scopes.ts';
import { asPostError, type RefusedBlocks, slackCode } from './posting/deliver.ts';
import { createMessenger } from './posting/messenger.ts';

/** What the features of a workspace need from Slack. */
export function createSlackServices(
  { clients, lookups, refused, installation: { grantUrl } }: SlackConnection,
  { guests, logger }: { guests: Pick<GuestSetting, 'get'>; logger: Logger },
): SlackServices {
  const { personOf, audienceOf, readersOf, publicityOf, directMessageOf, getJoinedChannels } = lookups;
  const messages = createChannelMessages(clients.posts, refused);

  /** Slack says which file it has, but not in which message. Undefined if it can't be found at once. */
  async function linkToFile(fileId: string, channelId: string): Promise<string | undefined> {
    const newest = await clients.reads.conversations
      .history({ channel: channelId, limit: 5 })
      .catch(() => undefined);
    const ts = newest?.messages?.find(({ files }) => files?.some(({ id }) => id === fileId))?.ts;
    return ts === undefined ? undefined : await messages.linkTo({ channelId, ts });
  }

  return {
    ...{ personOf, audienceOf, readersOf, publicityOf, directMessageOf },
    async asksOnly(userId) {
      const { isGuest, isUnknown } = await personOf(userId);
      return isUnknown || (isGuest && (await guests.get()) !== 'full');
    },
    async checkChannel(channelId) {
      const refusal = (code: string) => new PostError({ code, isPermanent: true });
      try {
        const { channel } = await clients.reads.conversations.info({ channel: channelId });
        if (channel?.is_im) return;
        if (channel?.is_archived) throw refusal('is_archived');
        if (!channel?.is_member) throw refusal('not_in_channel');
      } catch (error) {
        const cause = asPostError(error);
        throw postRefusal(cause) ?? cause;
      }
    },
    async checkOwner({ userId, channelId }) {
      const { isOutside, isGone, isGuest, isUnknown } = await personOf(userId);
      if (isOutside && !isUnknown)
        throw badOwner('That person is of another organisation, which Landfall does not serve.');
      if (isGone) throw badOwner('That is an app, or somebody who has left the workspace.');
      if (isGuest && (await guests.get()) !== 'full')
        throw badOwner("That person is a guest, and guests can't change anything here.");
      const channels = await getJoinedChannels(userId).catch(noChannelsIfUnknown);
      if (!channels.has(channelId))
        throw badOwner(
          'That person is not in the channel, so they would not see it.',
          'Ask them to join it first.',
        );
      if (isUnknown)
        throw badOwner("Slack can't tell me who that person is right now.", 'Please try again in a minute.');
    },
    async sendFile(userId, { name, title, content }) {
      try {
        const file = { filename: name, title, initial_comment: title, file: Buffer.from(content) };
        const channelId = await directMessageOf(userId);
        const sent = await clients.posts.filesUploadV2({ channel_id: channelId, ...file });
        const [id] = uploadedFiles.parse(sent);
        return { isSent: true, url: id && (await linkToFile(id, channelId)) };
      } catch (error) {
        const scope = missingScope(error);
        logger.warn({ scope, reason: messageOf(error) }, 'a file was not sent');
        return { isSent: false, ...(scope && { advice: scopeAdvice(scope, grantUrl) }) };
      }
    },
    messages,
  };
}

/** The ids in the answer of `filesUploadV2`: one for each file. */
const uploadedFiles = z
  .object({ files: z.array(z.object({ files: z.array(z.object({ id: z.string() })).catch([]) })).catch([]) })
  .transform(({ files }) => files.flatMap((each) => each.files.map(({ id }) => id)));

/** A person whom Slack does not know is in no channel. */
function noChannelsIfUnknown(error: unknown): ReadonlySet<string> {
  if (slackCode(error) === 'user_not_found') return new Set();
  throw error;
}

const badOwner = (message: string, hint?: string): UserError =>
  new UserError({
    code: 'bad-owner',
    message: `${message} Nothing was changed.`,
    ...(hint !== undefined && { hint }),
  });

export function createChannelMessages(client: WebClient, refused?: RefusedBlocks): ChannelMessages {
  // A person waits, and the claim to add a watch expires after 15 s.
  const messenger = createMessenger(client, { maxWaitSeconds: 8, refused });
  return {
    async post({ channelId: channel, id }, message) {
      try {
        return { ts: await messenger.post({ channel, id }, message) };
      } catch (error) {
        throw asPostError(error);
      }
    },
    update: ({ channelId: channel, ts }, message) => messenger.update({ channel, ts }, message),
    async remove({ channelId: channel, ts }) {
      await client.chat.delete({ channel, ts });
    },
    async linkTo({ channelId: channel, ts }) {
      const answer = await client.chat.getPermalink({ channel, message_ts: ts }).catch(() => undefined);
      return answer?.permalink;
    },
  };
}

import type { App } from '@slack/bolt';
import type { FileShareMessageEvent } from '@slack/types';
import type { RunContext } from '../../features/run-context.ts';
import { workingNotice } from '../../messages/frame/notices.ts';
import { type Ask, destinationOf, type Replies } from '../dispatch/ask.ts';
import { type EdgeParts, partsOf } from '../edge-parts.ts';
import type { Messenger } from '../posting/messenger.ts';
import { slackCode } from '../posting/slack-errors.ts';
import { downloadFile } from './download-file.ts';

interface TypedMessage {
  channel: string;
  ts: string;
  thread_ts?: string | undefined;
  user?: string | undefined;
  text?: string | undefined;
  team?: string | undefined;
  user_team?: string | undefined;
}

const maxFiles = 5;

/** Lines typed in the DM with the bot, and after an `@mention` in a channel (answered in its thread). */
export function listenToMessages(app: App): void {
  app.event('app_mention', async ({ event, context }) => {
    // Bolt's type lacks `user_team`, which Slack sends from shared channels.
    const message = event as TypedMessage;
    const answerThread = event.thread_ts ?? event.ts;
    await runLine(message, { answerThread, visibility: 'unless-personal' }, partsOf(context));
  });
  app.message(async ({ message, context }) => {
    if (message.channel_type !== 'im') return;
    const parts = partsOf(context);
    if (message.subtype === 'file_share') return await importFiles(message, parts);
    if (message.subtype !== undefined || message.bot_id) return;
    // Bolt's type lacks `user_team` here too.
    const typed = message as TypedMessage;
    await runLine(typed, { answerThread: message.thread_ts, visibility: 'private' }, parts);
  });
}

async function importFiles(
  message: FileShareMessageEvent,
  { features, dispatch, runOnce, messenger, download, installation }: EdgeParts,
): Promise<void> {
  const { channel: channelId, user: userId, thread_ts: threadTs, files = [] } = message;
  const [takeFile] = features.flatMap((feature) => feature.takeFile ?? []);
  // Slack also delivers the bot's own files.
  if (!takeFile || userId === installation.botUserId) return;
  const user = { id: userId, teamId: undefined };
  for (const file of files.slice(0, maxFiles)) {
    const line = {
      name: 'shared file',
      run: (context: RunContext) =>
        takeFile({ name: file.name ?? undefined, read: () => downloadFile(file, download) }, context),
    };
    const replies = messageReplies(messenger, { user, channelId, threadTs, answerThread: threadTs });
    await runOnce(`file ${file.id}`, () => dispatch({ surface: 'file', line, user, channelId }, replies));
  }
}

async function runLine(
  message: TypedMessage,
  { answerThread, visibility }: { answerThread: string | undefined } & Pick<Ask, 'visibility'>,
  { dispatch, runOnce, messenger, installation }: EdgeParts,
): Promise<void> {
  const { channel: channelId, ts, thread_ts: threadTs, user: userId, text = '' } = message;
  if (!userId) return;
  // A mention in a DM comes as two events, and each may be repeated: they share the `ts`.
  const key = `message ${channelId} ${ts}`;
  const ask: Ask = {
    surface: 'message',
    key,
    // A bare mention in the thread of a watch's card asks for its vessel.
    line: withoutMention(text, installation.botUserId) || (threadTs ? '' : 'help'),
    user: { id: userId, teamId: message.user_team ?? message.team },
    channelId,
    threadTs,
    visibility,
    inThread: answerThread !== undefined,
  };
  await runOnce(key, () => dispatch(ask, messageReplies(messenger, { ...ask, answerThread })));
}

interface Target extends Pick<Ask, 'user' | 'channelId' | 'threadTs'> {
  /** The thread to which a visible answer goes. Ephemerals show only in the thread in which the person wrote. */
  answerThread: string | undefined;
}

/** A slow answer replaces a placeholder. In a direct message a private answer is an ordinary message. */
function messageReplies(messenger: Messenger, target: Target): Replies {
  const { user, channelId: channel, threadTs, answerThread } = target;
  const isDm = destinationOf(target) === 'direct-message';
  const visible = { channel, ...(answerThread && { threadTs: answerThread }) };
  const ephemeral = { channel, user: user.id, ...(threadTs && { threadTs }) };
  let placeholder: string | undefined;

  const send: Replies['failure'] = async (message, visibility) => {
    if (visibility === 'private' && !isDm) return await messenger.postEphemeral(ephemeral, message);
    if (placeholder) {
      try {
        return await messenger.update({ channel, ts: placeholder }, message);
      } catch (error) {
        // Somebody deleted the placeholder.
        if (slackCode(error) !== 'message_not_found') throw error;
      }
    }
    await messenger.post(visible, message);
  };
  return {
    async working(visibility) {
      if (visibility === 'private' && !isDm) return await messenger.postEphemeral(ephemeral, workingNotice);
      placeholder = await messenger.post(visible, workingNotice);
    },
    answer: send,
    failure: send,
    decline: (message) => messenger.postEphemeral(ephemeral, message),
  };
}

function withoutMention(text: string, botUserId: string): string {
  return text.replaceAll(new RegExp(`<@${botUserId}(\\|[^>]*)?>`, 'g'), ' ').trim();
}

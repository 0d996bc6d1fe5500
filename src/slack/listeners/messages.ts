import type { App } from '@slack/bolt';
import type { FileShareMessageEvent } from '@slack/types';
import type { Message } from '../../answers/message.ts';
import { workingNotice } from '../../answers/slack/notices.ts';
import { messageOf } from '../../errors.ts';
import type { AskCtx } from '../../features/ctx.ts';
import { runOnce, type SlackContext, slackFor } from '../context.ts';
import { type Ask, destinationOf, type Replies } from '../dispatch/ask.ts';
import { dispatch } from '../dispatch/dispatch.ts';
import { createResponseUrl, type ResponseUrl } from '../posting/response-url.ts';
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
    await runLine(message, { answerThread, visibility: 'unless-personal' }, slackFor(context));
  });
  app.message(async ({ message, context }) => {
    if (message.channel_type !== 'im') return;
    const slack = slackFor(context);
    if (message.subtype === 'file_share') return await importFiles(message, slack);
    // A broadcast is a reply in a thread that the person has sent to the conversation too.
    if (message.subtype !== undefined && message.subtype !== 'thread_broadcast') return;
    if ('bot_id' in message && message.bot_id) return;
    // Bolt's type lacks `user_team` here too.
    const typed = message as TypedMessage;
    await runLine(typed, { answerThread: threadInDm(typed, slack), visibility: 'private' }, slack);
  });
}

/** With an agent, each message that a person writes outside of a thread begins one. */
const threadInDm = ({ thread_ts, ts }: Pick<TypedMessage, 'thread_ts' | 'ts'>, { isAgent }: SlackContext) =>
  thread_ts ?? (isAgent ? ts : undefined);

async function importFiles(message: FileShareMessageEvent, slack: SlackContext): Promise<void> {
  const { channel: channelId, user: userId, thread_ts: threadTs, files = [] } = message;
  const [takeFile] = slack.features.flatMap((feature) => feature.takeFile ?? []);
  // Slack also delivers the bot's own files.
  if (!takeFile || userId === slack.installation.botUserId) return;
  const user = { id: userId, teamId: undefined };
  for (const file of files.slice(0, maxFiles)) {
    const line = {
      name: 'shared file',
      run: (context: AskCtx) =>
        takeFile({ name: file.name ?? undefined, read: () => downloadFile(file, slack) }, context),
    };
    const ask: Ask = { surface: 'file', line, user, channelId, threadTs };
    await runOnce(`file ${file.id}`, () => answer(ask, threadInDm(message, slack), slack), slack);
  }
}

async function runLine(
  message: TypedMessage,
  { answerThread, visibility }: { answerThread: string | undefined } & Pick<Ask, 'visibility'>,
  slack: SlackContext,
): Promise<void> {
  const { channel: channelId, ts, thread_ts: threadTs, user: userId, text = '' } = message;
  if (!userId) return;
  // A mention in a DM comes as two events, and each may be repeated: they share the `ts`.
  const key = `message ${channelId} ${ts}`;
  const ask: Ask = {
    surface: 'message',
    key,
    // A bare mention in the thread of a watch's card asks for its vessel.
    line: withoutMention(text, slack.installation.botUserId) || (threadTs ? '' : 'help'),
    user: { id: userId, teamId: message.user_team ?? message.team },
    channelId,
    threadTs,
    visibility,
    inThread: answerThread !== undefined,
  };
  await runOnce(key, () => answer(ask, answerThread, slack), slack);
}

/** `answerThread`: where a visible answer goes. Ephemerals show only in the thread in which the person wrote. */
async function answer(ask: Ask, answerThread: string | undefined, slack: SlackContext): Promise<void> {
  const { replies, end } = messageReplies(ask, answerThread, slack);
  await dispatch(ask, replies, slack).finally(end);
}

/** «Landfall is working on it …» in a thread, until something is posted there, or for two minutes: Slack then removes it. */
function startStatus(thread: { channel: string; ts: string }, { clients, logger }: SlackContext) {
  const where = { channel_id: thread.channel, thread_ts: thread.ts };
  const set = async (status: string): Promise<boolean> => {
    try {
      await clients.statuses.assistant.threads.setStatus({ ...where, status });
      return true;
    } catch (error) {
      logger.warn({ reason: messageOf(error) }, 'Slack took no status');
      return false;
    }
  };
  const isShown = set('is working on it …');
  return {
    /** False if Slack doesn't show it. Never rejects. */
    isShown,
    /** For a thread in which nothing was posted. */
    async clear() {
      if (await isShown) await set('');
    },
  };
}

/** A slow answer replaces a placeholder, or a status. In a direct message a private answer is an ordinary message. */
function messageReplies(ask: Ask, answerThread: string | undefined, slack: SlackContext) {
  const { user, channelId: channel, threadTs } = ask;
  const { messenger } = slack;
  const isDm = destinationOf(ask) === 'direct-message';
  const status =
    slack.isAgent && answerThread && isDm ? startStatus({ channel, ts: answerThread }, slack) : undefined;
  const visible = { channel, ...(answerThread && { threadTs: answerThread }) };
  const ephemeral = { channel, user: user.id, ...(threadTs && { threadTs }) };
  let placeholder: string | undefined;
  let hasPosted = false;
  const post = async (message: Message): Promise<string> => {
    // Slack would show a status that comes later than the answer.
    await status?.isShown;
    const ts = await messenger.post(visible, message);
    hasPosted = true;
    return ts;
  };

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
    await post(message);
  };
  const replies: Replies = {
    async working(visibility) {
      if (visibility === 'private' && !isDm) return await messenger.postEphemeral(ephemeral, workingNotice);
      if (await status?.isShown) return;
      placeholder = await post(workingNotice);
    },
    answer: send,
    failure: send,
    // Slack would not show an ephemeral in a thread that it begins.
    decline: (message) => (status ? send(message, 'private') : messenger.postEphemeral(ephemeral, message)),
  };
  return { replies, end: async () => (hasPosted ? undefined : status?.clear()) };
}

function withoutMention(text: string, botUserId: string): string {
  return text.replaceAll(new RegExp(`<@${botUserId}(\\|[^>]*)?>`, 'g'), ' ').trim();
}

/**
 * All slash commands: `/landfall nextport 9461477`, `/nextport 9461477`. They end in a middleware, because Bolt asks
 * every listener about every delivery, and a listener that doesn't want it takes time too.
 */
export function listenToSlash(app: App): void {
  app.use(async (args) => {
    if (!('command' in args)) return await args.next();
    const { ack, body, context } = args;
    await ack();
    const slack = slackFor(context);
    const key = `slash ${body.trigger_id}`;
    const ask = {
      surface: 'slash',
      key,
      line: `${body.command.replace(/^\//, '')} ${body.text ?? ''}`,
      user: { id: body.user_id, teamId: body.team_id, enterpriseId: body.enterprise_id },
      channelId: body.channel_id,
      visibility: 'as-typed',
    } as const;
    const response = createResponseUrl(body.response_url, slack);
    await runOnce(key, () => dispatch(ask, slashReplies(response), slack), slack);
  });
}

/** A slash command has no message to replace, so a slow answer is two ephemeral messages. */
function slashReplies({ send }: ResponseUrl): Replies {
  const ephemeral = { response_type: 'ephemeral' } as const;
  return {
    working: () => send(workingNotice, ephemeral),
    answer: (message, visibility) =>
      send(message, visibility === 'public' ? { response_type: 'in_channel' } : ephemeral),
    failure: (message) => send(message, ephemeral),
  };
}

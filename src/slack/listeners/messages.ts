import type { App } from '@slack/bolt';
import type { FileShareMessageEvent } from '@slack/types';
import type { Message } from '../../answers/message.ts';
import { workingNotice } from '../../answers/slack/notices.ts';
import { messageOf, UserError } from '../../errors.ts';
import type { AskCtx } from '../../features/ctx.ts';
import { runOnce, type SlackContext, slackFor } from '../context.ts';
import { type Ask, destinationOf, dispatch, type Replies } from '../dispatch.ts';
import { scopeAdvice } from '../install/scopes.ts';
import { createResponseUrl, type ResponseUrl, slackCode } from '../posting/deliver.ts';

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
    await answerMessage(message, { answerThread, visibility: 'unless-personal' }, slackFor(context));
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
    await answerMessage(typed, { answerThread: threadInDm(typed, slack), visibility: 'private' }, slack);
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

async function answerMessage(
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

/** `answerThread`: where a visible answer goes. Ephemerals show only in the thread where the person wrote. */
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
    /** For a thread without messages. */
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
      line: `${body.command} ${body.text ?? ''}`,
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

/** A shared file, as Slack describes it. */
export interface SharedFile {
  name?: string | null | undefined;
  size?: number | undefined;
  url_private_download?: string | null | undefined;
  url_private?: string | null | undefined;
}

const timeoutMs = 10_000;
const megabyte = 1_000_000;

/**
 * Reads a shared file. The token is sent only to Slack's own hosts, and redirects are not followed. Throws UserError
 * for a file that is too large, or that Slack does not give to the bot.
 */
export async function downloadFile(
  file: SharedFile,
  slack: Pick<SlackContext, 'getToken' | 'apiUrl' | 'fetch' | 'installation'>,
  maxBytes = 5 * megabyte,
): Promise<Uint8Array> {
  const { getToken, apiUrl, fetch, installation } = slack;
  const { grantUrl } = installation;
  const url = URL.parse(file.url_private_download ?? file.url_private ?? '');
  if (!url || !isSlack(url, apiUrl)) throw unreadable(grantUrl);
  if ((file.size ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${await getToken()}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  // Without the scope files:read Slack sends a page or a redirect.
  const isPage = response.headers.get('content-type')?.startsWith('text/html');
  if (!response.ok || isPage || !response.body) {
    await response.body?.cancel();
    throw unreadable(grantUrl);
  }
  return await readBounded(response.body, maxBytes);
}

function isSlack(url: URL, apiUrl: string): boolean {
  if (url.origin === new URL(apiUrl).origin) return true;
  return url.protocol === 'https:' && url.port === '' && /^(?:[a-z0-9-]+\.)*slack\.com$/.test(url.hostname);
}

/** The size that Slack gave may be wrong. */
async function readBounded(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const unreadable = (grantUrl: string | undefined) =>
  badFile(
    "Slack doesn't give Landfall access to that file, so nothing was changed.",
    `Please share it again. If that fails too, the scope files:read may be missing. ${scopeAdvice('files:read', grantUrl)}`,
  );

const tooLarge = (maxBytes: number) =>
  badFile(
    `That file is larger than ${Math.floor(maxBytes / megabyte)} MB, so nothing was changed.`,
    'A list of vessel names is much smaller: two columns, the IMO number and the name.',
  );

const badFile = (message: string, hint: string) => new UserError({ code: 'bad-file', message, hint });

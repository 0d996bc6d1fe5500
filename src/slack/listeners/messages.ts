import type { App } from '@slack/bolt';
import type { FileShareMessageEvent } from '@slack/types';
import type { RunContext } from '../../features/run-context.ts';
import type { Destination } from '../../messages/destination.ts';
import { workingNotice } from '../../messages/frame/notices.ts';
import { homeOf } from '../connection/installation.ts';
import { destinationOf } from '../destination-of.ts';
import type { Ask, Replies } from '../dispatch/ask.ts';
import type { EdgeParts } from '../edge-parts.ts';
import { deliver, type Rendering, SlackRefusal } from '../posting/deliver.ts';
import type { Posts } from '../posting/posts.ts';
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

const filesAtOnce = 5;

/** Lines typed in the DM with the bot, and after an `@mention` in a channel (answered in its thread). */
export function listenToMessages(app: App, parts: EdgeParts): void {
  app.event('app_mention', async ({ event }) => {
    // Bolt's type lacks `user_team`, which Slack sends from shared channels.
    await runLine(event as TypedMessage, {
      threadTs: event.thread_ts ?? event.ts,
      visibility: 'unless-personal',
    });
  });
  app.message(async ({ message }) => {
    if (message.channel_type !== 'im') return;
    if (message.subtype === 'file_share') return await importFiles(message);
    if (message.subtype !== undefined || message.bot_id) return;
    // As above.
    await runLine(message as TypedMessage, { threadTs: message.thread_ts, visibility: 'private' });
  });

  /** One answer per file. */
  const importFiles = async ({ channel, user, thread_ts: threadTs, files = [] }: FileShareMessageEvent) => {
    const { features, dispatch, deduplicate, inFlight, posts, download } = parts;
    const [takeFile] = features.flatMap((feature) => feature.takeFile ?? []);
    if (!takeFile) return;
    // Slack also delivers the bot's own files.
    if (user === parts.installation.botUserId) return;
    for (const file of files.slice(0, filesAtOnce)) {
      const ask = {
        surface: 'file' as const,
        line: {
          name: 'shared file',
          run: (context: RunContext) =>
            takeFile({ name: file.name ?? undefined, read: () => downloadFile(file, download) }, context),
        },
        userId: user,
        channelId: channel,
        destination: 'direct-message' as const,
        home: 'unsaid' as const,
        visibility: 'private' as const,
      };
      const place = { channel, destination: ask.destination, user };
      const replies = messageReplies(posts, { ...place, ...inThread(threadTs, threadTs) });
      await inFlight.track(deduplicate(`file ${file.id}`, () => dispatch(ask, replies)));
    }
  };

  const runLine = async (
    message: TypedMessage,
    { threadTs, visibility }: { threadTs: string | undefined; visibility: Ask['visibility'] },
  ) => {
    const { dispatch, deduplicate, inFlight, posts, installation } = parts;
    const { channel, ts, user, text = '' } = message;
    if (!user) return;
    const destination = destinationOf({ channelId: channel, userId: user });
    // A mention in a DM comes as two events, and each may be repeated: they share the `ts`.
    const key = `message ${channel} ${ts}`;
    const ask = {
      surface: 'message' as const,
      key,
      // A bare mention in the thread of a watch's card asks for its vessel.
      line: withoutMention(text, installation.botUserId) || (message.thread_ts ? '' : 'help'),
      userId: user,
      channelId: channel,
      destination,
      threadTs: message.thread_ts,
      home: homeOf({ teamId: message.user_team ?? message.team }, installation),
      visibility,
      inThread: threadTs !== undefined,
    };
    const place = { channel, destination, user };
    const replies = messageReplies(posts, { ...place, ...inThread(threadTs, message.thread_ts) });
    await inFlight.track(deduplicate(key, () => dispatch(ask, replies)));
  };
}

const inThread = (threadTs: string | undefined, sourceThreadTs: string | undefined) => ({
  ...(threadTs && { threadTs }),
  ...(sourceThreadTs && { sourceThreadTs }),
});

interface Target {
  channel: string;
  destination: Destination;
  user: string;
  /** The thread that the answer goes to. */
  threadTs?: string;
  /** The thread in which the person wrote, if any: ephemerals show nowhere else. */
  sourceThreadTs?: string;
}

/** A slow answer replaces a placeholder. In a direct message a private answer needs no ephemeral. */
function messageReplies(
  posts: Posts,
  { channel, destination, user, threadTs, sourceThreadTs }: Target,
): Replies {
  const isDm = destination === 'direct-message';
  let placeholder: string | undefined;
  const send: Replies['failure'] = async (message, visibility) => {
    if (visibility === 'private' && !isDm) return await sendEphemeral(message);
    await deliver(message, async (rendering) => {
      if (placeholder && (await replaced(placeholder, rendering))) return;
      await posts.post({ channel, ...(threadTs && { threadTs }) }, rendering);
    });
  };
  const sendEphemeral: Replies['decline'] = async (message) => {
    const target = { channel, user, ...(sourceThreadTs && { threadTs: sourceThreadTs }) };
    await deliver(message, (rendering) => posts.postEphemeral(target, rendering));
  };
  /** False when somebody deleted the placeholder meanwhile. */
  const replaced = async (ts: string, rendering: Rendering) => {
    try {
      await posts.update({ channel, ts }, rendering);
      return true;
    } catch (error) {
      if (error instanceof SlackRefusal && error.reason === 'message_not_found') return false;
      throw error;
    }
  };
  return {
    async working(visibility) {
      if (visibility === 'private' && !isDm) return await sendEphemeral(workingNotice);
      placeholder = await posts.post(
        { channel, ...(threadTs && { threadTs }) },
        { text: workingNotice.text },
      );
    },
    answer: send,
    failure: send,
    decline: sendEphemeral,
  };
}

function withoutMention(text: string, botUserId: string): string {
  return text.replaceAll(new RegExp(`<@${botUserId}(\\|[^>]*)?>`, 'g'), ' ').trim();
}

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

interface Spoken {
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
    await hear(event as Spoken, { threadTs: event.thread_ts ?? event.ts, visibility: 'unless-personal' });
  });
  app.message(async ({ message }) => {
    if (message.channel_type !== 'im') return;
    if (message.subtype === 'file_share') return await take(message);
    if (message.subtype !== undefined || message.bot_id) return;
    // The same here.
    await hear(message as Spoken, { threadTs: message.thread_ts, visibility: 'private' });
  });

  /** One answer for each file. */
  const take = async ({ channel, user, thread_ts: threadTs, files = [] }: FileShareMessageEvent) => {
    const { features, dispatch, deduplicate, inFlight, posts, download } = parts;
    const [takeFile] = features.flatMap((feature) => feature.takeFile ?? []);
    if (!takeFile) return;
    // Its own files come back to the bot like everybody's.
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

  const hear = async (
    spoken: Spoken,
    { threadTs, visibility }: { threadTs: string | undefined; visibility: Ask['visibility'] },
  ) => {
    const { dispatch, deduplicate, inFlight, posts, installation } = parts;
    const { channel, ts, user, text = '' } = spoken;
    if (!user) return;
    const destination = destinationOf({ channelId: channel, userId: user });
    // One message may come as two events (a mention in a DM) and each of them again: its `ts` is one.
    const key = `message ${channel} ${ts}`;
    const ask = {
      surface: 'message' as const,
      key,
      // Nothing at all, in the thread of a watch's card, asks for its vessel.
      line: withoutMention(text, installation.botUserId) || (spoken.thread_ts ? '' : 'help'),
      userId: user,
      channelId: channel,
      destination,
      threadTs: spoken.thread_ts,
      home: homeOf({ teamId: spoken.user_team ?? spoken.team }, installation),
      visibility,
      inThread: threadTs !== undefined,
    };
    const place = { channel, destination, user };
    const replies = messageReplies(posts, { ...place, ...inThread(threadTs, spoken.thread_ts) });
    await inFlight.track(deduplicate(key, () => dispatch(ask, replies)));
  };
}

const inThread = (threadTs: string | undefined, heardIn: string | undefined) => ({
  ...(threadTs && { threadTs }),
  ...(heardIn && { heardIn }),
});

interface Target {
  channel: string;
  destination: Destination;
  user: string;
  /** Of the thread that the answer goes to. */
  threadTs?: string;
  /** The first message of the thread that was written in, if any: ephemerals show in no other. */
  heardIn?: string;
}

/** What is slow is one message: a placeholder that becomes the answer. In a direct message nobody else reads. */
function messageReplies(posts: Posts, { channel, destination, user, threadTs, heardIn }: Target): Replies {
  const isDm = destination === 'direct-message';
  let placeholder: string | undefined;
  const send: Replies['failure'] = async (message, visibility) => {
    if (visibility === 'private' && !isDm) return await whisper(message);
    await deliver(message, async (rendering) => {
      if (placeholder && (await replaced(placeholder, rendering))) return;
      await posts.post({ channel, ...(threadTs && { threadTs }) }, rendering);
    });
  };
  const whisper: Replies['decline'] = async (message) => {
    const target = { channel, user, ...(heardIn && { threadTs: heardIn }) };
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
      if (visibility === 'private' && !isDm) return await whisper(workingNotice);
      placeholder = await posts.post(
        { channel, ...(threadTs && { threadTs }) },
        { text: workingNotice.text },
      );
    },
    answer: send,
    failure: send,
    decline: whisper,
  };
}

function withoutMention(text: string, botUserId: string): string {
  return text.replaceAll(new RegExp(`<@${botUserId}(\\|[^>]*)?>`, 'g'), ' ').trim();
}

import type { BlockAction } from '@slack/bolt';
import { actionIds, apartPattern, runActionPattern } from '../../messages/action-ids.ts';
import type { Destination } from '../../messages/destination.ts';
import { dismiss, shareAnyway, workingNotice } from '../../messages/frame/notices.ts';
import { keepSharer } from '../../messages/frame/small-print.ts';
import type { SlackUser } from '../connection/installation.ts';
import type { SlackContext } from '../context.ts';
import { type Ask, destinationOf, type Replies } from '../dispatch/ask.ts';
import { dispatch } from '../dispatch/dispatch.ts';
import { createResponseUrl, type ResponseUrl } from '../posting/response-url.ts';
import { actionOf, type ButtonClick, buttonClickOf, type Click } from './action-of.ts';

interface MessageClick extends ButtonClick {
  user: SlackUser;
  destination: Destination;
  /** The message that holds the button. Slack leaves out the blocks of an ephemeral one. */
  origin: { ts: string; isEphemeral: boolean; threadTs: string | undefined; blocks: unknown };
}

/** A click on a button or a menu of a message; its value is a command line. */
export async function pressInMessage(anyClick: Click, body: BlockAction, slack: SlackContext): Promise<void> {
  const click = messageClickOf(anyClick, body);
  if (!click || !body.response_url) return;
  const response = createResponseUrl(body.response_url, slack);
  const { actionId, channelId, user, value, origin, allowsOutsidersIn } = click;
  const isAnswer = actionId === shareAnyway || allowsOutsidersIn !== undefined;
  if (actionId === dismiss) return response.deleteOriginal();
  const action = actionOf(click, slack);
  const surface = action ? 'action' : surfaceOf(actionId);
  if (!surface) return;
  // Removes the answered question; a failure to do so is harmless.
  if (isAnswer) await response.deleteOriginal().catch(() => undefined);
  // The first message of a thread has the thread's `ts`.
  const isReply = origin.threadTs !== undefined && origin.threadTs !== origin.ts;
  const ask: Ask = {
    surface: action?.isRefresh ? 'refresh' : surface,
    line: action ?? value,
    ...(surface === 'run' && { key: `run ${channelId} ${origin.ts} ${value}` }),
    user,
    channelId,
    // A line such as `watch resume` is about the watch in whose thread it was typed.
    ...(allowsOutsidersIn !== undefined && { allowsOutsidersIn, threadTs: origin.threadTs }),
    visibility: visibilityOf(click, surface),
    inThread: surface === 'refresh' && isReply,
    needsConfirmation: actionId === actionIds.share && (await isSeenOutside(click, slack)),
  };
  const replacesMessage = !isAnswer && (action?.replacesMessage ?? !apartPattern.test(actionId));
  await dispatch(ask, clickReplies(click, { surface, replacesMessage }, response), slack);
}

type ClickSurface = 'refresh' | 'share' | 'run' | 'action';

function surfaceOf(actionId: string): ClickSurface | undefined {
  if (actionId === actionIds.refresh) return 'refresh';
  if (actionId === actionIds.share || actionId === shareAnyway) return 'share';
  const isRun = [runActionPattern, apartPattern].some((pattern) => pattern.test(actionId));
  if (actionId === actionIds.more || isRun) return 'run';
  return undefined;
}

/** A message in a DM that isn't ephemeral can only be in the bot's own DM with the user. */
async function isSeenOutside(click: MessageClick, { lookups }: SlackContext): Promise<boolean> {
  const { channelId, destination, origin } = click;
  if (destination === 'direct-message' && !origin.isEphemeral) return false;
  return (await lookups.audienceOf({ channelId, destination: 'channel' })) === 'outside';
}

/** Everybody who reads a public message can read its refreshed answer, unless it differs from person to person. */
function visibilityOf({ destination, origin }: MessageClick, surface: ClickSurface): Ask['visibility'] {
  if (surface === 'share') return 'public';
  const staysPublic = surface === 'refresh' && !origin.isEphemeral && destination === 'channel';
  return staysPublic ? 'unless-personal' : 'private';
}

/** A failure never replaces an answer. */
function clickReplies(
  click: MessageClick,
  { surface, replacesMessage }: { surface: ClickSurface; replacesMessage: boolean },
  { send }: ResponseUrl,
): Replies {
  const { destination, origin } = click;
  const thread = origin.threadTs ? { thread_ts: origin.threadTs } : {};
  const privately = { response_type: 'ephemeral', replace_original: false, ...thread } as const;
  const replacing = { replace_original: true };
  const isSeenByOne = origin.isEphemeral || destination === 'direct-message';
  const options = {
    refresh: replacesMessage ? replacing : privately,
    action: replacesMessage ? replacing : privately,
    run: isSeenByOne && replacesMessage ? replacing : privately,
    // The button says “in channel”, so the answer goes there even from a thread.
    share: { response_type: 'in_channel', replace_original: false },
  } as const;
  return {
    working: () => send(workingNotice, privately),
    answer(message, visibility) {
      if (visibility === 'private' && visibilityOf(click, surface) === 'unless-personal')
        return send(message, privately);
      return send(surface === 'refresh' ? keepSharer(message, origin.blocks) : message, options[surface]);
    },
    failure: (message) => send(message, privately),
  };
}

/** Undefined for a click without a command line: a link, or an element that Landfall never sends. */
function messageClickOf(
  click: Click,
  { container, channel, message }: BlockAction,
): MessageClick | undefined {
  const channelId = channel?.id ?? container.channel_id;
  if (!click.value || !channelId) return undefined;
  const { user, triggerId } = click;
  return {
    ...buttonClickOf(click, channelId),
    user,
    destination: destinationOf({ channelId, user }),
    origin: {
      ts: container.message_ts ?? triggerId,
      isEphemeral: Boolean(container.is_ephemeral),
      threadTs: message?.thread_ts ?? container.thread_ts,
      blocks: message?.blocks,
    },
  };
}

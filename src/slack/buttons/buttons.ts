import type { App, BlockAction, BlockElementAction } from '@slack/bolt';
import {
  actionIds,
  apartPattern,
  pressedOptionPattern,
  runActionPattern,
} from '../../messages/action-ids.ts';
import type { Destination } from '../../messages/destination.ts';
import { dismiss, shareAnyway, workingNotice } from '../../messages/frame/notices.ts';
import { keepSharer } from '../../messages/frame/small-print.ts';
import { type SlackUser, userOf } from '../connection/installation.ts';
import { runOnce, type SlackContext, slackFor } from '../context.ts';
import { type Ask, destinationOf, type Replies } from '../dispatch/ask.ts';
import { dispatch } from '../dispatch/dispatch.ts';
import { chosenValue } from '../forms/view-click.ts';
import { isUnfurl } from '../listeners/links.ts';
import { createResponseUrl, type ResponseUrl } from '../posting/response-url.ts';
import { actionOf, type ButtonClick, readAllowed } from './action-of.ts';

interface Click extends ButtonClick {
  actionTs: string;
  user: SlackUser;
  destination: Destination;
  /** The message that holds the button. Slack leaves out the blocks of an ephemeral one. */
  origin: { ts: string; isEphemeral: boolean; threadTs: string | undefined; blocks: unknown };
}

/** Clicks on the buttons and menus of messages; their values are command lines. */
export function listenToButtons(app: App): void {
  app.action(/.*/, async ({ ack, body, action, context }) => {
    // forms.ts, home-tab.ts and links.ts handle clicks in modals, on the Home tab and under links.
    if (body.type !== 'block_actions' || body.view || isUnfurl(body)) return;
    await ack();
    const { trigger_id, response_url } = body;
    // A `block_actions` body has only these actions.
    const click = readClick(body, action as BlockElementAction);
    if (!click || !response_url) return;
    const slack = slackFor(context);
    const response = createResponseUrl(response_url, slack);
    const key = `click ${trigger_id ?? ''} ${click.actionTs} ${click.actionId}`;
    await runOnce(key, () => press(click, response, slack), slack);
  });
}

async function press(click: Click, response: ResponseUrl, slack: SlackContext): Promise<void> {
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
async function isSeenOutside(click: Click, { lookups }: SlackContext): Promise<boolean> {
  const { channelId, destination, origin } = click;
  if (destination === 'direct-message' && !origin.isEphemeral) return false;
  return (await lookups.audienceOf({ channelId, destination: 'channel' })) === 'outside';
}

/** Everybody who reads a public message can read its refreshed answer, unless it differs from person to person. */
function visibilityOf({ destination, origin }: Click, surface: ClickSurface): Ask['visibility'] {
  if (surface === 'share') return 'public';
  const staysPublic = surface === 'refresh' && !origin.isEphemeral && destination === 'channel';
  return staysPublic ? 'unless-personal' : 'private';
}

/** A failure never replaces an answer. */
function clickReplies(
  click: Click,
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
function readClick(body: BlockAction, action: BlockElementAction): Click | undefined {
  const chosen = chosenValue(action);
  const { container, channel, message } = body;
  const channelId = channel?.id ?? container.channel_id;
  if (!chosen || !channelId) return undefined;
  const [, id = action.action_id, value = chosen] = pressedOptionPattern.exec(chosen) ?? [];
  const user = userOf(body);
  return {
    ...readAllowed(id),
    actionTs: action.action_ts,
    triggerId: body.trigger_id,
    value,
    user,
    channelId,
    destination: destinationOf({ channelId, user }),
    origin: {
      ts: container.message_ts ?? body.trigger_id,
      isEphemeral: Boolean(container.is_ephemeral),
      threadTs: message?.thread_ts ?? container.thread_ts,
      blocks: message?.blocks,
    },
  };
}

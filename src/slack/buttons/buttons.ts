import type { App, BlockAction, BlockElementAction } from '@slack/bolt';
import { actionIds, pressedOptionPattern, runActionPattern } from '../../messages/action-ids.ts';
import { dismiss, shareAnyway, workingNotice } from '../../messages/frame/notices.ts';
import { keepSharer } from '../../messages/frame/small-print.ts';
import { homeOf } from '../connection/installation.ts';
import { destinationOf } from '../destination-of.ts';
import type { Ask, Replies } from '../dispatch/ask.ts';
import type { EdgeParts } from '../edge-parts.ts';
import { formAction } from '../forms/open-form.ts';
import { deliver } from '../posting/deliver.ts';
import { createResponseUrl, type PostToResponseUrl } from '../posting/response-url.ts';
import { bindAction } from './bind-action.ts';
import type { Click } from './click.ts';

/** Clicks on the buttons and menus of messages; their values are command lines. */
export function listenToButtons(app: App, parts: EdgeParts): void {
  app.action(/.*/, async ({ ack, body, action }) => {
    // forms.ts and home-tab.ts handle clicks in modals and on the Home tab.
    if (body.type !== 'block_actions' || body.view) return;
    await ack();
    const { trigger_id, response_url } = body;
    // Bolt does not narrow the action by the body's type: `block_actions` has these.
    const click = readClick(body, action as BlockElementAction);
    if (!click || !response_url) return;
    const post = createResponseUrl(response_url, parts.fetch);
    const key = `click ${trigger_id ?? ''} ${click.actionTs} ${click.actionId}`;
    await parts.inFlight.track(parts.deduplicate(key, () => press(click, post, parts)));
  });
}

async function press(click: Click, post: PostToResponseUrl, parts: EdgeParts): Promise<void> {
  const { actionId } = click;
  if (actionId === dismiss) return post({ delete_original: true });
  const bound = bindAction(click, parts);
  const opening = bound ? undefined : formAction(click, parts);
  const surface = bound || opening ? 'action' : surfaceOf(actionId);
  if (!surface) return;
  const replies = clickReplies(click, { surface, replacesMessage: bound?.replacesMessage ?? true }, post);
  // Removes the answered question; a failure to do so is harmless.
  if (actionId === shareAnyway) await post({ delete_original: true }).catch(() => undefined);
  const ask: Ask = {
    surface: bound?.isRefresh ? 'refresh' : surface,
    line: bound ?? opening ?? click.line,
    ...(surface === 'run' && { key: `run ${click.channelId} ${click.messageTs} ${click.line}` }),
    userId: click.userId,
    channelId: click.channelId,
    destination: click.destination,
    home: homeOf(click.user, parts.installation),
    visibility: surface === 'share' ? 'public' : staysPublic(click, surface) ? 'unless-personal' : 'private',
    inThread: surface === 'refresh' && isReply(click),
    asksFirst: actionId === actionIds.share && (await asksFirst(click, parts)),
  };
  await parts.dispatch(ask, replies);
}

type ClickSurface = 'refresh' | 'share' | 'run' | 'action';

function surfaceOf(actionId: string): ClickSurface | undefined {
  if (actionId === actionIds.refresh) return 'refresh';
  if (actionId === actionIds.share || actionId === shareAnyway) return 'share';
  if (actionId === actionIds.more || runActionPattern.test(actionId)) return 'run';
  return undefined;
}

/** A message in a DM that isn't ephemeral can only be in the bot's own DM with the user. */
async function asksFirst(
  { channelId, destination, origin }: Click,
  { audiences }: EdgeParts,
): Promise<boolean> {
  if (destination === 'direct-message' && !origin.isEphemeral) return false;
  return (await audiences.of(channelId)) === 'outside';
}

/** The first message of a thread has the thread's `ts`. */
function isReply({ origin: { threadTs }, messageTs }: Click): boolean {
  return threadTs !== undefined && threadTs !== messageTs;
}

/** Everybody who reads the message can read the refreshed answer, unless the answer depends on who asks. */
function staysPublic(
  { destination, origin }: Pick<Click, 'destination' | 'origin'>,
  surface: ClickSurface,
): boolean {
  return surface === 'refresh' && !origin.isEphemeral && destination === 'channel';
}

/**
 * Replaces the message on Refresh, and where only this user sees it. Other clicks under a public message are answered
 * privately. A failure never replaces an answer.
 */
function clickReplies(
  { destination, origin }: Click,
  { surface, replacesMessage }: { surface: ClickSurface; replacesMessage: boolean },
  post: PostToResponseUrl,
): Replies {
  const thread = origin.threadTs ? { thread_ts: origin.threadTs } : {};
  const privately = { response_type: 'ephemeral', replace_original: false, ...thread } as const;
  const isSeenByOne = origin.isEphemeral || destination === 'direct-message';
  const options = {
    refresh: { replace_original: true },
    action: replacesMessage ? { replace_original: true } : privately,
    run: isSeenByOne ? { replace_original: true } : privately,
    // In the channel, as the button says, also from a thread.
    share: { response_type: 'in_channel', replace_original: false },
  } as const;
  const send = async (
    message: Parameters<Replies['failure']>[0],
    option: Parameters<PostToResponseUrl>[0],
  ) => {
    await deliver(message, (rendering) => post({ ...rendering, ...option }));
  };
  return {
    working: () => send(workingNotice, privately),
    answer(message, visibility) {
      if (visibility === 'private' && staysPublic({ destination, origin }, surface))
        return send(message, privately);
      return send(surface === 'refresh' ? keepSharer(message, origin.blocks) : message, options[surface]);
    },
    failure: (message) => send(message, privately),
    decline: (message) => send(message, privately),
  };
}

/** Undefined for a click without a command line: a link, or an element that Landfall never sends. */
function readClick(body: BlockAction, action: BlockElementAction): Click | undefined {
  const line =
    action.type === 'button'
      ? action.value
      : action.type === 'overflow' || action.type === 'static_select'
        ? // Slack sends null for a menu whose choice was cleared.
          action.selected_option?.value
        : undefined;
  const { container, user, channel, message } = body;
  const channelId = channel?.id ?? container.channel_id;
  if (!line || !channelId) return undefined;
  const [, actionId = action.action_id, value = line] = pressedOptionPattern.exec(line) ?? [];
  return {
    actionId,
    actionTs: action.action_ts,
    triggerId: body.trigger_id,
    line: value,
    userId: user.id,
    user: { teamId: user.team_id, enterpriseId: body.enterprise?.id },
    channelId,
    destination: destinationOf({ channelId, userId: user.id }),
    messageTs: container.message_ts ?? body.trigger_id,
    origin: {
      isEphemeral: Boolean(container.is_ephemeral),
      threadTs: message?.thread_ts ?? container.thread_ts,
      blocks: message?.blocks,
    },
  };
}

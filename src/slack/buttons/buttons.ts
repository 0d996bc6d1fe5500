import type { App, BlockAction, BlockElementAction } from '@slack/bolt';
import type { Destination } from '../../answers/message.ts';
import { keepSharer } from '../../answers/slack/answer-message.ts';
import { actionIds, apartPattern, runActionPattern } from '../../answers/slack/blocks.ts';
import { fieldAction } from '../../answers/slack/form.ts';
import { dismiss, shareAnyway, workingNotice } from '../../answers/slack/notices.ts';
import { runOnce, type SlackContext, slackFor } from '../context.ts';
import { type Ask, audienceAround, destinationOf, dispatch, type Replies } from '../dispatch.ts';
import { pressInModal } from '../forms/forms.ts';
import { pressOnHome } from '../home/home-tab.ts';
import { isUnfurl, refreshLink } from '../listeners/links.ts';
import { userOf } from '../people/lookups.ts';
import { createResponseUrl, type ResponseUrl } from '../posting/deliver.ts';
import { actionOf, buttonClickOf, type Click } from './action-of.ts';

/** Clicks on buttons and menus, and changes of fields, wherever they are. */
export function listenToClicks(app: App): void {
  app.action(/.*/, async ({ ack, body, action: anyAction, context }) => {
    if (body.type !== 'block_actions') return;
    await ack();
    const { view, trigger_id: triggerId } = body;
    const action = anyAction as BlockElementAction; // a `block_actions` body has only these
    const { action_id, block_id, action_ts: actionTs } = action;
    // A field is identified by its block, any other element by its action.
    const id = action_id === fieldAction ? block_id : action_id;
    const click = { id, value: chosenValue(action), actionTs, triggerId, user: userOf(body) };
    const slack = slackFor(context);
    const press = async () => {
      if (view?.type === 'home') return pressOnHome(click, view, slack);
      if (view) return pressInModal(click, view, slack);
      return isUnfurl(body) ? refreshLink(body, slack) : pressInMessage(click, body, slack);
    };
    await runOnce(`click ${triggerId} ${actionTs} ${id}`, press, slack);
  });
}

/** '' if nothing is chosen, and for other kinds of elements. */
function chosenValue(action: BlockElementAction): string {
  switch (action.type) {
    case 'button':
    case 'plain_text_input':
      return action.value ?? '';
    case 'overflow':
    case 'static_select':
    case 'radio_buttons':
      // Slack sends null for a menu whose choice was cleared.
      return action.selected_option?.value ?? '';
    default:
      return '';
  }
}

/** The message that holds the button. Slack leaves out the blocks of an ephemeral one. */
interface Origin {
  ts: string;
  destination: Destination;
  isEphemeral: boolean;
  threadTs: string | undefined;
  blocks: unknown;
}

/** A click on a button or a menu of a message; its value is a command line. */
async function pressInMessage(click: Click, body: BlockAction, slack: SlackContext): Promise<void> {
  const { container, channel, message } = body;
  const { user, triggerId } = click;
  const channelId = channel?.id ?? container.channel_id;
  // A link, or an element that Landfall never sends, has no command line.
  if (!click.value || !channelId || !body.response_url) return;
  const pressed = buttonClickOf(click, channelId);
  const { actionId, value, allowsOutsidersIn } = pressed;
  const origin: Origin = {
    ts: container.message_ts ?? triggerId,
    destination: destinationOf({ channelId, user }),
    isEphemeral: Boolean(container.is_ephemeral),
    threadTs: message?.thread_ts ?? container.thread_ts,
    blocks: message?.blocks,
  };
  const response = createResponseUrl(body.response_url, slack);
  const isAnswer = actionId === shareAnyway || allowsOutsidersIn !== undefined;
  if (actionId === dismiss) return response.deleteOriginal();
  const action = actionOf(pressed, slack);
  const surface = action ? 'action' : surfaceOf(actionId);
  if (!surface) return;
  // Removes the answered question; a failure to do so is harmless.
  if (isAnswer) await response.deleteOriginal().catch(() => undefined);
  // The first message of a thread has the thread's `ts`.
  const isReply = origin.threadTs !== undefined && origin.threadTs !== origin.ts;
  const replacesMessage = !isAnswer && (action?.replacesMessage ?? !apartPattern.test(actionId));
  const ask: Ask = {
    surface: action?.isRefresh ? 'refresh' : surface,
    line: action ?? value,
    ...(surface === 'run' && { key: `run ${channelId} ${origin.ts} ${value}` }),
    user,
    channelId,
    // A line such as `watch resume` is about the watch in whose thread it was typed.
    ...(allowsOutsidersIn !== undefined && { allowsOutsidersIn, threadTs: origin.threadTs }),
    visibility: visibilityOf(origin, surface),
    replacesShared: surface === 'action' && replacesMessage && !isSeenByOne(origin),
    inThread: surface === 'refresh' && isReply,
    needsConfirmation:
      actionId === actionIds.share &&
      (await audienceAround({ channelId, user }, slack.lookups)) === 'outside',
  };
  await dispatch(ask, clickReplies(origin, { surface, replacesMessage }, response), slack);
}

type ClickSurface = 'refresh' | 'share' | 'run' | 'action';

function surfaceOf(actionId: string): ClickSurface | undefined {
  if (actionId === actionIds.refresh) return 'refresh';
  if (actionId === actionIds.share || actionId === shareAnyway) return 'share';
  const isRun = [runActionPattern, apartPattern].some((pattern) => pattern.test(actionId));
  if (actionId === actionIds.more || isRun) return 'run';
  return undefined;
}

/** Everybody who reads a public message can read its refreshed answer, unless it differs from person to person. */
function visibilityOf({ destination, isEphemeral }: Origin, surface: ClickSurface): Ask['visibility'] {
  if (surface === 'share') return 'public';
  const staysPublic = surface === 'refresh' && !isEphemeral && destination === 'channel';
  return staysPublic ? 'unless-personal' : 'private';
}

const isSeenByOne = ({ isEphemeral, destination }: Origin): boolean =>
  isEphemeral || destination === 'direct-message';

/** A failure never replaces an answer. */
function clickReplies(
  origin: Origin,
  { surface, replacesMessage }: { surface: ClickSurface; replacesMessage: boolean },
  { send }: ResponseUrl,
): Replies {
  const thread = origin.threadTs ? { thread_ts: origin.threadTs } : {};
  const privately = { response_type: 'ephemeral', replace_original: false, ...thread } as const;
  const replacing = { replace_original: true };
  const options = {
    refresh: replacesMessage ? replacing : privately,
    action: replacesMessage ? replacing : privately,
    run: isSeenByOne(origin) && replacesMessage ? replacing : privately,
    // The button says “in channel”, so the answer goes there even from a thread.
    share: { response_type: 'in_channel', replace_original: false },
  } as const;
  return {
    working: () => send(workingNotice, privately),
    answer(message, visibility) {
      if (visibility === 'private' && visibilityOf(origin, surface) === 'unless-personal')
        return send(message, privately);
      return send(surface === 'refresh' ? keepSharer(message, origin.blocks) : message, options[surface]);
    },
    failure: (message) => send(message, privately),
  };
}

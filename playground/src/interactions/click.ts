import { allBlocks, interactiveElements } from '../blocks/block-checks.ts';
import { createMarks, type Deliver, type DeliveryObserver } from '../delivery/deliver.ts';
import type { ResponseUrls } from '../delivery/response-url.ts';
import { newTriggerId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { ClickRequest, PageReply } from '../page-api/page-api.ts';
import type { Installation } from '../web-api/installation.ts';
import type { Message } from '../world/message.ts';
import { apiMessage } from '../world/render.ts';
import type { Store } from '../world/store.ts';
import type { Channel, User } from '../world/world.ts';
import { actionOf } from './action.ts';
import { channelName } from './slash.ts';
import type { Triggers } from './triggers.ts';

/** Delivers an interaction with an element of a message as `block_actions`. */
export function createClick(options: {
  store: Store;
  now: () => number;
  deliver: Deliver;
  responseUrls: ResponseUrls;
  triggers: Triggers;
  verificationToken: string;
  installation: Installation;
  observe: DeliveryObserver;
}): (
  actor: { user: User; channel: Channel },
  click: ClickRequest,
) => Promise<PageReply & { deliveryId?: string }> {
  const { store } = options;

  return async ({ user, channel }, click) => {
    const message = store.find(channel.id, click.messageTs);
    if (!message || (message.ephemeralTo && message.ephemeralTo !== user.id)) {
      return { ok: false, error: 'This message no longer exists.' };
    }
    const action = findAction(message, click, options.now());
    if (!action) return { ok: false, error: 'This button is no longer part of the message.' };

    const deliveryId = newTriggerId();
    const label = `block_actions ${click.actionId}`;
    const marks = createMarks(options.observe, { id: deliveryId, label });
    const payload = {
      ...actorPayload(store, user, options),
      ...actionPayload(store, { channel, message, unfurlUrl: click.unfurlUrl }),
      trigger_id: options.triggers.open(deliveryId, { userId: user.id, channelId: channel.id }),
      response_url: options.responseUrls.open({
        kind: 'actions',
        channelId: channel.id,
        userId: user.id,
        messageTs: message.ts,
        onAnswer: marks.answered,
      }),
      actions: [action],
    };
    marks.delivered();
    const outcome = await options.deliver(label, { kind: 'interactive', payload });
    if (!outcome.ok) {
      marks.failed(outcome.error);
      return { ok: false, error: `The app didn't accept the click: ${outcome.error}`, deliveryId };
    }
    marks.acked();
    return { ok: true, deliveryId };
  };
}

/** The payload of a click on an ephemeral message has no `message`. */
function actionPayload(
  { world }: Store,
  { channel, message, unfurlUrl }: { channel: Channel; message: Message; unfurlUrl: string | undefined },
): JsonObject {
  const unfurlIndex = message.unfurls?.findIndex(({ url }) => url === unfurlUrl) ?? -1;
  const isEphemeral = message.ephemeralTo !== undefined;
  const threadTs = message.threadTs ?? (message.replyCount ? message.ts : undefined);
  return {
    type: 'block_actions',
    channel: { id: channel.id, name: channelName(channel) },
    container: {
      type: unfurlIndex < 0 ? 'message' : 'message_attachment',
      ...(unfurlIndex < 0
        ? {}
        : { attachment_id: unfurlIndex + 1, is_app_unfurl: true, app_unfurl_url: unfurlUrl }),
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: isEphemeral,
      ...(threadTs ? { thread_ts: threadTs } : {}),
    },
    state: { values: {} },
    ...(isEphemeral ? {} : { message: apiMessage(message, world, { withMetadata: true }) }),
  };
}

function findAction(message: Message, click: ClickRequest, now: number): JsonObject | undefined {
  const { blocks } = click.unfurlUrl
    ? (message.unfurls?.find(({ url }) => url === click.unfurlUrl) ?? {})
    : message;
  for (const block of allBlocks(blocks ?? [])) {
    if (click.blockId && block.block_id !== click.blockId) continue;
    const element = interactiveElements(block).find((candidate) => candidate.action_id === click.actionId);
    const value = click.value ?? click.optionValue;
    if (element) return actionOf(element, { blockId: block.block_id, value, now });
  }
  return undefined;
}

/** The acting user and the app, as in the payload of every interaction. */
export function actorPayload(
  { world }: Store,
  user: User,
  { verificationToken, installation }: { verificationToken: string; installation: Installation },
): JsonObject {
  const { enterprise, isOrgWide } = installation.authorization();
  const organisation = enterprise && { enterprise_id: enterprise.id, enterprise_name: enterprise.name };
  return {
    user: { id: user.id, username: user.name, name: user.name, team_id: user.teamId },
    api_app_id: world.app.id,
    // As Slack sends it: the workspace is missing for an org-wide installation, and for people of other workspaces.
    team:
      isOrgWide || user.teamId !== world.team.id
        ? null
        : { id: world.team.id, domain: world.team.domain, ...organisation },
    enterprise: enterprise ? { id: enterprise.id, name: enterprise.name } : null,
    is_enterprise_install: isOrgWide,
    token: verificationToken,
  };
}

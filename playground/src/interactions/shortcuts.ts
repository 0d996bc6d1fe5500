import type { Deliver } from '../delivery/deliver.ts';
import type { ResponseUrls } from '../delivery/response-url.ts';
import { newTriggerId } from '../ids.ts';
import type { PageReply, PageShortcut, ShortcutRequest } from '../page-api/page-api.ts';
import type { Installation } from '../web-api/installation.ts';
import { apiMessage } from '../world/render.ts';
import type { Store } from '../world/store.ts';
import type { Channel, User } from '../world/world.ts';
import { actorPayload } from './click.ts';
import { channelName } from './slash.ts';
import type { Triggers } from './triggers.ts';

/** Delivers a global shortcut or a message shortcut as Slack does. */
export function createShortcuts(options: {
  store: Store;
  shortcuts: PageShortcut[];
  triggers: Triggers;
  deliver: Deliver;
  responseUrls: ResponseUrls;
  verificationToken: string;
  installation: Installation;
  now: () => number;
}): (actor: { user: User; channel: Channel }, request: ShortcutRequest) => Promise<PageReply> {
  const { store } = options;
  return async ({ user, channel }, { callbackId, messageTs }) => {
    const shortcut = options.shortcuts.find((known) => known.callbackId === callbackId);
    const message = messageTs ? store.find(channel.id, messageTs) : undefined;
    const isOnMessage = message !== undefined && !message.ephemeralTo;
    if (!shortcut || (shortcut.type === 'message') !== isOnMessage) {
      return { ok: false, error: "This shortcut isn't available here." };
    }
    const common = {
      ...actorPayload(store, user, options),
      callback_id: callbackId,
      action_ts: (options.now() / 1000).toFixed(6),
      trigger_id: options.triggers.open(newTriggerId(), { userId: user.id, channelId: channel.id }),
    };
    const payload = message
      ? {
          type: 'message_action',
          ...common,
          channel: { id: channel.id, name: channelName(channel) },
          message_ts: message.ts,
          message: apiMessage(message, store.world, { withMetadata: true }),
          response_url: options.responseUrls.open({
            kind: 'commands',
            channelId: channel.id,
            userId: user.id,
          }),
        }
      : { type: 'shortcut', ...common };
    const label = `${shortcut.type} shortcut ${callbackId}`;
    const outcome = await options.deliver(label, { kind: 'interactive', payload });
    return outcome.ok ? { ok: true } : { ok: false, error: `${shortcut.name} failed: ${outcome.error}` };
  };
}

import type { App, GlobalShortcut, MessageShortcut } from '@slack/bolt';
import type { BoundAction, Shortcut } from '../../features/feature.ts';
import { homeOf } from '../connection/installation.ts';
import { destinationOf } from '../destination-of.ts';
import type { Replies } from '../dispatch/ask.ts';
import type { EdgeParts } from '../edge-parts.ts';
import type { OpenForm } from '../forms/open-form.ts';
import { deliver } from '../posting/deliver.ts';
import { createResponseUrl } from '../posting/response-url.ts';
import { messageWords } from './message-words.ts';

/** The features' global shortcuts and message shortcuts; each opens a form. */
export function listenToShortcuts(app: App, parts: EdgeParts): void {
  const { features, inFlight, deduplicate, openForm } = parts;
  const all = features.flatMap(({ shortcuts = [] }) => shortcuts);
  for (const { id, form } of all.filter(({ kind }) => kind === 'global')) {
    app.shortcut({ callback_id: id, type: 'shortcut' }, async ({ ack, body }) => {
      await ack();
      // The constraint says which kind, here and below.
      const shortcut = body as GlobalShortcut;
      const { id: userId } = shortcut.user;
      const { trigger_id: triggerId } = shortcut;
      const open = openForm({ name: form, target: {}, triggerId, channelId: userId });
      const replies = repliesBy((message) => parts.sendPrivately({ userId, channelId: userId }, message));
      await inFlight.track(
        deduplicate(`shortcut ${triggerId}`, () => run(shortcut, userId, { open, replies, parts })),
      );
    });
  }
  for (const offered of all.filter(({ kind }) => kind === 'message')) {
    app.shortcut({ callback_id: offered.id, type: 'message_action' }, async ({ ack, body }) => {
      await ack();
      const shortcut = body as MessageShortcut;
      const { trigger_id: triggerId, channel, response_url } = shortcut;
      const open = openOnMessage(offered, shortcut, openForm);
      const post = createResponseUrl(response_url, parts.fetch);
      // The response URL works even where the bot isn't a member.
      const replies = repliesBy(async (message) => {
        await deliver(message, (rendering) => post({ ...rendering, response_type: 'ephemeral' }));
      });
      await inFlight.track(
        deduplicate(`shortcut ${triggerId}`, () => run(shortcut, channel.id, { open, replies, parts })),
      );
    });
  }
}

async function run(
  { user, enterprise }: GlobalShortcut | MessageShortcut,
  channelId: string,
  { open, replies, parts }: { open: BoundAction; replies: Replies; parts: EdgeParts },
): Promise<void> {
  const ask = {
    surface: 'form' as const,
    line: open,
    userId: user.id,
    channelId,
    destination: destinationOf({ channelId, userId: user.id }),
    home: homeOf({ teamId: user.team_id, enterpriseId: enterprise?.id }, parts.installation),
    visibility: 'private' as const,
  };
  await parts.dispatch(ask, replies);
}

function openOnMessage(
  { id, form, targetOf }: Shortcut,
  { message, trigger_id: triggerId, channel }: MessageShortcut,
  openForm: OpenForm,
): BoundAction {
  return {
    name: `shortcut ${id}`,
    repeatable: true,
    onlyAsks: false,
    run(context) {
      const target = targetOf(messageWords(message), context);
      return openForm({ name: form, target, triggerId, channelId: channel.id }).run(context);
    },
  };
}

/** The form is the answer; only errors are sent as messages. */
function repliesBy(send: Replies['decline']): Replies {
  return { working: async () => undefined, answer: send, failure: send, decline: send };
}

import type { App, GlobalShortcut, MessageShortcut } from '@slack/bolt';
import { findVessels } from '../../grammar/find-vessels.ts';
import { mostVessels } from '../../grammar/vessel.ts';
import { homeOf } from '../connection/installation.ts';
import type { BoundAction, Replies } from '../dispatch/ask.ts';
import type { EdgeParts } from '../edge-parts.ts';
import type { OpenForm } from '../forms/open-form.ts';
import { deliver } from '../posting/deliver.ts';
import { createResponseUrl } from '../posting/response-url.ts';
import { messageWords } from './message-words.ts';

/** What manifest.yml offers under the same names, each opening the watch form. */
export const shortcutIds = { watchVessel: 'watch_vessel', watchMessage: 'watch_message' } as const;

/** «Watch a vessel», from anywhere; «Watch vessel in message», from the menu of a message. */
export function listenToShortcuts(app: App, parts: EdgeParts): void {
  const { inFlight, once } = parts;
  app.shortcut({ callback_id: shortcutIds.watchVessel, type: 'shortcut' }, async ({ ack, body }) => {
    await ack();
    // Bolt gives what the constraint says, here and below.
    const shortcut = body as GlobalShortcut;
    const { id: userId } = shortcut.user;
    const { trigger_id: triggerId } = shortcut;
    const open = parts.openForm({ name: 'watch', target: {}, triggerId, channelId: userId });
    const replies = repliesBy((message) => parts.tell({ userId, channelId: userId }, message));
    await inFlight.track(
      once(`shortcut ${triggerId}`, () => run(shortcut, userId, { open, replies, parts })),
    );
  });
  app.shortcut({ callback_id: shortcutIds.watchMessage, type: 'message_action' }, async ({ ack, body }) => {
    await ack();
    const shortcut = body as MessageShortcut;
    const { trigger_id: triggerId, channel, response_url } = shortcut;
    const open = watchMessage(shortcut, parts.openForm);
    const post = createResponseUrl(response_url, parts.fetch);
    // It works where the bot is no member, too.
    const replies = repliesBy(async (message) => {
      await deliver(message, (rendering) => post({ ...rendering, response_type: 'ephemeral' }));
    });
    await inFlight.track(
      once(`shortcut ${triggerId}`, () => run(shortcut, channel.id, { open, replies, parts })),
    );
  });
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
    home: homeOf({ teamId: user.team_id, enterpriseId: enterprise?.id }, parts.installation),
    visibility: 'private' as const,
  };
  await parts.dispatch(ask, replies);
}

/** Of the message only what vessels it names is kept, in the form. */
function watchMessage(
  { message, trigger_id: triggerId, channel }: MessageShortcut,
  openForm: OpenForm,
): BoundAction {
  return {
    name: 'shortcut watch message',
    repeatable: true,
    onlyAsks: false,
    run(context) {
      const imos = findVessels(messageWords(message), context.vessels);
      const target = { subject: imos.slice(0, mostVessels).join(', '), found: imos.length };
      return openForm({ name: 'watch', target, triggerId, channelId: channel.id }).run(context);
    },
  };
}

/** What opens is the answer; all else is said to the person. */
function repliesBy(say: Replies['decline']): Replies {
  return { working: async () => undefined, answer: say, failure: say, decline: say };
}

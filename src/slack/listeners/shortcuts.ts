import type { App } from '@slack/bolt';
import type { Message } from '../../answers/message.ts';
import type { AskCtx } from '../../features/ctx.ts';
import { runOnce, slackFor } from '../context.ts';
import { dispatch } from '../dispatch.ts';
import { openForm } from '../forms/open-form.ts';
import { userOf } from '../people/lookups.ts';
import { createResponseUrl } from '../posting/deliver.ts';

/** The features' global shortcuts and message shortcuts; each opens a form. */
export function listenToShortcuts(app: App): void {
  app.shortcut(/.*/, async ({ ack, body, context }) => {
    await ack();
    const slack = slackFor(context);
    const { callback_id: id, trigger_id: triggerId } = body;
    const shortcut = slack.features.flatMap(({ shortcuts = [] }) => shortcuts).find((one) => one.id === id);
    if (!shortcut) return;
    const { form, targetOf } = shortcut;
    const messageShortcut = body.type === 'message_action' ? body : undefined;
    const user = userOf(body);
    const channelId = messageShortcut?.channel.id ?? user.id;
    const line = {
      name: `shortcut ${id}`,
      repeatable: true,
      onlyAsks: false,
      run(run: AskCtx) {
        const text = [...new Set(visibleStrings(messageShortcut?.message))].join('\n');
        const target = messageShortcut ? targetOf(text, run) : {};
        return openForm({ name: form, target, triggerId, channelId }, slack).run(run);
      },
    };
    // The response URL works even if the bot isn't a member.
    const response = messageShortcut && createResponseUrl(messageShortcut.response_url, slack);
    const send = (message: Message) =>
      response?.send(message, { response_type: 'ephemeral' }) ??
      slack.messenger.sendPrivately({ userId: user.id, channelId }, message);
    // The form is the answer; only errors are sent as messages.
    const replies = { working: async () => undefined, answer: send, failure: send };
    const ask = { surface: 'form', line, user, channelId } as const;
    await runOnce(`shortcut ${triggerId}`, () => dispatch(ask, replies, slack), slack);
  });
}

/** Keys whose values people can see, and links; not ids or values of buttons. */
const visibleKey = /^(?:text|url|title|title_link|pretext|fallback|alt_text|author_name|footer)$/;
const maxDepth = 20;

/** All visible text of a message: of its text, blocks and attachments; each may be missing. */
function visibleStrings(value: unknown, depth = 0): string[] {
  if (depth > maxDepth || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => visibleStrings(item, depth + 1));
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner === 'string') return isVisible(key, value) ? [inner] : [];
    return visibleStrings(inner, depth + 1);
  });
}

/** The `value` of an attachment's field is visible (`{ title, value, short }`); that of a button is not. */
const isVisible = (key: string, owner: object): boolean =>
  visibleKey.test(key) || (key === 'value' && 'title' in owner);

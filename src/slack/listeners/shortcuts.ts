import type { App, GlobalShortcut, MessageShortcut } from '@slack/bolt';
import type { BoundAction, Shortcut } from '../../features/feature.ts';
import type { Message } from '../../messages/message.ts';
import { userOf } from '../connection/installation.ts';
import type { EdgeParts } from '../edge-parts.ts';
import type { OpenForm } from '../forms/open-form.ts';
import { createResponseUrl } from '../posting/response-url.ts';

/** The features' global shortcuts and message shortcuts; each opens a form. */
export function listenToShortcuts(app: App, parts: EdgeParts): void {
  const { features, dispatch, openForm, posts, runOnce } = parts;
  /** The form is the answer; only errors are sent as messages. */
  const open = (
    shortcut: GlobalShortcut | MessageShortcut,
    { line, channelId }: { line: BoundAction; channelId: string },
    send: (message: Message) => Promise<void>,
  ) =>
    runOnce(`shortcut ${shortcut.trigger_id}`, () =>
      dispatch(
        { surface: 'form', line, user: userOf(shortcut), channelId },
        { working: async () => undefined, answer: send, failure: send },
      ),
    );

  for (const offered of features.flatMap(({ shortcuts = [] }) => shortcuts)) {
    if (offered.kind === 'global')
      app.shortcut({ callback_id: offered.id, type: 'shortcut' }, async ({ ack, body }) => {
        await ack();
        // The constraint says which kind, here and below.
        const shortcut = body as GlobalShortcut;
        const { id: channelId } = shortcut.user;
        const form = { name: offered.form, target: {}, triggerId: shortcut.trigger_id, channelId };
        await open(shortcut, { line: openForm(form), channelId }, (message) =>
          posts.sendPrivately({ userId: channelId, channelId }, message),
        );
      });
    else
      app.shortcut({ callback_id: offered.id, type: 'message_action' }, async ({ ack, body }) => {
        await ack();
        const shortcut = body as MessageShortcut;
        const line = openOnMessage(offered, shortcut, openForm);
        // The response URL works even if the bot isn't a member.
        const { send } = createResponseUrl(shortcut.response_url, parts.fetch);
        await open(shortcut, { line, channelId: shortcut.channel.id }, (message) =>
          send(message, { response_type: 'ephemeral' }),
        );
      });
  }
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
      const target = targetOf(visibleText(message), context);
      return openForm({ name: form, target, triggerId, channelId: channel.id }).run(context);
    },
  };
}

/** Keys whose values people can see, and links; not ids or values of buttons. */
const visibleKey = /^(?:text|url|title|title_link|pretext|fallback|alt_text|author_name|footer)$/;
const maxDepth = 20;

/** All visible text of a message: its text, blocks and attachments, each of which may be missing. */
function visibleText(message: unknown): string {
  return [...new Set(readStrings(message))].join('\n');
}

function readStrings(value: unknown, depth = 0): string[] {
  if (depth > maxDepth || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => readStrings(item, depth + 1));
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner === 'string') return isVisible(key, value) ? [inner] : [];
    return readStrings(inner, depth + 1);
  });
}

/** The `value` of an attachment's field is visible (`{ title, value, short }`); that of a button is not. */
const isVisible = (key: string, owner: object): boolean =>
  visibleKey.test(key) || (key === 'value' && 'title' in owner);

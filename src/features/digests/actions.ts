import { actions, button, sections } from '../../messages/blocks.ts';
import type { Message } from '../../messages/message.ts';
import { channelMention, escaped } from '../../messages/mrkdwn.ts';
import type { Action } from '../feature.ts';
import { actorIn } from '../run-context.ts';
import { type Digest, isPersonalDigest } from './digest.ts';
import type { DigestService } from './service.ts';
import { digestActionIds, digestButton } from './views/digest-buttons.ts';

/** What the buttons of digests do. Their value is the digest's id; the message with the button stays as it is. */
export function digestActions(service: DigestService): Action[] {
  const action = (did: Did, id: string, act: DigestService['pause']): Action => ({
    id,
    replacesMessage: false,
    run: async (digestId, context) => confirmation(await act(digestId, actorIn(context)), did),
  });
  return [
    action('running', digestActionIds.run, service.runNow),
    action('paused', digestActionIds.pause, service.pause),
    action('resumed', digestActionIds.resume, service.resume),
    action('removed', digestActionIds.remove, service.remove),
    {
      id: digestActionIds.askToRemove,
      replacesMessage: false,
      repeatable: true,
      onlyAsks: false,
      async run(digestId, context) {
        const digest = await service.getToChange(digestId, actorIn(context));
        await context.openMessage(removeQuestion(digest), 'digest list mine');
        return undefined;
      },
    },
  ];
}

const verdicts = { running: 'On its way', paused: 'Paused', resumed: 'Resumed', removed: 'Removed' };
type Did = keyof typeof verdicts;

/** Confirms an action, with a button that undoes it. */
export function confirmation(digest: Digest, did: Did): Message {
  const { id, title, channelId } = digest;
  const which = isPersonalDigest(digest) ? 'your own digest' : `the digest in ${channelMention(channelId)}`;
  const text = `${verdicts[did]}: “${escaped(title)}”, ${which}.`;
  const undo = { running: null, paused: 'resume', resumed: 'pause', removed: null } as const;
  const undoAction = undo[did];
  const buttons = undoAction ? [digestButton(undoAction, id)] : [];
  return { text, blocks: [...sections([text]), ...actions(buttons)] };
}

export function removeQuestion(digest: Digest): Message {
  const where = isPersonalDigest(digest) ? '' : ` in ${channelMention(digest.channelId)}`;
  const text = `Remove the digest “${escaped(digest.title)}”${where}? It will no longer be sent; what was sent stays.`;
  const removeButton = button({ id: digestActionIds.remove, label: 'Remove it', value: digest.id });
  return { text, blocks: [...sections([text]), ...actions([{ ...removeButton, style: 'danger' }])] };
}

import type { WebClient } from '@slack/web-api';
import { keptOf } from '../../features/stored.ts';
import { digestActionIds, watchActionIds } from '../../messages/action-ids.ts';
import { actions, button, sections } from '../../messages/blocks.ts';
import type { Message } from '../../messages/message.ts';
import { channelMention, escaped } from '../../messages/mrkdwn.ts';
import type { Pressed } from '../buttons/click.ts';
import type { BoundAction } from '../dispatch/ask.ts';
import { messageView } from '../forms/modal-view.ts';
import { refuseLate } from '../forms/open-form.ts';

/**
 * Asks before something is taken away, where a menu can't: its one dialog would ask for each of its options.
 * Who may not take it away is told so instead.
 */
export function createConfirm(client: WebClient): (pressed: Pressed) => BoundAction {
  return ({ line, triggerId, channelId }) => ({
    name: `sure ${line}`,
    repeatable: true,
    async run(context) {
      const { kept, actor } = keptOf(context);
      const [, kind, id = ''] = /^(watch|digest) (\S+)$/.exec(line) ?? [];
      const message =
        kind === 'watch'
          ? sureToStop(await kept.watches.changeable(id, actor))
          : sureToRemove(await kept.digests.own(id, actor));
      const view = messageView(message, { channelId });
      await client.views.open({ trigger_id: triggerId, view }).catch(refuseLate('watch list mine'));
      return undefined;
    },
  });
}

interface Found {
  id: string;
  title: string;
  channelId: string;
  ownerId: string;
}

function sureToStop({ id, title, channelId }: Found): Message {
  const text = `Stop the watch of ${escaped(title)} in ${channelMention(channelId)}? Nobody there is notified of it any more; what was posted stays.`;
  return asked(text, button({ id: watchActionIds.stop, label: 'Stop it', value: id }));
}

function sureToRemove({ id, title, channelId, ownerId }: Found): Message {
  const where = channelId === ownerId ? '' : ` in ${channelMention(channelId)}`;
  const text = `Remove the digest “${escaped(title)}”${where}? It is not sent any more; what was sent stays.`;
  return asked(text, button({ id: digestActionIds.remove, label: 'Remove it', value: id }));
}

function asked(text: string, yes: ReturnType<typeof button>): Message {
  return { text, blocks: [...sections([text]), ...actions([{ ...yes, style: 'danger' }])] };
}

import type { App, BlockAction, BlockElementAction } from '@slack/bolt';
import type { FormAction } from '../../features/form.ts';
import { fieldAction } from '../../messages/fields.ts';
import { type SlackUser, userOf } from '../connection/installation.ts';
import { runOnce, type SlackContext, slackFor } from '../context.ts';

/** A click or a change of a field, in a modal or on the Home tab. */
export interface ViewClick extends FormAction {
  actionTs: string;
  triggerId: string;
  user: SlackUser;
  view: NonNullable<BlockAction['view']>;
}

/** Acknowledges each click in views of this type, and passes it on once. */
export function listenToViewClicks(
  app: App,
  type: 'home' | 'modal',
  onClick: (click: ViewClick, slack: SlackContext) => Promise<void>,
): void {
  app.action(/.*/, async ({ ack, body, action: anyAction, context }) => {
    if (body.type !== 'block_actions' || body.view?.type !== type) return;
    await ack();
    const { view, trigger_id: triggerId } = body;
    const action = anyAction as BlockElementAction; // a `block_actions` body has only these
    const { action_id, block_id, action_ts: actionTs } = action;
    // A field is identified by its block, any other element by its action.
    const id = action_id === fieldAction ? block_id : action_id;
    const key = `click ${triggerId} ${actionTs} ${id}`;
    const click = { id, value: chosenValue(action), actionTs, triggerId, user: userOf(body), view };
    const slack = slackFor(context);
    await runOnce(key, () => onClick(click, slack), slack);
  });
}

/** '' if nothing is chosen, and for other kinds of elements. */
export function chosenValue(action: BlockElementAction): string {
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

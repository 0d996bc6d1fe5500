import type { App, BlockElementAction } from '@slack/bolt';
import { fieldAction } from '../../messages/fields.ts';
import { userOf } from '../connection/installation.ts';
import { runOnce, slackFor } from '../context.ts';
import { pressInModal } from '../forms/forms.ts';
import { pressOnHome } from '../home/home-tab.ts';
import { isUnfurl, refreshLink } from '../listeners/links.ts';
import { pressInMessage } from './buttons.ts';

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

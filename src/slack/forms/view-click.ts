import type { BlockAction, BlockElementAction } from '@slack/bolt';
import type { FormAction } from '../../features/form.ts';
import { fieldAction } from '../../messages/fields.ts';

/** A click or a change of a field, in a modal or on the Home tab. */
export interface ViewClick extends FormAction {
  actionTs: string;
  triggerId: string;
  user: { id: string; teamId: string | undefined; enterpriseId: string | undefined };
  view: NonNullable<BlockAction['view']>;
}

/** Undefined for a click outside views. Fields are identified by their block's id, all else by the action's. */
export function readViewClick(body: BlockAction, action: BlockElementAction): ViewClick | undefined {
  const { view, user, enterprise, trigger_id: triggerId } = body;
  if (!view) return undefined;
  return {
    id: action.action_id === fieldAction ? action.block_id : action.action_id,
    value: chosenIn(action),
    actionTs: action.action_ts,
    triggerId,
    user: { id: user.id, teamId: user.team_id, enterpriseId: enterprise?.id },
    view,
  };
}

/** '' for other kinds of fields, whose value is in the view's state. */
function chosenIn(action: BlockElementAction): string {
  switch (action.type) {
    case 'button':
    case 'plain_text_input':
      return action.value ?? '';
    case 'overflow':
    case 'static_select':
    case 'radio_buttons':
      return action.selected_option?.value ?? '';
    default:
      return '';
  }
}

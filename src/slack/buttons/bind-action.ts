import type { Action, ActionContext, BoundAction } from '../../features/feature.ts';
import type { RunContext } from '../../features/run-context.ts';
import type { EdgeParts } from '../edge-parts.ts';
import { messageView } from '../forms/modal-view.ts';
import { checkOpened, type Pressed } from '../forms/open-form.ts';

/** The action of a feature's own button; undefined for any other button. `onTop`: the button is in a modal. */
export function bindAction(
  { actionId, line: value, triggerId, channelId }: Pressed,
  { actions, client, openForm, runDue }: Pick<EdgeParts, 'actions' | 'client' | 'openForm' | 'runDue'>,
  { onTop = false } = {},
): (BoundAction & Pick<Action, 'replacesMessage' | 'isRefresh'>) | undefined {
  const action = actions.get(actionId);
  if (!action) return undefined;
  const { replacesMessage, isRefresh = false, repeatable = false, onlyAsks } = action;

  const contextOf = (context: RunContext): ActionContext => ({
    ...context,
    runDue,
    async openForm(name, target) {
      await openForm({ name, target, triggerId, channelId, onTop }).run(context);
    },
    async openMessage(message, instead) {
      const shown = { trigger_id: triggerId, view: messageView(message, { channelId }) };
      await checkOpened(onTop ? client.views.push(shown) : client.views.open(shown), instead);
    },
  });

  return {
    name: `${actionId} ${value}`,
    repeatable,
    ...(onlyAsks !== undefined && { onlyAsks }),
    replacesMessage,
    isRefresh,
    async run(context) {
      const message = await action.run(value, contextOf(context));
      return message && { view: () => message };
    },
  };
}

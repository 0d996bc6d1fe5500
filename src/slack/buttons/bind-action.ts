import type { WebClient } from '@slack/web-api';
import type { Action, ActionContext, BoundAction } from '../../features/feature.ts';
import type { RunContext } from '../../features/run-context.ts';
import { messageView } from '../forms/modal-view.ts';
import { type OpenForm, refuseLate } from '../forms/open-form.ts';
import type { Pressed } from './click.ts';

export interface ActionParts {
  actions: ReadonlyMap<string, Action>;
  openForm: OpenForm;
  client: WebClient;
  /** Does due work without waiting for the timer. */
  runDue(): Promise<void>;
}

/** The action of a feature's own button; undefined for any other button. `onTop`: the button is in a modal. */
export function bindAction(
  { actionId, line: value, triggerId, channelId }: Pressed,
  parts: ActionParts,
  { onTop = false } = {},
): (BoundAction & Pick<Action, 'replacesMessage' | 'isRefresh'>) | undefined {
  const action = parts.actions.get(actionId);
  if (!action) return undefined;
  const { client, openForm, runDue } = parts;
  const { replacesMessage, isRefresh = false, repeatable = false, onlyAsks } = action;

  const contextOf = (context: RunContext): ActionContext => ({
    ...context,
    runDue,
    async openForm(name, target) {
      await openForm({ name, target, triggerId, channelId, onTop }).run(context);
    },
    async openMessage(message, instead) {
      const shown = { trigger_id: triggerId, view: messageView(message, { channelId }) };
      const opening = onTop ? client.views.push(shown) : client.views.open(shown);
      await opening.catch(refuseLate(instead));
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

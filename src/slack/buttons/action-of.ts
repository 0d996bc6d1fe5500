import {
  formActionPattern,
  formOptionPattern,
  outsidersPattern,
  pressedOptionPattern,
} from '../../answers/slack/blocks.ts';
import { parseJson } from '../../errors.ts';
import type { AskCtx } from '../../features/ctx.ts';
import type { Action, ActionContext, BoundAction, FormAction } from '../../features/feature.ts';
import type { SlackContext } from '../context.ts';
import { type FormOpening, messageView, openForm, openView } from '../forms/open-form.ts';
import type { SlackUser } from '../people/lookups.ts';

/** A click on a button or on an option of a menu, or a change of a field. */
export interface Click extends FormAction {
  actionTs: string;
  /** Lets the bot open one modal within 3 s. */
  triggerId: string;
  user: SlackUser;
}

/** What a click on a button or a menu's option outside of forms means. */
interface ButtonClick extends Pick<FormOpening, 'triggerId' | 'channelId'> {
  actionId: string;
  /** A command line, or one of the values in blocks.ts. */
  value: string;
  /** Set by the Yes to an OutsidersQuestion, which repeats an action. */
  allowsOutsidersIn?: string | undefined;
}

export function buttonClickOf({ id, value: chosen, triggerId }: Click, channelId: string): ButtonClick {
  const [, pressed = id, value = chosen] = pressedOptionPattern.exec(chosen) ?? [];
  const [, allowsOutsidersIn, actionId = pressed] = outsidersPattern.exec(pressed) ?? [];
  return { actionId, value, allowsOutsidersIn, triggerId, channelId };
}

type ClickAction = BoundAction & Partial<Pick<Action, 'replacesMessage' | 'isRefresh'>>;

/** The feature's action, or one that opens a form; undefined for a command line. `onTop`: the button is in a modal. */
export function actionOf(
  click: ButtonClick,
  slack: SlackContext,
  { onTop = false } = {},
): ClickAction | undefined {
  const { actionId, value, triggerId, channelId } = click;
  const where = { triggerId, channelId, onTop };
  const action = slack.features.flatMap(({ actions = [] }) => actions).find(({ id }) => id === actionId);
  if (!action) {
    const form = formOf(click);
    return form && openForm({ ...form, ...where }, slack);
  }
  const { repeatable = false, onlyAsks = repeatable, replacesMessage, isRefresh = false } = action;
  const contextOf = (context: AskCtx): ActionContext => ({
    ...context,
    runDue: slack.runDue,
    openForm: async (name, target) => void (await openForm({ name, target, ...where }, slack).run(context)),
    openMessage: (message, instead) =>
      openView(messageView(message, { channelId }), { ...where, instead }, slack),
  });
  return {
    name: `${actionId} ${value}`,
    pressed: { id: actionId, value },
    ...{ repeatable, onlyAsks, replacesMessage, isRefresh },
    async run(context) {
      const message = await action.run(value, contextOf(context));
      return message && { view: () => message };
    },
  };
}

/** The form that a button `form:…` or a menu option opens. */
function formOf({ actionId, value }: ButtonClick): { name: string; target: unknown } | undefined {
  const byButton = formActionPattern.exec(actionId)?.[1];
  const [, name = byButton, target = value] = formOptionPattern.exec(value) ?? [];
  // With a value that isn't JSON the form fails to open, with a reference.
  return name === undefined ? undefined : { name, target: parseJson(target) };
}

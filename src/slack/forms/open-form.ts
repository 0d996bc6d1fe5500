import { randomUUID } from 'node:crypto';
import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { UserError } from '../../errors.ts';
import type { BoundAction, Feature } from '../../features/feature.ts';
import type { Form } from '../../features/form.ts';
import { privateReader } from '../../features/run-context.ts';
import { formActionPattern, formOptionPattern } from '../../messages/action-ids.ts';
import type { Pressed } from '../buttons/click.ts';
import { slackCode } from '../posting/post-errors.ts';
import { formView } from './modal-view.ts';

/** A request to open a form. `channelId`: the person's own id outside channels. */
interface FormOpening {
  name: string;
  target: unknown;
  triggerId: string;
  channelId: string;
  /** The click was in a modal, which stays below. */
  onTop?: boolean;
}

export type OpenForm = (opening: FormOpening) => BoundAction;

/** Slack opens a form only within 3 s of the click. The action throws UserError when it is too late. */
export function createOpenForm(client: WebClient, findForm: FindForm): OpenForm {
  return ({ name, target, triggerId, channelId, onTop }) => ({
    name: `form ${name} open`,
    repeatable: true,
    // A form leads to a change.
    onlyAsks: false,
    async run(context) {
      const form = findForm(name);
      const opened = await form.open(target, context, privateReader(context));
      const view = formView(name, opened, { channelId, formId: randomUUID() });
      const shown = { trigger_id: triggerId, view };
      const opening = onTop ? client.views.push(shown) : client.views.open(shown);
      await opening.catch(refuseLate(form.instead(target)));
      return undefined;
    },
  });
}

/** Opens the form of a button `form:…`, or of an option of a menu; undefined for any other click. */
export function formAction(
  { actionId, line, triggerId, channelId }: Pressed,
  { openForm, onTop = false }: { openForm: OpenForm; onTop?: boolean },
): BoundAction | undefined {
  const byButton = formActionPattern.exec(actionId)?.[1];
  const [, name = byButton, target = line] = formOptionPattern.exec(line) ?? [];
  if (name === undefined) return undefined;
  return openForm({ name, target: targetIn(target), triggerId, channelId, onTop });
}

/** Undefined for a foreign value: the form then fails to open, with a reference. */
function targetIn(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

export type FindForm = (name: string) => Form;

/** Throws for an unknown name. */
export function createFindForm(features: readonly Feature[]): FindForm {
  const forms = new Map(features.flatMap(({ forms = [] }) => forms.map((form) => [form.name, form])));
  return (name) => {
    const form = forms.get(name);
    if (!form) throw new Error(`no such form: ${name}`);
    return form;
  };
}

/** A trigger is valid for 3 s and one modal; at most three modals can be stacked. */
export function refuseLate(instead: string): (cause: unknown) => never {
  return (cause) => {
    const code = cause instanceof WebAPIRateLimitedError ? 'ratelimited' : slackCode(cause);
    if (code === 'ratelimited') {
      throw new UserError({
        code: 'too-late',
        message: 'Slack takes no more from Landfall for the moment, so nothing opened.',
        hint: 'Please press it again in a minute, or type it as a command.',
        example: instead,
      });
    }
    if (code === 'push_limit_reached') {
      throw new UserError({
        code: 'too-late',
        message: 'Slack opens no more than three windows on each other, so nothing opened.',
        hint: 'Close one of them first.',
      });
    }
    if (!code?.includes('trigger')) throw cause;
    throw new UserError({
      code: 'too-late',
      message: 'Slack waited too long for Landfall, so nothing opened.',
      hint: 'Please press it again, or type it as a command.',
      example: instead,
    });
  };
}

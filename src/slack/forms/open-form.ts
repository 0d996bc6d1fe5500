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

/** What opens a form: a click or a shortcut. `channelId`: the person's own id where it came from no channel. */
interface FormOpening {
  name: string;
  target: unknown;
  triggerId: string;
  channelId: string;
  /** It was clicked in a modal, which stays below. */
  onTop?: boolean;
}

export type OpenForm = (opening: FormOpening) => BoundAction;

/** Slack opens it for 3 s after the click. The action throws UserError when it does not, or there is nothing to fill in. */
export function createOpenForm(client: WebClient, findForm: FindForm): OpenForm {
  return ({ name, target, triggerId, channelId, onTop }) => ({
    name: `form ${name} open`,
    repeatable: true,
    // What it is filled in for changes something.
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

/** What a button `form:…`, or an option of a menu, opens; undefined for any other. */
export function formAction(
  { actionId, line, triggerId, channelId }: Pressed,
  { openForm, onTop = false }: { openForm: OpenForm; onTop?: boolean },
): BoundAction | undefined {
  const byButton = formActionPattern.exec(actionId)?.[1];
  const [, name = byButton, target = line] = formOptionPattern.exec(line) ?? [];
  if (name === undefined) return undefined;
  return openForm({ name, target: targetIn(target), triggerId, channelId, onTop });
}

/** Of what is not ours nothing: the form then fails to open, with a reference. */
function targetIn(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

export type FindForm = (name: string) => Form;

/** Throws for a name that no feature has. */
export function createFindForm(features: readonly Feature[]): FindForm {
  const forms = new Map(features.flatMap(({ forms = [] }) => forms.map((form) => [form.name, form])));
  return (name) => {
    const form = forms.get(name);
    if (!form) throw new Error(`no such form: ${name}`);
    return form;
  };
}

/** A trigger lives 3 s, and is good for one modal; three of them can lie on each other. */
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

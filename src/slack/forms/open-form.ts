import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { UserError } from '../../errors.ts';
import type { BoundAction, Feature } from '../../features/feature.ts';
import type { Form } from '../../features/form.ts';
import { privateReader } from '../../features/run-context.ts';
import type { WorkspaceServices } from '../../features/services.ts';
import { slackCode } from '../posting/slack-errors.ts';
import { formView } from './modal-view.ts';

export interface FormOpening {
  name: string;
  target: unknown;
  /** Lets the bot open one modal within 3 s. */
  triggerId: string;
  /** The person's own id outside channels. */
  channelId: string;
  /** The click was in a modal, which stays open below. */
  onTop?: boolean;
}

/** The action throws UserError if it is too late for the form to open. */
export function createOpenForm({
  client,
  findForm,
  newId,
}: {
  client: WebClient;
  findForm: (name: string) => Form;
  newId: WorkspaceServices['newId'];
}) {
  return ({ name, target, triggerId, channelId, onTop }: FormOpening): BoundAction => ({
    name: `form ${name} open`,
    repeatable: true,
    // A form makes a change, so people who may only ask can't open it.
    onlyAsks: false,
    async run(context) {
      const form = findForm(name);
      const opened = await form.open(target, context, privateReader(context));
      const view = formView(name, opened, { channelId, formId: newId() });
      const shown = { trigger_id: triggerId, view };
      await checkOpened(onTop ? client.views.push(shown) : client.views.open(shown), form.instead(target));
      return undefined;
    },
  });
}

export function createFindForm(features: readonly Feature[]) {
  const forms = new Map(features.flatMap(({ forms = [] }) => forms.map((form) => [form.name, form])));
  return (name: string): Form => {
    const form = forms.get(name);
    if (!form) throw new Error(`no such form: ${name}`);
    return form;
  };
}

/** Throws UserError, with the line to type `instead`, if Slack did not open the modal: a trigger is valid for 3 s. */
export async function checkOpened(opening: Promise<unknown>, instead: string): Promise<void> {
  try {
    await opening;
  } catch (error) {
    const code = error instanceof WebAPIRateLimitedError ? 'ratelimited' : slackCode(error);
    if (code === 'ratelimited')
      throw tooLate('Slack accepts no more requests from Landfall right now, so nothing opened.', {
        hint: 'Please press it again in a minute, or type it as a command.',
        example: instead,
      });
    if (code === 'push_limit_reached')
      throw tooLate('Slack opens at most three windows on top of each other, so nothing opened.', {
        hint: 'Close one of them first.',
      });
    if (!code?.includes('trigger')) throw error;
    throw tooLate('Slack waited too long for Landfall, so nothing opened.', {
      hint: 'Please press it again, or type it as a command.',
      example: instead,
    });
  }
}

const tooLate = (message: string, advice: { hint: string; example?: string }): UserError =>
  new UserError({ code: 'too-late', message, ...advice });

import type { ModalView } from '@slack/types';
import { WebAPIRateLimitedError } from '@slack/web-api';
import { UserError } from '../../errors.ts';
import { privateReader } from '../../features/ctx.ts';
import type { BoundAction } from '../../features/feature.ts';
import type { Form } from '../../features/form.ts';
import type { SlackContext } from '../context.ts';
import { slackCode } from '../posting/slack-errors.ts';
import { formView } from './modal-view.ts';

interface Opening {
  /** Lets the bot open one modal within 3 s. */
  triggerId: string;
  /** The click was in a modal, which stays open below. */
  onTop?: boolean;
}

export interface FormOpening extends Opening {
  name: string;
  target: unknown;
  /** The person's own id outside channels. */
  channelId: string;
}

/** The action throws UserError if it is too late for the form to open. */
export function openForm(opening: FormOpening, slack: SlackContext): BoundAction {
  const { name, target, channelId } = opening;
  return {
    name: `form ${name} open`,
    repeatable: true,
    // A form makes a change, so people who may only ask can't open it.
    onlyAsks: false,
    async run(context) {
      const form = findForm(name, slack);
      const opened = await form.open(target, context, privateReader(context));
      const view = formView(name, opened, { channelId, formId: slack.ctx.services.newId() });
      await openView(view, { ...opening, instead: form.instead(target) }, slack);
      return undefined;
    },
  };
}

export function findForm(name: string, { features }: SlackContext): Form {
  const form = features.flatMap(({ forms = [] }) => forms).find((form) => form.name === name);
  if (!form) throw new Error(`no such form: ${name}`);
  return form;
}

/** Throws UserError, with the line to type `instead`, if Slack does not open the modal: a trigger is valid for 3 s. */
export async function openView(
  view: ModalView,
  { triggerId, onTop, instead }: Opening & { instead: string },
  { clients: { posts: client } }: Pick<SlackContext, 'clients'>,
): Promise<void> {
  const shown = { trigger_id: triggerId, view };
  try {
    await (onTop ? client.views.push(shown) : client.views.open(shown));
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

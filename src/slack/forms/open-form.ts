import type { KnownBlock, ModalView } from '@slack/types';
import { WebAPIRateLimitedError } from '@slack/web-api';
import { z } from 'zod';
import { clip, limits, type Message, plainBlocksOf } from '../../answers/message.ts';
import { withoutButtons } from '../../answers/slack/answer-message.ts';
import { actionIds, sections } from '../../answers/slack/blocks.ts';
import { formBlocks } from '../../answers/slack/form.ts';
import { dismiss } from '../../answers/slack/notices.ts';
import { UserError } from '../../errors.ts';
import { privateReader } from '../../features/ctx.ts';
import type { BoundAction, FieldValues, Form, OpenedForm } from '../../features/feature.ts';
import type { SlackContext } from '../context.ts';
import { slackCode } from '../posting/deliver.ts';

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
    // Most forms make a change, so people who may only ask can't open them.
    onlyAsks: onlyAsks(name, slack),
    async run(context) {
      const form = findForm(name, slack);
      const opened = await form.open(target, context, privateReader(context));
      const view = formView(name, opened, { channelId, formId: slack.ctx.services.newId() });
      await openView(view, { ...opening, instead: form.instead(target) }, slack);
      return undefined;
    },
  };
}

const formNamed = (name: string, { features }: SlackContext): Form | undefined =>
  features.flatMap(({ forms = [] }) => forms).find((form) => form.name === name);

/** Guests who may only ask can open and submit it. */
export const onlyAsks = (name: string, slack: SlackContext): boolean =>
  formNamed(name, slack)?.onlyAsks ?? false;

export function findForm(name: string, slack: SlackContext): Form {
  const form = formNamed(name, slack);
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

/** The `callback_id` of a form's modal: `form:<name>`. */
export const formPattern = /^form:([a-z-]+)$/;

/**
 * A modal's private metadata. `channelId`: the channel in which it was opened, or the person's own id. `onForm`: it was
 * opened from another form, which shows again afterwards. `formId`: unique to this opening.
 */
const Metadata = z
  .object({
    channelId: z.string(),
    // A message has neither target nor memo; without `optional` zod requires the keys.
    target: z.unknown().optional(),
    memo: z.unknown().optional(),
    onForm: z.boolean().optional(),
    formId: z.string().optional(),
  })
  .transform(({ target, memo, ...others }) => ({ ...others, target, memo }));

/** Unreadable metadata gives only the person's id: the work then fails with a reference. */
export function readMetadata(text: string, { id }: { id: string }): z.infer<typeof Metadata> {
  try {
    return Metadata.parse(JSON.parse(text));
  } catch {
    return { channelId: id, target: undefined, memo: undefined };
  }
}

const Option = z.object({ value: z.string() });

/** Any element of a view's state. Slack sends null for an empty one. */
const Element = z
  .object({
    value: z.string().nullish(),
    selected_option: Option.transform(({ value }) => value).nullish(),
    selected_options: z.array(Option).nullish(),
    selected_date: z.string().nullish(),
    selected_time: z.string().nullish(),
    selected_user: z.string().nullish(),
    selected_conversation: z.string().nullish(),
  })
  .transform(({ selected_options, ...texts }) => ({
    text: Object.values(texts).find((text) => typeof text === 'string') ?? '',
    ticked: (selected_options ?? []).map(({ value }) => value),
  }));

const Values = z.record(z.string(), z.record(z.string(), Element));

/** Parses a view's state, in which each block holds one element. */
export function fieldValues(values: unknown): FieldValues {
  const fields = Values.parse(values);
  const elementOf = (field: string) => Object.values(fields[field] ?? {})[0];
  return {
    text: (field) => elementOf(field)?.text ?? '',
    ticked: (field) => elementOf(field)?.ticked ?? [],
  };
}

export function formView(
  name: string,
  { view, reader, target, memo }: OpenedForm,
  place: { channelId: string; onForm?: boolean | undefined; formId?: string | undefined },
): ModalView {
  return {
    type: 'modal',
    callback_id: `form:${name}`,
    private_metadata: JSON.stringify({ ...place, target, memo }),
    title: plainText(view.title),
    close: plainText('Cancel'),
    submit: plainText(view.submit),
    blocks: formBlocks(view, reader),
  };
}

interface MessageViewOptions {
  channelId: string;
  /** Identifies the modal in a later update. */
  externalId?: string;
  /** Closing it also closes the forms below. */
  clears?: boolean;
  title?: string;
}

export function messageView(
  message: Message,
  { channelId, externalId, clears, title = 'Landfall' }: MessageViewOptions,
): ModalView {
  return {
    type: 'modal',
    callback_id: 'message',
    private_metadata: JSON.stringify({ channelId }),
    title: plainText(title),
    close: plainText('Close'),
    ...(externalId && { external_id: externalId }),
    ...(clears && { clear_on_close: true }),
    blocks: viewBlocks(message),
  };
}

/** Views take no tables, nothing can be shared in a channel from them, and they close with a button of their own. */
export function viewBlocks(message: Message): KnownBlock[] {
  const fitting = plainBlocksOf(withoutButtons(message, [actionIds.share, dismiss]));
  return fitting.length > 0 ? fitting.slice(0, limits.viewBlocks) : sections([message.text]);
}

const plainText = (text: string) => ({
  type: 'plain_text' as const,
  text: clip(text, limits.modalTitle),
});

import type {
  Checkboxes,
  Datepicker,
  InputBlock,
  KnownBlock,
  PlainTextElement,
  PlainTextInput,
  RadioButtons,
  StaticSelect,
  Timepicker,
  UsersSelect,
} from '@slack/types';
import { clip, limits } from './limits.ts';

/** What all fields have. The block's id is the field's name; Slack keeps what was typed while it stays. */
export interface Field {
  id: string;
  label: string;
  hint?: string;
  optional?: boolean;
  /** Reported as it is typed or chosen, not only when the form is submitted. */
  live?: boolean;
}

export interface Option {
  value: string;
  label: string;
  description?: string;
}

/** Every field's element has this id: a block holds one. */
export const fieldAction = 'field';

export function textField(
  field: Field & { value?: string; placeholder?: string; maxLength?: number; multiline?: boolean },
): InputBlock {
  const { value, placeholder, maxLength = limits.inputText, multiline } = field;
  const element: PlainTextInput = {
    type: 'plain_text_input',
    action_id: fieldAction,
    max_length: maxLength,
    ...(value && { initial_value: clip(value, maxLength) }),
    ...(placeholder && { placeholder: plainText(placeholder, limits.placeholder) }),
    ...(multiline && { multiline }),
    ...(field.live && {
      dispatch_action_config: { trigger_actions_on: ['on_character_entered', 'on_enter_pressed'] },
    }),
  };
  return input(field, element);
}

export function selectField(field: Field & { options: readonly Option[]; value?: string }): InputBlock {
  const options = field.options.map(optionOf);
  const initial = options.find(({ value }) => value === field.value);
  const element: StaticSelect = {
    type: 'static_select',
    action_id: fieldAction,
    options,
    ...(initial && { initial_option: initial }),
  };
  return input(field, element);
}

export function radioField(field: Field & { options: readonly Option[]; value: string }): InputBlock {
  const options = field.options.map(optionOf);
  const initial = options.find(({ value }) => value === field.value);
  const element: RadioButtons = {
    type: 'radio_buttons',
    action_id: fieldAction,
    options,
    ...(initial && { initial_option: initial }),
  };
  return input(field, element);
}

/** Nothing ticked is an answer too, unless `optional` says that it is none. */
export function checkboxField(
  field: Field & { options: readonly Option[]; values: readonly string[] },
): InputBlock {
  const options = field.options.map(optionOf);
  const ticked = options.filter(({ value }) => field.values.includes(value ?? ''));
  const element: Checkboxes = {
    type: 'checkboxes',
    action_id: fieldAction,
    options,
    // Slack refuses an empty list.
    ...(ticked.length > 0 && { initial_options: ticked }),
  };
  return input({ ...field, optional: field.optional ?? true }, element);
}

/** Slack's own picker: channels are never listed by us. */
function channelField(field: Field & { value?: string }): InputBlock {
  return input(field, {
    type: 'conversations_select',
    action_id: fieldAction,
    filter: { include: ['public', 'private'], exclude_bot_users: true },
    ...(field.value && { initial_conversation: field.value }),
  });
}

/** A person of the workspace; apps stand in Slack's list too, so that what was chosen is still to be checked. */
function personField(field: Field & { value?: string }): InputBlock {
  const element: UsersSelect = { type: 'users_select', action_id: fieldAction };
  return input(field, { ...element, ...(field.value && { initial_user: field.value }) });
}

/** Where something is posted: to who fills in the form alone, or in a channel, which then has a field of its own. */
export type Where = 'channel' | 'me';

export function placeFields({
  label,
  where,
  channelId,
  hint,
}: {
  label: string;
  where: Where;
  channelId: string;
  hint?: string;
}): InputBlock[] {
  return [
    radioField({
      id: 'where',
      label,
      value: where,
      live: true,
      options: [
        { value: 'channel', label: 'In a channel' },
        { value: 'me', label: 'Only to me, as a direct message' },
      ],
    }),
    ...(where === 'channel'
      ? [
          channelField({
            id: 'channel',
            label: 'Channel',
            ...(channelId !== '' && { value: channelId }),
            ...(hint !== undefined && { hint }),
          }),
        ]
      : []),
  ];
}

/** Whose a watch or a digest is. */
export const ownerField = ({ ownerId }: { ownerId: string }): InputBlock =>
  personField({
    id: 'owner',
    label: 'Owner',
    value: ownerId,
    hint: 'Can always change it, and is notified if Landfall can no longer post in the channel.',
  });

/** `value`: `2026-11-27`. */
export function dateField(field: Field & { value?: string }): InputBlock {
  const element: Datepicker = { type: 'datepicker', action_id: fieldAction };
  return input(field, { ...element, ...(field.value && { initial_date: field.value }) });
}

/** `value`: `08:00`. */
export function timeField(field: Field & { value?: string }): InputBlock {
  const element: Timepicker = { type: 'timepicker', action_id: fieldAction };
  return input(field, { ...element, ...(field.value && { initial_time: field.value }) });
}

/** Plain words between fields; `id` where it changes while the form is open. */
export function words(text: string, id?: string): KnownBlock {
  return {
    type: 'section',
    text: plainText(text, limits.sectionText),
    ...(id && { block_id: id }),
  };
}

/** Small print under a field, which changes as it is filled in. */
export function note(text: string, id: string): KnownBlock {
  return { type: 'context', block_id: id, elements: [plainText(text, limits.contextText)] };
}

function input({ id, label, hint, optional, live }: Field, element: InputBlock['element']): InputBlock {
  return {
    type: 'input',
    block_id: id,
    label: plainText(label, limits.inputLabel),
    element,
    ...(hint && { hint: plainText(hint, limits.inputLabel) }),
    ...(optional && { optional }),
    ...(live && { dispatch_action: true }),
  };
}

function optionOf({ value, label, description }: Option) {
  return {
    value,
    text: plainText(label, limits.optionText),
    ...(description && { description: plainText(description, limits.optionText) }),
  };
}

function plainText(text: string, max: number): PlainTextElement {
  return { type: 'plain_text', text: clip(text, max), emoji: false };
}

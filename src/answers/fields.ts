import type { InputBlock, KnownBlock, PlainTextElement } from '@slack/types';
import { clip, limits } from './limits.ts';

/** What all fields have in common. Slack keeps the typed text while the id stays the same. */
export interface Field {
  id: string;
  label: string;
  hint?: string;
  optional?: boolean;
  /** Slack reports each change, not only the submitted value. */
  live?: boolean;
}

export interface Option {
  value: string;
  label: string;
  description?: string;
}

/** The action id of the element in every field. It is unique because each block holds one element. */
export const fieldAction = 'field';

export function textField(
  field: Field & { value?: string; placeholder?: string; maxLength?: number; multiline?: boolean },
): InputBlock {
  const { value, placeholder, maxLength = limits.inputText, multiline, live } = field;
  return input(field, {
    type: 'plain_text_input',
    action_id: fieldAction,
    max_length: maxLength,
    ...(value && { initial_value: clip(value, maxLength) }),
    ...(placeholder && { placeholder: plainText(placeholder, limits.placeholder) }),
    ...(multiline && { multiline }),
    ...(live && {
      dispatch_action_config: { trigger_actions_on: ['on_character_entered', 'on_enter_pressed'] },
    }),
  });
}

type ChoiceField = Field & { options: readonly Option[]; value?: string };

export const selectField = (field: ChoiceField): InputBlock => choiceField('static_select', field);

export const radioField = (field: ChoiceField): InputBlock => choiceField('radio_buttons', field);

function choiceField(type: 'static_select' | 'radio_buttons', field: ChoiceField): InputBlock {
  const options = field.options.map(optionOf);
  const initial = options.find(({ value }) => value === field.value);
  return input(field, {
    type,
    action_id: fieldAction,
    options,
    ...(initial && { initial_option: initial }),
  });
}

/** Nothing needs to be ticked unless `optional` is false. */
export function checkboxField(
  field: Field & { options: readonly Option[]; values: readonly string[] },
): InputBlock {
  const options = field.options.map(optionOf);
  const ticked = options.filter(({ value }) => field.values.includes(value));
  const element: InputBlock['element'] = {
    type: 'checkboxes',
    action_id: fieldAction,
    options,
    // Slack refuses an empty list.
    ...(ticked.length > 0 && { initial_options: ticked }),
  };
  return input({ ...field, optional: field.optional ?? true }, element);
}

/** `me`: in a direct message to the person who fills in the form. */
export type Where = 'channel' | 'me';

/** Asks for the place of a watch or a digest. A second field asks for the channel. */
export function placeFields(
  field: Pick<Field, 'label' | 'hint'> & { where: Where; channelId: string },
): InputBlock[] {
  const { label, where, channelId, hint } = field;
  const place = radioField({
    id: 'where',
    label,
    value: where,
    live: true,
    options: [
      { value: 'channel', label: 'In a channel' },
      { value: 'me', label: 'Only to me, as a direct message' },
    ],
  });
  if (where === 'me') return [place];
  const channel = input(
    { id: 'channel', label: 'Channel', ...(hint !== undefined && { hint }) },
    {
      type: 'conversations_select',
      action_id: fieldAction,
      filter: { include: ['public', 'private'], exclude_bot_users: true },
      ...(channelId !== '' && { initial_conversation: channelId }),
    },
  );
  return [place, channel];
}

/** Slack offers apps too, so the choice still has to be checked. `userId`: the initial choice; '' for none. */
export const personField = ({ userId, ...field }: Field & { userId: string }): InputBlock =>
  input(field, { type: 'users_select', action_id: fieldAction, ...(userId && { initial_user: userId }) });

/** The owner of a watch or a digest. */
export const ownerField = ({ ownerId: userId }: { ownerId: string }): InputBlock =>
  personField({
    id: 'owner',
    label: 'Owner',
    hint: 'Can always change it, and is notified if Landfall can no longer post in the channel.',
    userId,
  });

/** `value`: `2026-11-27`. */
export const dateField = (field: Field & { value: string }): InputBlock =>
  input(field, { type: 'datepicker', action_id: fieldAction, initial_date: field.value });

/** `value`: `08:00`. */
export const timeField = (field: Field & { value: string }): InputBlock =>
  input(field, { type: 'timepicker', action_id: fieldAction, initial_time: field.value });

/** Plain text between fields. An `id` is needed if the text changes while the form is open. */
export function textBlock(text: string, id?: string): KnownBlock {
  return {
    type: 'section',
    text: plainText(text, limits.sectionText),
    ...(id && { block_id: id }),
  };
}

/** Small print under a field, which changes while the form is open. */
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

import type { InputBlock, KnownBlock, PlainTextElement } from '@slack/types';
import { UserError } from '../errors.ts';
import { clip, limits } from './message.ts';

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

/** Messages about wrong values in a form, by the ids of the fields. Does not cover errors about the whole form. */
export class FieldErrors extends Error {
  override readonly name = 'FieldErrors';
  readonly fields: Readonly<Record<string, string>>;

  constructor(fields: Readonly<Record<string, string>>, options?: ErrorOptions) {
    super(Object.values(fields).join(' '), options);
    this.fields = fields;
  }
}

/** Reads every field. Throws one FieldErrors for all wrong fields, so people can correct them all at once. */
export function readFields<Readers extends Record<string, () => unknown>>(
  readers: Readers,
): { [Field in keyof Readers]: ReturnType<Readers[Field]> } {
  const errors: Record<string, string> = {};
  const values = Object.entries(readers).map(([field, read]) => {
    try {
      return [field, read()];
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      errors[field] = fieldText(error);
      return [field, undefined];
    }
  });
  if (Object.keys(errors).length > 0) throw new FieldErrors(errors);
  // Each value comes from the reader of the same name; an object built by name can't show that.
  return Object.fromEntries(values) as { [Field in keyof Readers]: ReturnType<Readers[Field]> };
}

/** The text of an error beside a field, with up to three corrections. */
export function fieldText({ message, hint, choices }: UserError): string {
  const labels = choices.slice(0, 3).map(({ label }) => label);
  if (labels.length > 0) return `${message} Did you mean ${labels.join(', or ')}?`;
  return hint === undefined ? message : `${message} ${hint}`;
}

/** Throws a bad-owner error as FieldErrors for the field of the person; rethrows any other error. */
export const rethrowBeside =
  (field: string) =>
  (error: unknown): never => {
    if (!(error instanceof UserError) || error.code !== 'bad-owner') throw error;
    throw new FieldErrors({ [field]: fieldText(error) }, { cause: error });
  };

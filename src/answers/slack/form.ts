import type { InputBlock, KnownBlock } from '@slack/types';
import type { FormButton, FormField, FormPart, FormView, Option } from '../fields.ts';
import { clip, limits, type Reader } from '../message.ts';
import { toMrkdwn } from '../text.ts';
import { actions, button, context, plainText, sections } from './blocks.ts';

/** The action id of the element in every field. It is unique because each block holds one element. */
export const fieldAction = 'field';

/** The blocks of a form's modal. */
export const formBlocks = ({ parts }: FormView, reader: Reader): KnownBlock[] =>
  parts.flatMap((part) => partBlocks(part, reader));

function partBlocks(part: FormPart, reader: Reader): KnownBlock[] {
  switch (part.kind) {
    case 'text':
      return sections(part.lines.map((line) => toMrkdwn(line, reader))).map((block) => ({
        ...block,
        ...(part.id !== undefined && { block_id: part.id }),
        ...(part.button && { accessory: buttonOf(part.button) }),
      }));
    case 'note':
      return [{ ...context(toMrkdwn(part.text, reader)), block_id: part.id }];
    case 'buttons':
      return actions(part.buttons.map(buttonOf));
    default:
      return [fieldBlock(part)];
  }
}

const buttonOf = ({ label, press: id, value = id }: FormButton) => button({ id, label, value });

function fieldBlock(field: FormField): InputBlock {
  const { id, label, hint, isOptional = field.kind === 'ticks', isLive = false } = field;
  return {
    type: 'input',
    block_id: id,
    label: plainText(label, limits.inputLabel),
    element: elementOf(field),
    ...(hint !== undefined && { hint: plainText(hint, limits.inputLabel) }),
    ...(isOptional && { optional: true }),
    ...(isLive && { dispatch_action: true }),
  };
}

function elementOf(field: FormField): InputBlock['element'] {
  const action_id = fieldAction;
  switch (field.kind) {
    case 'input': {
      const { value, placeholder, maxLength = limits.inputText, isMultiline, isLive } = field;
      return {
        type: 'plain_text_input',
        action_id,
        max_length: maxLength,
        ...(value && { initial_value: clip(value, maxLength) }),
        ...(placeholder && { placeholder: plainText(placeholder, limits.placeholder) }),
        ...(isMultiline && { multiline: true }),
        ...(isLive && {
          dispatch_action_config: { trigger_actions_on: ['on_character_entered', 'on_enter_pressed'] },
        }),
      };
    }
    case 'menu':
    case 'radio': {
      const type = field.kind === 'menu' ? 'static_select' : 'radio_buttons';
      const options = field.options.map(optionOf);
      const chosen = options.find(({ value }) => value === field.value);
      return { type, action_id, options, ...(chosen && { initial_option: chosen }) };
    }
    case 'ticks': {
      const options = field.options.map(optionOf);
      const ticked = options.filter(({ value }) => field.values.includes(value));
      // Slack refuses an empty list.
      return {
        type: 'checkboxes',
        action_id,
        options,
        ...(ticked.length > 0 && { initial_options: ticked }),
      };
    }
    case 'channel':
      return {
        type: 'conversations_select',
        action_id,
        filter: { include: ['public', 'private'], exclude_bot_users: true },
        ...(field.value && { initial_conversation: field.value }),
      };
    case 'person':
      return { type: 'users_select', action_id, ...(field.value && { initial_user: field.value }) };
    case 'date':
      return { type: 'datepicker', action_id, initial_date: field.value };
    case 'time':
      return { type: 'timepicker', action_id, initial_time: field.value };
  }
}

const optionOf = ({ value, label, description }: Option) => ({
  value,
  text: plainText(label, limits.optionText),
  ...(description && { description: plainText(description, limits.optionText) }),
});

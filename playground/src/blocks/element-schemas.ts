import { z } from 'zod';
import {
  checkableOption,
  confirm,
  id,
  imageUrl,
  items,
  option,
  plainText,
  style,
  text,
  url,
} from './composition-schemas.ts';

const action = { action_id: id };
const focus = { focus_on_load: z.boolean().optional() };
const placeholder = { placeholder: plainText(150).optional() };
const choice = { ...action, ...focus, confirm };
const menu = { ...choice, ...placeholder };
const textEntry = {
  ...action,
  ...focus,
  ...placeholder,
  dispatch_action_config: z
    .strictObject({
      trigger_actions_on: z.array(z.enum(['on_enter_pressed', 'on_character_entered'])).min(1),
    })
    .optional(),
};
const multiple = { max_selected_items: z.number().int().min(1).optional() };
const ids = z.array(text(50)).optional();
const date = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'must be a valid date');
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a valid time');

export const button = z.strictObject({
  ...action,
  type: z.literal('button'),
  text: plainText(75),
  url: url.optional(),
  value: text(2000).optional(),
  style,
  confirm,
  accessibility_label: text(75).optional(),
});
const overflow = z.strictObject({
  ...action,
  type: z.literal('overflow'),
  options: items(option, 5, 2),
  confirm,
});
export const image = z
  .strictObject({
    type: z.literal('image'),
    image_url: imageUrl.optional(),
    slack_file: z.union([z.strictObject({ id: text(50) }), z.strictObject({ url })]).optional(),
    alt_text: text(2000),
  })
  .refine(
    (given) => (given.image_url === undefined) !== (given.slack_file === undefined),
    'must have either image_url or slack_file',
  );

const optionList = {
  options: items(option, 100).optional(),
  option_groups: items(z.strictObject({ label: plainText(75), options: items(option, 100) }), 100).optional(),
};
const staticSelect = z
  .strictObject({
    ...menu,
    ...optionList,
    type: z.literal('static_select'),
    initial_option: option.optional(),
  })
  .refine(hasOptions, 'missing required field: options')
  .refine(initialsAreOptions, 'initial_option must be one of the options');
const multiStaticSelect = z
  .strictObject({
    ...menu,
    ...multiple,
    ...optionList,
    type: z.literal('multi_static_select'),
    initial_options: z.array(option).min(1).optional(),
  })
  .refine(hasOptions, 'missing required field: options')
  .refine(initialsAreOptions, 'initial_options must be among the options');
const checkboxes = z
  .strictObject({
    ...choice,
    type: z.literal('checkboxes'),
    options: items(checkableOption, 10),
    initial_options: z.array(checkableOption).min(1).optional(),
  })
  .refine(initialsAreOptions, 'initial_options must be among the options');
const radioButtons = z
  .strictObject({
    ...choice,
    type: z.literal('radio_buttons'),
    options: items(checkableOption, 10),
    initial_option: checkableOption.optional(),
  })
  .refine(initialsAreOptions, 'initial_option must be one of the options');

const conversations = {
  default_to_current_conversation: z.boolean().optional(),
  filter: z
    .strictObject({
      include: z
        .array(z.enum(['im', 'mpim', 'private', 'public']))
        .min(1)
        .optional(),
      exclude_external_shared_channels: z.boolean().optional(),
      exclude_bot_users: z.boolean().optional(),
    })
    .optional(),
};
const response = { response_url_enabled: z.boolean().optional() };
const listSelects = [
  z.strictObject({ ...menu, type: z.literal('users_select'), initial_user: id }),
  z.strictObject({ ...menu, ...multiple, type: z.literal('multi_users_select'), initial_users: ids }),
  z.strictObject({
    ...menu,
    ...conversations,
    ...response,
    type: z.literal('conversations_select'),
    initial_conversation: id,
  }),
  z.strictObject({
    ...menu,
    ...conversations,
    ...multiple,
    type: z.literal('multi_conversations_select'),
    initial_conversations: ids,
  }),
  z.strictObject({ ...menu, ...response, type: z.literal('channels_select'), initial_channel: id }),
  z.strictObject({ ...menu, ...multiple, type: z.literal('multi_channels_select'), initial_channels: ids }),
] as const;
const pickers = [
  z.strictObject({ ...menu, type: z.literal('datepicker'), initial_date: date.optional() }),
  z.strictObject({
    ...menu,
    type: z.literal('timepicker'),
    initial_time: time.optional(),
    timezone: text(100).optional(),
  }),
  z.strictObject({
    ...choice,
    type: z.literal('datetimepicker'),
    initial_date_time: z.number().int().min(1e9).max(9_999_999_999).optional(),
  }),
] as const;
const length = z.number().int().max(3000).optional();
const textInputs = [
  z.strictObject({
    ...textEntry,
    type: z.literal('plain_text_input'),
    initial_value: z.string().optional(),
    multiline: z.boolean().optional(),
    min_length: length,
    max_length: length,
  }),
  z.strictObject({
    ...textEntry,
    type: z.literal('number_input'),
    is_decimal_allowed: z.boolean('missing required field: is_decimal_allowed'),
    initial_value: z.string().optional(),
    min_value: z.string().optional(),
    max_value: z.string().optional(),
  }),
  z.strictObject({ ...textEntry, type: z.literal('email_text_input'), initial_value: z.string().optional() }),
  z.strictObject({ ...textEntry, type: z.literal('url_text_input'), initial_value: z.string().optional() }),
] as const;
/** Elements that the page can't draw: only their type and id are checked. */
const undrawn = z.looseObject({
  type: z.enum(
    ['external_select', 'multi_external_select', 'workflow_button', 'rich_text_input'],
    'unsupported type',
  ),
  action_id: id,
});

const choices = [
  staticSelect,
  multiStaticSelect,
  checkboxes,
  radioButtons,
  ...listSelects,
  ...pickers,
] as const;
/** An element of an actions block. */
export const element = z.discriminatedUnion('type', [button, overflow, ...choices, undrawn]);
/** The accessory of a section. */
export const accessory = z.discriminatedUnion('type', [button, overflow, image, ...choices, undrawn]);
/** The element of an input block. */
export const inputElement = z.discriminatedUnion('type', [...textInputs, ...choices, undrawn]);

function hasOptions({ options, option_groups }: { options?: unknown; option_groups?: unknown }): boolean {
  return (options === undefined) !== (option_groups === undefined);
}

/** Slack compares whole options, not just their values. */
function initialsAreOptions(select: {
  options?: unknown[] | undefined;
  option_groups?: { options: unknown[] }[] | undefined;
  initial_option?: unknown;
  initial_options?: unknown[] | undefined;
}): boolean {
  const all = [...(select.options ?? []), ...(select.option_groups ?? []).flatMap((group) => group.options)];
  const offered = new Set(all.map((option) => JSON.stringify(option)));
  const initial = select.initial_options ?? (select.initial_option ? [select.initial_option] : []);
  return initial.every((option) => offered.has(JSON.stringify(option)));
}

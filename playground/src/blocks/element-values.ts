/**
 * The value of an element, as the page and the server exchange it: an option's value, an id, a date or a
 * text, or a list of these. Null and an empty list mean that nothing is selected or typed.
 */
export type ElementValue = string | string[] | null;

type Fields = Record<string, unknown>;

export const isMultiple = (type: string): boolean => type === 'checkboxes' || type.startsWith('multi_');

/** The field that holds the value in Slack's payloads, by element type. */
const FIELDS: Record<string, string> = {
  plain_text_input: 'value',
  number_input: 'value',
  email_text_input: 'value',
  url_text_input: 'value',
  static_select: 'selected_option',
  radio_buttons: 'selected_option',
  checkboxes: 'selected_options',
  multi_static_select: 'selected_options',
  users_select: 'selected_user',
  multi_users_select: 'selected_users',
  conversations_select: 'selected_conversation',
  multi_conversations_select: 'selected_conversations',
  channels_select: 'selected_channel',
  multi_channels_select: 'selected_channels',
  datepicker: 'selected_date',
  timepicker: 'selected_time',
  datetimepicker: 'selected_date_time',
};

export const holdsValue = (type: unknown): boolean => typeof type === 'string' && type in FIELDS;

/** The value as in Slack's `state.values` and actions; undefined if the element doesn't offer it. */
export function valueFields(element: Fields, value: ElementValue): Fields | undefined {
  const type = String(element.type);
  const field = FIELDS[type];
  if (!field) return undefined;
  const values = Array.isArray(value) ? value : value === null || value === '' ? [] : [value];
  const selected = field.startsWith('selected_option') ? optionsFor(element, values) : values;
  if (!selected) return undefined;
  const single =
    type === 'datetimepicker' && selected[0] !== undefined ? Number(selected[0]) : (selected[0] ?? null);
  return { [field]: isMultiple(type) ? selected : single };
}

function optionsFor(element: Fields, values: string[]): unknown[] | undefined {
  const all = optionsOf(element);
  const found = values.map((value) => all.find((option) => option.value === value));
  return found.every((option) => option !== undefined) ? found : undefined;
}

/** All options of an element, including those in option groups. */
export function optionsOf(element: Fields): Fields[] {
  const groups = listOf(element.option_groups);
  return [element, ...groups].flatMap(({ options }) => listOf(options));
}

/** The initial value that the app has set. */
export function initialValue(element: Fields, currentChannelId?: string): ElementValue {
  const { type, initial_option: option, initial_options: options } = element;
  if (isFields(option)) return String(option.value);
  if (Array.isArray(options)) return listOf(options).map(({ value }) => String(value));
  const single = String(type).replace(/^multi_/, '');
  const key = INITIAL[single] ?? 'initial_value';
  const initial = element[isMultiple(String(type)) ? `${key}s` : key];
  if (Array.isArray(initial)) return initial.map(String);
  if (initial !== undefined) return String(initial);
  const current = element.default_to_current_conversation === true ? currentChannelId : undefined;
  if (isMultiple(String(type))) return current ? [current] : [];
  return current ?? null;
}

const INITIAL: Record<string, string> = {
  users_select: 'initial_user',
  conversations_select: 'initial_conversation',
  channels_select: 'initial_channel',
  datepicker: 'initial_date',
  timepicker: 'initial_time',
  datetimepicker: 'initial_date_time',
};

export const isEmpty = (value: ElementValue): boolean => value === null || value.length === 0;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

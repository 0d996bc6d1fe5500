import { interactive } from '../blocks/block-checks.ts';
import {
  type ElementValue,
  holdsValue,
  initialValue,
  isEmpty,
  valueFields,
} from '../blocks/element-values.ts';
import { type Json, stringOf } from '../json.ts';
import type { FieldValues } from '../page-api/page-api.ts';
import type { View } from '../world/views.ts';

/** What stands in one element of a view: as the page says, or as the app has put it there. */
function valueIn(view: View, values: FieldValues, blockId: string, element: Json): ElementValue {
  const given = values[blockId]?.[String(element.action_id)];
  return given === undefined ? initialValue(element, view.channelId) : given;
}

/** `view.state.values`: by block and action, each element that holds a value. */
export function stateValues(view: View, values: FieldValues): Json {
  const state: Record<string, Json> = {};
  for (const block of view.content.blocks) {
    const blockId = stringOf(block.block_id) ?? '';
    for (const element of interactive(block)) {
      if (!holdsValue(element.type)) continue;
      const fields = valueFields(element, valueIn(view, values, blockId, element));
      state[blockId] = {
        ...state[blockId],
        [String(element.action_id)]: { type: element.type, ...fields },
      };
    }
  }
  return state;
}

/** What Slack's own client says beside a field before it sends anything, by block. */
export function fieldErrors(view: View, values: FieldValues): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const block of view.content.blocks) {
    if (block.type !== 'input') continue;
    const blockId = block.block_id ?? '';
    const [element] = interactive(block.element);
    const value = element ? valueIn(view, values, blockId, element) : null;
    const isMissing = isEmpty(value) && !block.optional;
    const error = isMissing ? 'Please complete this required field.' : element && wrong(element, value);
    if (error) errors[blockId] = error;
  }
  return errors;
}

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

function wrong(element: Json, value: ElementValue): string | undefined {
  if (isEmpty(value)) return undefined;
  if (Array.isArray(value)) {
    const most = Number(element.max_selected_items ?? Number.POSITIVE_INFINITY);
    if (value.length > most) return `Choose at most ${most}.`;
  }
  // A field of text, a choice, or a date: what is not a list is one string.
  const text = String(value);
  if (!valueFields(element, value)) return 'This is not one of the choices.';
  switch (element.type) {
    case 'plain_text_input':
      return wrongLength(element, text);
    case 'number_input':
      return wrongNumber(element, text);
    case 'email_text_input':
      return ADDRESS.test(text) ? undefined : 'Enter a valid email address.';
    case 'url_text_input':
      return URL.canParse(text) ? undefined : 'Enter a valid URL.';
    default:
      return undefined;
  }
}

function wrongLength(element: Json, text: string): string | undefined {
  const [least, most] = [Number(element.min_length ?? 0), Number(element.max_length ?? 3000)];
  if (text.length < least) return `Enter at least ${least} characters.`;
  return text.length > most ? `Enter at most ${most} characters.` : undefined;
}

function wrongNumber(element: Json, text: string): string | undefined {
  const number = Number(text.trim() || Number.NaN);
  if (Number.isNaN(number)) return 'Enter a number.';
  if (!element.is_decimal_allowed && !Number.isInteger(number)) return 'Enter a whole number.';
  if (number < Number(element.min_value ?? Number.NEGATIVE_INFINITY)) {
    return `Enter ${element.min_value} or more.`;
  }
  return number > Number(element.max_value ?? Number.POSITIVE_INFINITY)
    ? `Enter ${element.max_value} or less.`
    : undefined;
}

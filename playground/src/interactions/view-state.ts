import { interactiveElements } from '../blocks/block-checks.ts';
import {
  type ElementValue,
  holdsValue,
  initialValue,
  isEmpty,
  valueFields,
} from '../blocks/element-values.ts';
import { type JsonObject, nonEmptyString } from '../json.ts';
import type { FieldValues } from '../page-api/page-api.ts';
import type { View } from '../world/views.ts';

/** The value of an element: the one the page sent, else the app's initial value. */
function valueIn(view: View, values: FieldValues, blockId: string, element: JsonObject): ElementValue {
  const given = values[blockId]?.[String(element.action_id)];
  return given === undefined ? initialValue(element, view.channelId) : given;
}

/** Builds `view.state.values`: by block and action, for each element that holds a value. */
export function stateValues(view: View, values: FieldValues): JsonObject {
  const state: Record<string, JsonObject> = {};
  for (const block of view.content.blocks) {
    const blockId = nonEmptyString(block.block_id) ?? '';
    for (const element of interactiveElements(block)) {
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

/** The errors that Slack's client shows next to fields instead of submitting, by block. */
export function fieldErrors(view: View, values: FieldValues): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const block of view.content.blocks) {
    if (block.type !== 'input') continue;
    const blockId = block.block_id ?? '';
    const [element] = interactiveElements(block.element);
    const value = element ? valueIn(view, values, blockId, element) : null;
    const isMissing = isEmpty(value) && !block.optional;
    const error = isMissing ? 'Please complete this required field.' : element && valueError(element, value);
    if (error) errors[blockId] = error;
  }
  return errors;
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

function valueError(element: JsonObject, value: ElementValue): string | undefined {
  if (isEmpty(value)) return undefined;
  if (Array.isArray(value)) {
    const max = Number(element.max_selected_items ?? Number.POSITIVE_INFINITY);
    if (value.length > max) return `Choose at most ${max}.`;
  }
  // A text, a single choice or a date: only lists are not strings.
  const text = String(value);
  if (!valueFields(element, value)) return "This isn't one of the choices.";
  switch (element.type) {
    case 'plain_text_input':
      return lengthError(element, text);
    case 'number_input':
      return numberError(element, text);
    case 'email_text_input':
      return EMAIL.test(text) ? undefined : 'Enter a valid email address.';
    case 'url_text_input':
      return URL.canParse(text) ? undefined : 'Enter a valid URL.';
    default:
      return undefined;
  }
}

function lengthError(element: JsonObject, text: string): string | undefined {
  const [min, max] = [Number(element.min_length ?? 0), Number(element.max_length ?? 3000)];
  if (text.length < min) return `Enter at least ${min} characters.`;
  return text.length > max ? `Enter at most ${max} characters.` : undefined;
}

function numberError(element: JsonObject, text: string): string | undefined {
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

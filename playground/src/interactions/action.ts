import { type ElementValue, optionsOf, valueFields } from '../blocks/element-values.ts';
import type { JsonObject } from '../json.ts';

/** An entry of a payload's `actions`. Undefined if the element doesn't offer the selected value. */
export function actionOf(
  element: JsonObject,
  selection: { blockId: unknown; value: ElementValue | undefined; now: number },
): JsonObject | undefined {
  const common = {
    type: element.type,
    action_id: element.action_id,
    block_id: selection.blockId,
    action_ts: (selection.now / 1000).toFixed(6),
  };
  if (element.type === 'overflow') {
    const option = optionsOf(element).find((candidate) => candidate.value === selection.value);
    return option && { ...common, selected_option: option };
  }
  if (selection.value === undefined) {
    const { text, value, url, style } = element;
    const fields = Object.entries({ text, value, url, style }).filter(([, field]) => field !== undefined);
    return { ...common, ...Object.fromEntries(fields) };
  }
  const fields = valueFields(element, selection.value);
  return fields && { ...common, ...fields };
}

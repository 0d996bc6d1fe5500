import { type ElementValue, optionsOf, valueFields } from '../blocks/element-values.ts';
import type { Json } from '../json.ts';

/** One entry of `actions`: the element's own fields with what was chosen. Undefined for what it does not offer. */
export function actionOf(
  element: Json,
  chosen: { blockId: unknown; value: ElementValue | undefined; now: number },
): Json | undefined {
  const common = {
    type: element.type,
    action_id: element.action_id,
    block_id: chosen.blockId,
    action_ts: (chosen.now / 1000).toFixed(6),
  };
  if (element.type === 'overflow') {
    const option = optionsOf(element).find((candidate) => candidate.value === chosen.value);
    return option && { ...common, selected_option: option };
  }
  if (chosen.value === undefined) {
    const { text, value, url, style } = element;
    const own = Object.entries({ text, value, url, style }).filter(([, field]) => field !== undefined);
    return { ...common, ...Object.fromEntries(own) };
  }
  const fields = valueFields(element, chosen.value);
  return fields && { ...common, ...fields };
}

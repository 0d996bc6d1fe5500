import type { ElementValue } from '../../src/blocks/element-values.ts';
import type { FieldValues } from '../../src/page-api/page-api.ts';

/** A copy with one value set. */
export const withValue = (
  values: FieldValues,
  { blockId, actionId, value }: { blockId: string; actionId: string; value: ElementValue },
): FieldValues => ({ ...values, [blockId]: { ...values[blockId], [actionId]: value } });

/** A copy without the error of one block. */
export function withoutError(errors: Record<string, string>, blockId: string): Record<string, string> {
  const { [blockId]: _removed, ...rest } = errors;
  return rest;
}

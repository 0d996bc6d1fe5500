import { isJsonObject } from '../json.ts';

/** Characters in all `text` of blocks or their parts; ids, values and URLs don't count. */
export function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + textLength(item), 0);
  if (!isJsonObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, item]) => sum + (key === 'text' && typeof item === 'string' ? item.length : textLength(item)),
    0,
  );
}

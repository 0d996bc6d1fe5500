/** A Markdown table. The first `left` columns are aligned to the left. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { left = 1 } = {},
): string {
  const alignment = head.map((_, index) => (index < left ? '---' : '--:'));
  return [head, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** Three digits at least; an empty text for no figure. */
export function show(value: number | undefined, unit = ''): string {
  if (value === undefined || Number.isNaN(value)) return '';
  const isWhole = Number.isInteger(value) || Math.abs(value) >= 100;
  const digits = isWhole
    ? Math.round(value).toLocaleString('en')
    : value.toFixed(Math.abs(value) < 10 ? 2 : 1);
  return unit ? `${digits} ${unit}` : digits;
}

export function ratio(value: number | undefined, bare: number): string {
  return value === undefined || bare === 0 || Number.isNaN(value / bare) ? '' : (value / bare).toFixed(2);
}

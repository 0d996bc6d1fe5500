/** Inter, the only font that the drawing process loads. */
export const fontFamily = 'Inter';

interface TextStyle {
  x: number;
  y: number;
  size: number;
  bold?: boolean;
  colour?: string;
  anchor?: 'start' | 'middle' | 'end';
  /** An outline in this colour, so that the text can be read on a coast. */
  halo?: string;
}

/** An SVG text, escaped. */
export function svgText(
  text: string,
  { x, y, size, bold, colour = palette.text, anchor = 'start', halo }: TextStyle,
): string {
  const outline = halo
    ? ` stroke="${halo}" stroke-width="${round(size / 5)}" stroke-linejoin="round" paint-order="stroke"`
    : '';
  return (
    `<text x="${round(x)}" y="${round(y)}" font-size="${size}" font-weight="${bold ? 700 : 400}"` +
    ` text-anchor="${anchor}" fill="${colour}"${outline}>${escapeXml(text)}</text>`
  );
}

/** For text and attributes. Control characters are not allowed in XML at all. */
export function escapeXml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those that XML 1.0 forbids
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&apos;')
  );
}

/** At least the width of the text in Inter, and a tenth more at most; a test compares it with what resvg draws. */
export function textWidth(text: string, { size }: { size: number }): number {
  return [...text].reduce((sum, letter) => sum + widthOf(letter), 0) * size;
}

/** In ems, of the bold letter. */
function widthOf(letter: string): number {
  if (/[ijlI ’]/.test(letter)) return 0.31;
  if (/[ftr1.,:;'·()/|-]/.test(letter)) return 0.4;
  if (/[mM…]/.test(letter)) return 0.97;
  if (/[W%@Æ—]/.test(letter)) return 1.06;
  if (/[wNOQØ]/.test(letter)) return 0.82;
  if (/[ksxyzaceonuvLFJ57–]/.test(letter)) return 0.62;
  if (/\p{Lu}/u.test(letter)) return 0.76;
  return 0.68;
}

/** Shortened with `…` until it fits. */
export function fitText(text: string, width: number, font: { size: number }): string {
  if (textWidth(text, font) <= width) return text;
  const letters = [...text];
  while (letters.length > 1 && textWidth(`${letters.join('')}…`, font) > width) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}

/** A tenth of a unit is a fifteenth of a pixel on a screen. */
export const round = (value: number): number => Math.round(value * 10) / 10;

/** One palette for light and dark clients: the picture brings its own background. */
export const palette = {
  paper: '#ffffff',
  sea: '#cfe0ec',
  land: '#f6f0e2',
  coast: '#8c9cab',
  grid: '#bcd1e0',
  text: '#14202b',
  smallText: '#48586a',
  /** The mark of the first place, and those of the others: numbers and sizes tell them apart, colours only help. */
  firstMark: '#0b4a82',
  otherMark: '#556575',
  markText: '#ffffff',
  badge: '#8a4b00',
} as const;

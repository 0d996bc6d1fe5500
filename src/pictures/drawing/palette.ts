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

/** Each text colour with the backgrounds that it stands on. */
export const textOnBackground: readonly (readonly [text: string, backgrounds: readonly string[]])[] = [
  [palette.text, [palette.paper, palette.sea, palette.land]],
  [palette.smallText, [palette.paper, palette.sea, palette.land]],
  [palette.markText, [palette.firstMark, palette.otherMark]],
  [palette.badge, [palette.paper]],
];

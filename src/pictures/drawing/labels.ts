import type { MapFrame } from './map-frame.ts';
import type { Mark } from './marks.ts';
import { palette } from './palette.ts';
import { fitText, svgText, textWidth } from './text.ts';

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

type Anchor = 'start' | 'middle' | 'end';

interface Label {
  rank: number;
  box: Box;
  anchor: Anchor;
  text: string;
}

const labelFont = { size: 26, bold: true };
const labelHeight = 32;
const maxLabelWidth = 300;
/** Between a name and every mark: any closer to another than its own, and it would be taken for that one's. */
const clearance = 8;

/**
 * The names beside the marks, the most probable first. A name that would cover something, or be taken for that of another
 * mark, in every position is left out: the number leads to the list.
 */
export function placeLabels(marks: readonly Mark[], frame: MapFrame): Label[] {
  const points = marks.map(({ at: [x, y] }) => boxAround({ x, y, radius: 7 }));
  const labels: Label[] = [];
  for (const mark of marks) {
    const text = fitText(`${mark.place.name} ${mark.place.share}`, maxLabelWidth, labelFont);
    const others = marks.filter((other) => other !== mark);
    const taken = [
      ...points,
      ...labels.map(({ box }) => box),
      ...others.map(({ x, y, radius }) => boxAround({ x, y, radius: radius + clearance })),
    ];
    const free = positionsAround(mark, textWidth(text, labelFont)).find(
      ({ box }) => isInside(box, frame) && !taken.some((other) => overlaps(box, other)),
    );
    if (free) labels.push({ ...free, rank: mark.rank, text });
  }
  return labels;
}

export function svgLabel({ box: { left, right, bottom }, anchor, text }: Label): string {
  const x = { start: left, middle: (left + right) / 2, end: right }[anchor];
  return svgText(text, { x, y: bottom - 8, ...labelFont, anchor, halo: palette.paper });
}

/** Right of the mark, left, above, below, then the corners. */
function positionsAround({ x, y, radius }: Mark, width: number): { box: Box; anchor: Anchor }[] {
  const away = radius + clearance;
  const corner = away * 0.8;
  const position = (anchor: Anchor, anchorX: number, middle: number) => {
    const left = anchorX - { start: 0, middle: width / 2, end: width }[anchor];
    const box = {
      left,
      right: left + width,
      top: middle - labelHeight / 2,
      bottom: middle + labelHeight / 2,
    };
    return { box, anchor };
  };
  const [above, below] = [y - away - labelHeight / 2, y + away + labelHeight / 2];
  return [
    position('start', x + away, y),
    position('end', x - away, y),
    position('middle', x, above),
    position('middle', x, below),
    position('start', x + corner, y - corner),
    position('end', x - corner, y - corner),
    position('start', x + corner, y + corner),
    position('end', x - corner, y + corner),
    position('start', x - radius, above),
    position('end', x + radius, above),
    position('start', x - radius, below),
    position('end', x + radius, below),
  ];
}

export const boxAround = ({ x, y, radius }: { x: number; y: number; radius: number }): Box => ({
  left: x - radius,
  top: y - radius,
  right: x + radius,
  bottom: y + radius,
});

const isInside = ({ left, top, right, bottom }: Box, { width, height }: MapFrame): boolean =>
  left >= 8 && top >= 4 && right <= width - 8 && bottom <= height - 4;

export const overlaps = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

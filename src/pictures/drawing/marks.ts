import type { MapPlace } from '../map-picture.ts';
import type { MapFrame } from './land.ts';
import { fitText, palette, round, svgText, textWidth } from './text.ts';

interface Mark {
  /** From 1. */
  rank: number;
  place: MapPlace;
  /** The place itself. */
  at: readonly [x: number, y: number];
  /** The centre of the mark: beside the place where marks would cover each other. */
  x: number;
  y: number;
  radius: number;
}

/** The marks of the places that have coordinates, moved apart until none covers another. */
export function placeMarks(places: readonly MapPlace[], frame: MapFrame): Mark[] {
  const marks = places.flatMap((place, index): Mark[] => {
    if (!place.at) return [];
    const [x, y] = frame.project(place.at);
    return [{ rank: index + 1, place, at: [x, y], x, y, radius: radiusOf(place) }];
  });
  moveApart(marks, frame);
  return marks;
}

/** The area grows with the weight, and the smallest mark still holds its number. */
const radiusOf = ({ weight }: Pick<MapPlace, 'weight'>): number => 17 + 19 * Math.sqrt(weight);

const gap = 5;
const maxRounds = 400;

function moveApart(marks: readonly Mark[], { width, height }: MapFrame): void {
  for (let turn = 0; turn < maxRounds; turn += 1) {
    let moved = false;
    for (const [index, one] of marks.entries())
      for (const other of marks.slice(index + 1)) moved = separate(one, other) || moved;
    for (const mark of marks) {
      const room = mark.radius + gap;
      mark.x = Math.max(room, Math.min(width - room, mark.x));
      mark.y = Math.max(room, Math.min(height - room, mark.y));
    }
    if (!moved) return;
  }
}

/** Pushes two marks apart, the less probable one further. True if they were too close. */
function separate(one: Mark, other: Mark): boolean {
  const [dx, dy] = [other.x - one.x, other.y - one.y];
  const distance = Math.hypot(dx, dy);
  const missing = one.radius + other.radius + gap - distance;
  if (missing < 0.1) return false;
  // Marks at the same point part in a direction that depends on their ranks, so that several fan out.
  const angle = distance > 0.01 ? Math.atan2(dy, dx) : one.rank + 2.4 * other.rank;
  const [x, y] = [Math.cos(angle) * missing, Math.sin(angle) * missing];
  one.x -= x / 4;
  one.y -= y / 4;
  other.x += (x * 3) / 4;
  other.y += (y * 3) / 4;
  return true;
}

export function svgMark({ rank, at, x, y, radius }: Mark): string {
  const colour = rank === 1 ? palette.firstMark : palette.otherMark;
  const [placeX, placeY] = at;
  const isMoved = Math.hypot(placeX - x, placeY - y) > 1;
  const leader = isMoved
    ? `<path d="M${round(placeX)},${round(placeY)}L${round(x)},${round(y)}" stroke="${palette.text}" stroke-width="2.5"/>` +
      `<circle cx="${round(placeX)}" cy="${round(placeY)}" r="5" fill="${palette.text}" stroke="${palette.paper}" stroke-width="1.5"/>`
    : '';
  return `${leader}${disc({ x, y, radius, colour })}${number(rank, { x, y })}`;
}

/** The same mark in the list, always of the same size. */
export const svgListMark = (
  rank: number,
  { x, y, isOnMap }: { x: number; y: number; isOnMap: boolean },
): string =>
  disc({ x, y, radius: 17, colour: rank === 1 ? palette.firstMark : palette.otherMark, isDashed: !isOnMap }) +
  number(rank, { x, y }, isOnMap ? palette.markText : palette.text);

interface Disc {
  x: number;
  y: number;
  radius: number;
  colour: string;
  /** An empty circle, for a place that is not on the map. */
  isDashed?: boolean;
}

function disc({ x, y, radius, colour, isDashed = false }: Disc): string {
  const style = isDashed
    ? `fill="${palette.paper}" stroke="${colour}" stroke-width="2" stroke-dasharray="5 4"`
    : `fill="${colour}" stroke="${palette.paper}" stroke-width="3"`;
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" ${style}/>`;
}

const number = (
  rank: number,
  { x, y }: { x: number; y: number },
  colour: string = palette.markText,
): string => svgText(String(rank), { x, y: y + 8.5, size: 24, bold: true, colour, anchor: 'middle' });

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

import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';
import { createLand, createMapFrame, edgesOf, type MapFrame, type Point, turn } from './drawing/land.ts';
import {
  type Box,
  boxAround,
  overlaps,
  placeLabels,
  placeMarks,
  svgLabel,
  svgListMark,
  svgMark,
} from './drawing/marks.ts';
import { fitText, fontFamily, palette, round, svgText, textWidth } from './drawing/text.ts';
import type { MapPicture, MapPlace } from './map-picture.ts';

/** Returns a function that draws maps as PNG. It blocks the process for some 100 ms, and needs 150 MB. */
export function createDraw(): (map: MapPicture) => Uint8Array {
  const land = createLand();
  const render = createPngRenderer();
  return (map) => render(mapSvg(map, land));
}

/** Sharp on a phone, whose screen has three pixels where the page has one. */
const zoom = 1.4;

/** Blocks this process for some 30 ms. */
function createPngRenderer(): (svg: string) => Uint8Array {
  const { resolve } = createRequire(import.meta.url);
  const weights = ['400Regular/Inter_400Regular', '700Bold/Inter_700Bold'];
  const fontFiles = weights.map((path) => resolve(`@expo-google-fonts/inter/${path}.ttf`));
  const font = { fontFiles, loadSystemFonts: false, defaultFontFamily: fontFamily };
  return (svg) => new Resvg(svg, { font, fitTo: { mode: 'zoom', value: zoom } }).render().asPng();
}

/** Wide enough for three columns, narrow enough that a phone shows the list in letters of 11 pixels. */
const width = 720;
const margin = 24;
const headHeight = 96;
const mapHeight = 430;
const rowHeight = 44;
const noteHeight = 28;

/**
 * A map of numbered places with the list of them underneath. Pure but for the coast, which is read from disk once. All
 * words come from the picture, escaped.
 */
export function mapSvg(picture: MapPicture, land: Land): string {
  const { places } = picture;
  const map = mapPart(places, land);
  const notes = [...offMapNote(places), ...picture.notes];
  const listTop = headHeight + (map === undefined ? 0 : mapHeight) + 12;
  const notesTop = listTop + places.length * rowHeight + 10;
  const height = notesTop + notes.length * noteHeight + 12;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${fontFamily}">`,
    `<rect width="${width}" height="${height}" fill="${palette.paper}"/>`,
    head(picture),
    ...(map === undefined
      ? []
      : [`<svg y="${headHeight}" width="${width}" height="${mapHeight}">${map}</svg>`]),
    list(places, listTop),
    ...notes.map((note, index) => {
      const text = fitText(note, width - 2 * margin, noteFont);
      return svgText(text, { x: margin, y: notesTop + index * noteHeight + 20, ...noteFont });
    }),
    // Where the page is white too.
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" fill="none" stroke="${palette.coast}"/>`,
    '</svg>',
  ].join('\n');
}

type Land = Pick<ReturnType<typeof createLand>, 'pathOf'>;

const noteFont = { size: 20, colour: palette.smallText };

function offMapNote(places: readonly MapPlace[]): string[] {
  const ranks = places.flatMap(({ at }, index) => (at ? [] : [index + 1]));
  return ranks.length === 0 ? [] : [`Not on the map, position not known here: ${ranks.join(', ')}`];
}

function head({ title, subtitle, badge }: MapPicture): string {
  const badgeFont = { size: 21, bold: true };
  const badgeWidth = badge === undefined ? 0 : textWidth(badge, badgeFont) + 24;
  const room = width - 2 * margin - (badgeWidth > 0 ? badgeWidth + 16 : 0);
  const size = [36, 32, 28].find((large) => textWidth(title, { size: large }) <= room) ?? 24;
  const left = width - margin - badgeWidth;
  return [
    svgText(fitText(title, room, { size }), { x: margin, y: 46, size, bold: true }),
    svgText(subtitle, { x: margin, y: 79, size: 23, colour: palette.smallText }),
    ...(badge === undefined
      ? []
      : [
          `<rect x="${round(left)}" y="17" width="${round(badgeWidth)}" height="36" rx="18" fill="none" stroke="${palette.badge}" stroke-width="2"/>`,
          svgText(badge, {
            x: left + badgeWidth / 2,
            y: 42,
            ...badgeFont,
            colour: palette.badge,
            anchor: 'middle',
          }),
        ]),
  ].join('\n');
}

/** Undefined if no place has coordinates. */
function mapPart(places: readonly MapPlace[], land: Land): string | undefined {
  const [first, ...others] = places.flatMap(({ at }) => (at ? [at] : []));
  if (!first) return undefined;
  const { frame, marks, labels } = bestView(places, [first, ...others]);
  return [
    `<rect width="${frame.width}" height="${frame.height}" fill="${palette.sea}"/>`,
    `<path d="${gridPath(frame)}" fill="none" stroke="${palette.grid}" stroke-width="1.2"/>`,
    `<path d="${land.pathOf(frame)}" fill="${palette.land}" stroke="${palette.coast}" stroke-width="1.2" stroke-linejoin="round"/>`,
    scaleBar(frame, [...marks.map((mark) => boxAround(mark)), ...labels.map(({ box }) => box)]),
    // The most probable place on top.
    ...marks.toReversed().map(svgMark),
    ...labels.map(svgLabel),
    `<path d="M0,0.5H${frame.width}M0,${frame.height - 0.5}H${frame.width}" stroke="${palette.coast}"/>`,
  ].join('\n');
}

const zooms = [1, 0.8, 0.64, 0.5];

/** The closest of the views that have room for the most names, the first place's above all. */
function bestView(places: readonly MapPlace[], points: readonly [Point, ...Point[]]) {
  const views = zooms.map((zoom) => {
    const frame = createMapFrame(points, { width, height: mapHeight, zoom });
    const marks = placeMarks(places, frame);
    return { frame, marks, labels: placeLabels(marks, frame) };
  });
  const score = ({ labels }: (typeof views)[number]) =>
    labels.length + (labels.some(({ rank }) => rank === 1) ? places.length : 0);
  return views.reduce((best, view) => (score(view) > score(best) ? view : best));
}

/** Meridians and parallels are straight in this projection. */
function gridPath(frame: MapFrame): string {
  const { west, east, south, north } = edgesOf(frame);
  const step = gridStep(east - west);
  const multiples = (from: number, to: number) => {
    const first = Math.ceil(from / step);
    return Array.from(
      { length: Math.max(0, Math.floor(to / step) - first + 1) },
      (_, index) => (first + index) * step,
    );
  };
  const unitsPerDegree = frame.width / (east - west);
  const meridians = multiples(west, east).map((degrees) => round((degrees - west) * unitsPerDegree));
  const parallels = multiples(south, north).map((degrees) =>
    round(frame.project([degrees, turn(west + 1e-9)])[1]),
  );
  return [
    ...meridians.map((x) => `M${x},0V${frame.height}`),
    ...parallels.map((y) => `M0,${y}H${frame.width}`),
  ].join('');
}

const gridStep = (span: number): number => [0.5, 1, 2, 5, 10, 20].find((step) => span / step <= 9) ?? 30;

/** Beyond this width the scale differs too much between the top and the bottom of the map. */
const maxScaledKm = 3_000;
const kmPerNauticalMile = 1.852;

/** A bar in nautical miles in the first corner that is free. */
function scaleBar(frame: MapFrame, taken: readonly Box[]): string {
  if (frame.widthKm > maxScaledKm) return '';
  const milesPerUnit = frame.widthKm / kmPerNauticalMile / frame.width;
  const miles = [500, 200, 100, 50, 20, 10, 5].find((length) => length / milesPerUnit <= 150) ?? 5;
  const font = { size: 20, colour: palette.smallText, halo: palette.paper };
  const label = `${miles} nm`;
  const length = miles / milesPerUnit;
  const right = frame.width - margin - length - 10 - textWidth(label, font);
  const corners = [
    { x: margin, y: frame.height - 18 },
    { x: right, y: frame.height - 18 },
    { x: margin, y: 26 },
    { x: right, y: 26 },
  ];
  const corner = corners.find(({ x, y }) => {
    const box = { left: x - 4, top: y - 18, right: x + frame.width - right, bottom: y + 10 };
    return !taken.some((other) => overlaps(box, other));
  });
  if (!corner) return '';
  const { x, y } = corner;
  return (
    `<path d="M${round(x)},${y - 8}v8h${round(length)}v-8" fill="none" stroke="${palette.smallText}" stroke-width="2"/>` +
    svgText(label, { x: x + length + 10, y: y + 2, ...font })
  );
}

/** A row for each place: `(1) Rotterdam 82% Mon 23 Nov 15:05 LT`. */
function list(places: readonly MapPlace[], top: number): string {
  const [font, bold] = [{ size: 25 }, { size: 25, bold: true }];
  const widest = (texts: readonly string[]) => Math.max(...texts.map((text) => textWidth(text, font)));
  const shareRight = width - margin - widest(places.map(({ detail }) => detail)) - 20;
  const nameLeft = margin + 46;
  const nameWidth = shareRight - widest(places.map(({ share }) => share)) - 14 - nameLeft;
  return places
    .flatMap(({ name, share, detail, at }, index) => {
      const middle = top + (index + 0.5) * rowHeight;
      const y = middle + 9;
      return [
        svgListMark(index + 1, { x: margin + 17, y: middle, isOnMap: at !== undefined }),
        svgText(fitText(name, nameWidth, font), { x: nameLeft, y, ...bold }),
        svgText(share, { x: shareRight, y, ...bold, anchor: 'end' }),
        svgText(detail, { x: width - margin, y, ...font, anchor: 'end' }),
      ];
    })
    .join('\n');
}

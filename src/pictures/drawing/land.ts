import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type GeoContext, geoBounds, geoMercator, geoPath } from 'd3-geo';
import type { MultiPolygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { round } from './text.ts';

/** Natural Earth's scales: 1 to 10, 50 or 110 million. */
type Resolution = '10m' | '50m' | '110m';

interface Island {
  coordinates: Position[][];
  /** West, south, east, north in degrees; east is less than west where it crosses the antimeridian. */
  bounds: readonly [west: number, south: number, east: number, north: number];
}

/** The coarsest coast that does not look so at this width: the finer ones take more time and memory. */
const resolutionFor = (widthKm: number): Resolution =>
  widthKm < 500 ? '10m' : widthKm < 16_000 ? '50m' : '110m';

/** Land from Natural Earth (npm `world-atlas`), read from disk when it is first needed. */
export function createLand() {
  const read = new Map<Resolution, readonly Island[]>();
  return {
    /** The land in view, as the `d` of an SVG path; empty in mid-ocean. */
    pathOf(frame: MapFrame): string {
      const resolution = resolutionFor(frame.widthKm);
      const islands = read.get(resolution) ?? readIslands(resolution);
      read.set(resolution, islands);
      const { width, height } = frame;
      const projection = geoMercator()
        .rotate([-frame.longitude, 0])
        .center([0, frame.latitude])
        .scale(frame.scale)
        .translate([width / 2, height / 2])
        // The coast is detailed enough to need no points in between. Clipped edges stay outside of the picture.
        .precision(0)
        .clipExtent([
          [-10, -10],
          [width + 10, height + 10],
        ]);
      const coordinates = islands
        .filter((island) => isVisible(island, frame))
        .map((island) => island.coordinates);
      const path = createCoarsePath();
      geoPath(projection, path)({ type: 'MultiPolygon', coordinates });
      return path.toString();
    },
  };
}

function readIslands(resolution: Resolution): Island[] {
  const file = createRequire(import.meta.url).resolve(`world-atlas/land-${resolution}.json`);
  // The package's README documents this shape: one collection of one multipolygon.
  const world = JSON.parse(readFileSync(file, 'utf8')) as Topology<{ land: GeometryCollection }>;
  const multiPolygons = feature(world, world.objects.land).features.map(
    ({ geometry }) => geometry as MultiPolygon,
  );
  return multiPolygons
    .flatMap(({ coordinates }) => coordinates)
    .flatMap((coordinates) => {
      const [[west, south], [east, north]] = geoBounds({ type: 'Polygon', coordinates });
      // Three atolls are slivers that run the wrong way around: they would cover the globe.
      if (north - south === 180) return [];
      return [{ coordinates, bounds: [west, south, east, north] }];
    });
}

/** Land meets the view, and is more than a speck in it. Most of the time goes into projecting land that is not. */
function isVisible({ bounds: [west, south, east, north] }: Island, frame: MapFrame): boolean {
  const view = edgesOf(frame);
  if (north < view.south || south > view.north) return false;
  const span = east < west ? east + 360 - west : east - west;
  const unitsPerDegree = (frame.scale * Math.PI) / 180;
  if (Math.max(span, north - south) * unitsPerDegree < 0.5) return false;
  return [-360, 0, 360].some((turns) => west + turns <= view.east && west + span + turns >= view.west);
}

/** Coarser than that nobody can see, and a map of the world is four times as long. */
const stepUnits = 0.7;

/** Collects an SVG path without the points that hardly differ from the one before. */
function createCoarsePath(): GeoContext & { toString(): string } {
  const parts: string[] = [];
  let [lastX, lastY] = [0, 0];
  const add = (letter: 'M' | 'L', x: number, y: number) => {
    [lastX, lastY] = [x, y];
    parts.push(`${letter}${round(x)},${round(y)}`);
  };
  return {
    beginPath: () => undefined,
    moveTo: (x, y) => add('M', x, y),
    lineTo(x, y) {
      if (Math.abs(x - lastX) + Math.abs(y - lastY) >= stepUnits) add('L', x, y);
    },
    arc: () => undefined,
    closePath: () => parts.push('Z'),
    toString: () => parts.join(''),
  };
}

/** A map in the Mercator projection: the view that shows all points, whichever way around the globe is shorter. */
export interface MapFrame {
  width: number;
  height: number;
  /** Of the centre, in degrees. */
  longitude: number;
  latitude: number;
  /** Units per radian of longitude. */
  scale: number;
  /** Kilometres from the left to the right edge, at the centre. */
  widthKm: number;
  /** From the top left corner. */
  project(point: readonly [latitude: number, longitude: number]): readonly [x: number, y: number];
}

export type Point = readonly [latitude: number, longitude: number];

const earthRadiusKm = 6371;
/** A view of one port shows the coast around it; one of neighbouring ports lets their marks stand apart. */
const minWidthKm = { one: 900, several: 160 };
/** Room for marks and labels around the points. */
const padding = { x: 120, y: 70 };

export function createMapFrame(
  points: readonly [Point, ...Point[]],
  { width, height, zoom = 1 }: { width: number; height: number; zoom?: number },
): MapFrame {
  const longitude = middleLongitude(points.map(([, degrees]) => degrees));
  const xs = points.map(([, degrees]) => radians(turn(degrees - longitude)));
  const ys = points.map(([degrees]) => mercator(degrees));
  const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const middle = (bottom + top) / 2;
  const isOne = points.length === 1;
  const kmPerRadian = earthRadiusKm * Math.cos(latitudeAt(middle));
  const closest = (width * kmPerRadian) / (isOne ? minWidthKm.one : minWidthKm.several);
  // Not even a point on the other side of the globe makes the world narrower than the map.
  const widest = width / (2 * Math.PI);
  const fitting = Math.min(
    (width - 2 * padding.x) / (right - left),
    (height - 2 * padding.y) / (top - bottom),
  );
  const scale = Math.max(widest, Math.min(closest, fitting) * zoom);
  // Towards the poles the projection grows without end; no port lies there.
  const limit = Math.max(0, mercator(84) - height / 2 / scale);
  const centre = Math.max(-limit, Math.min(limit, middle));
  return {
    width,
    height,
    longitude,
    latitude: degrees(latitudeAt(centre)),
    scale,
    widthKm: (width / scale) * kmPerRadian,
    project: ([pointLatitude, pointLongitude]) => [
      width / 2 + scale * radians(turn(pointLongitude - longitude)),
      height / 2 - scale * (mercator(pointLatitude) - centre),
    ],
  };
}

/** The middle of the shortest arc that holds all longitudes: 180 for Fiji and Samoa, and not 0. */
function middleLongitude(longitudes: readonly number[]): number {
  const sorted = longitudes.toSorted((one, other) => one - other);
  const gaps = sorted.map((from, index) => {
    const to = sorted[index + 1] ?? (sorted[0] ?? 0) + 360;
    return { to, size: to - from };
  });
  const { to, size } = gaps.reduce((widest, gap) => (gap.size > widest.size ? gap : widest));
  return turn(to + (360 - size) / 2);
}

/** The same angle between −180 and 180. */
export const turn = (angle: number): number => ((((angle + 180) % 360) + 360) % 360) - 180;

const mercator = (latitude: number): number =>
  Math.asinh(Math.tan(radians(Math.max(-85, Math.min(85, latitude)))));

const latitudeAt = (y: number): number => Math.atan(Math.sinh(y));

const radians = (angle: number): number => (angle * Math.PI) / 180;

export const degrees = (angle: number): number => (angle * 180) / Math.PI;

/** The edges in degrees; east is more than 180 where the view crosses the antimeridian. */
export function edgesOf({ longitude, latitude, scale, width, height }: MapFrame) {
  const halfWidth = degrees(width / 2 / scale);
  const y = mercator(latitude);
  return {
    west: longitude - halfWidth,
    east: longitude + halfWidth,
    south: degrees(latitudeAt(y - height / 2 / scale)),
    north: degrees(latitudeAt(y + height / 2 / scale)),
  };
}

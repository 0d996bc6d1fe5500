import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type GeoContext, geoBounds, geoMercator, geoPath } from 'd3-geo';
import type { MultiPolygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { edgesOf, type MapFrame } from './map-frame.ts';
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

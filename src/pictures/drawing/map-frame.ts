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

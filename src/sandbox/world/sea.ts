import { type ChartPoint, ports, waypoints } from './sea-chart.ts';

/** A position between two linked points of the chart. */
export interface Position {
  from: string;
  to: string;
  /** The distance from `from` along the link. */
  offsetNm: number;
  linkNm: number;
}

/** A route over linked points, with the distance of each from the start. */
interface Route {
  points: readonly string[];
  milesAt: readonly number[];
  distanceNm: number;
}

/** Distances by water, in nautical miles. Throws for ports that are not in sea-chart.ts. */
export interface Sea {
  has(port: string): boolean;
  distanceNm(from: string, to: string): number;
  route(from: string, to: string): Route;
  positionOn(route: Route, travelledNm: number): Position;
  distanceFrom(position: Position, port: string): number;
}

interface Tree {
  miles: ReadonlyMap<string, number>;
  /** For each point, the next one on the route to the root. */
  next: ReadonlyMap<string, string>;
}

type Links = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** `without` removes points from the chart: `['suez-n']` closes the canal. */
export function createSea({ without = [] }: { without?: readonly string[] } = {}): Sea {
  const links = linkPoints([...ports, ...waypoints].filter(({ name }) => !without.includes(name)));
  const portNames = new Set(ports.map(({ name }) => name));
  const trees = new Map<string, Tree>();
  const routes = new Map<string, Route>();

  const treeOf = (port: string): Tree => {
    const tree = trees.get(port) ?? shortestRoutes(port, links);
    trees.set(port, tree);
    return tree;
  };
  const milesTo = (port: string, from: string): number => {
    const miles = treeOf(port).miles.get(from);
    if (miles === undefined) throw new Error(`No route by sea from ${from} to ${port}`);
    return miles;
  };

  return {
    has: (port) => portNames.has(port),
    distanceNm: (from, to) => milesTo(to, from),
    route(from, to) {
      const key = `${from}>${to}`;
      const route = routes.get(key) ?? followRoute({ from, to, milesTo, next: treeOf(to).next });
      routes.set(key, route);
      return route;
    },
    positionOn({ points, milesAt }, travelledNm) {
      const last = points.length - 1;
      let index = 0;
      while (index < last - 1 && (milesAt[index + 1] ?? 0) <= travelledNm) index += 1;
      const start = milesAt[index] ?? 0;
      const linkNm = (milesAt[Math.min(index + 1, last)] ?? start) - start;
      return {
        from: points[index] ?? '',
        to: points[Math.min(index + 1, last)] ?? '',
        offsetNm: Math.min(Math.max(travelledNm - start, 0), linkNm),
        linkNm,
      };
    },
    distanceFrom({ from, to, offsetNm, linkNm }, port) {
      return Math.min(milesTo(port, from) + offsetNm, milesTo(port, to) + linkNm - offsetNm);
    },
  };
}

function followRoute(leg: {
  from: string;
  to: string;
  milesTo: (port: string, from: string) => number;
  next: Tree['next'];
}): Route {
  const { from, to, milesTo, next } = leg;
  const distanceNm = milesTo(to, from);
  const points = [from];
  for (let point = next.get(from); point !== undefined; point = next.get(point)) points.push(point);
  return { points, distanceNm, milesAt: points.map((point) => distanceNm - milesTo(to, point)) };
}

function linkPoints(points: readonly ChartPoint[]): Links {
  const byName = new Map(points.map((point) => [point.name, point]));
  const links = new Map(points.map(({ name }) => [name, new Map<string, number>()]));
  for (const point of points) {
    for (const name of point.links) {
      const other = byName.get(name);
      if (!other) continue;
      const miles = greatCircleNm(point, other);
      links.get(point.name)?.set(name, miles);
      links.get(name)?.set(point.name, miles);
    }
  }
  return links;
}

/** Dijkstra's algorithm. It scans about 170 points for the nearest, which is quick enough once per root. */
function shortestRoutes(root: string, links: Links): Tree {
  const miles = new Map([[root, 0]]);
  const next = new Map<string, string>();
  const open = new Set([root]);
  while (open.size > 0) {
    const nearest = [...open].reduce((a, b) => ((miles.get(a) ?? 0) <= (miles.get(b) ?? 0) ? a : b));
    open.delete(nearest);
    for (const [neighbour, length] of links.get(nearest) ?? []) {
      const total = (miles.get(nearest) ?? 0) + length;
      if (total >= (miles.get(neighbour) ?? Number.POSITIVE_INFINITY)) continue;
      miles.set(neighbour, total);
      next.set(neighbour, nearest);
      open.add(neighbour);
    }
  }
  return { miles, next };
}

function greatCircleNm(a: ChartPoint, b: ChartPoint): number {
  const radians = Math.PI / 180;
  const half = (degrees: number) => Math.sin((degrees * radians) / 2) ** 2;
  const cosines = Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians);
  const chord = half(b.latitude - a.latitude) + cosines * half(b.longitude - a.longitude);
  return 2 * 3440.065 * Math.asin(Math.sqrt(chord));
}

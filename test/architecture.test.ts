import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Who may import whom, types included; a room's own files are always allowed. `a feature` stands for each of them. */
const table: Record<string, readonly string[]> = {
  'errors.ts': [],
  'log.ts': [],
  config: [],
  reference: [],
  analytics: ['reference', 'errors.ts'],
  grammar: ['reference', 'errors.ts'],
  database: ['errors.ts'],
  messages: ['reference', 'errors.ts'],
  outbox: ['messages', 'database', 'errors.ts'],
  workspaces: ['analytics', 'reference', 'database', 'errors.ts'],
  'features/feature.ts': [
    'messages',
    'outbox',
    'workspaces',
    'grammar',
    'analytics',
    'database',
    'reference',
    'errors.ts',
  ],
  'a feature': [
    'features/feature.ts',
    'a feature/index.ts',
    'analytics',
    'grammar',
    'messages',
    'workspaces',
    'outbox',
    'database',
    'reference',
    'errors.ts',
  ],
  'features/index.ts': [
    'features/feature.ts',
    'a feature/index.ts',
    'grammar',
    'messages',
    'reference',
    'errors.ts',
  ],
  slack: ['features/feature.ts', 'messages', 'outbox', 'workspaces', 'errors.ts', 'config'],
  sandbox: ['reference'],
  playground: [],
  app: ['*'],
  'main.ts': ['app', 'config', 'errors.ts'],
  'ask.ts': ['app', 'config', 'errors.ts'],
  'doctor.ts': ['app', 'config', 'errors.ts'],
  'backup.ts': ['config', 'database', 'errors.ts'],
  'restore.ts': ['config', 'database', 'errors.ts'],
};

/** Everybody may log. */
const forAll = 'log.ts';

/** Packages that only some rooms may import. */
const packages: Record<string, readonly string[]> = {
  '@slack/bolt': ['slack'],
  '@slack/web-api': ['slack'],
  ky: ['analytics'],
  react: ['playground'],
};

/** The readers of the environment. */
const environmentReaders = ['main.ts', 'ask.ts', 'doctor.ts', 'backup.ts', 'restore.ts'];

const maxFloors = 9;
const maxArrows = 75;
const maxLines = 300;

interface Import {
  file: string;
  target: string;
  typeOnly: boolean;
}

const files = globSync('src/**/*.{ts,tsx}')
  .map((path) => path.split(sep).join('/'))
  .filter((path) => !path.includes('/dist/'));

const registry = ['src/features/index.ts', 'src/features/parse-line.ts'];

/** `analytics`; each feature alone; the files right under features/ are the contract, except the registry. */
function roomOf(path: string): string {
  const [, first = path, second = '', third] = path.split('/');
  if (first !== 'features') return first;
  if (registry.includes(path)) return 'features/index.ts';
  return third === undefined ? 'features/feature.ts' : `features/${second}`;
}

const isFeature = (room: string): boolean => room.startsWith('features/') && !room.endsWith('.ts');

function importsOf(file: string): Import[] {
  const source = readFileSync(file, 'utf8');
  const statements =
    /(?:^|\n)\s*(import|export)(\s+type)?\s+(?:[^;'"]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;
  return [...source.matchAll(statements)].map(([, , type, named, dynamic]) => ({
    file,
    target: named ?? dynamic ?? '',
    typeOnly: Boolean(type),
  }));
}

const imports = files.flatMap(importsOf);

/** Within the project, as paths of files. */
const inside = imports
  .filter(({ target }) => target.startsWith('.'))
  .map(({ file, target }) => ({
    file,
    to: normalize(join(dirname(file), target))
      .split(sep)
      .join('/'),
  }))
  .filter(({ to }) => files.includes(to));

function isAllowed(file: string, to: string): boolean {
  const [from, target] = [roomOf(file), roomOf(to)];
  if (from === target || to === `src/${forAll}`) return true;
  const rules = table[isFeature(from) ? 'a feature' : from] ?? [];
  if (rules.includes('*') || rules.includes(target)) return true;
  return isFeature(target) && to === `src/${target}/index.ts` && rules.includes('a feature/index.ts');
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function graphOf(edges: readonly (readonly [string, string])[]): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of edges) {
    if (from === to) continue;
    graph.set(from, (graph.get(from) ?? new Set()).add(to));
  }
  return graph;
}

/** The first circle that is found, as a walk that ends where it began; undefined for none. */
function circleIn(graph: Graph): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, walk: string[]): string[] | undefined => {
    if (walk.includes(node)) return [...walk.slice(walk.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...walk, node]);
      if (circle) return circle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const circle = visit(node, []);
    if (circle) return circle;
  }
  return undefined;
}

/** The longest way down from each room, itself included: of a house without circles. */
function floorsOf(graph: Graph): Map<string, number> {
  const floors = new Map<string, number>();
  const floorOf = (room: string): number => {
    const known = floors.get(room);
    if (known !== undefined) return known;
    const floor = 1 + Math.max(0, ...[...(graph.get(room) ?? [])].map(floorOf));
    floors.set(room, floor);
    return floor;
  };
  for (const file of files) floorOf(roomOf(file));
  return floors;
}

const ofRooms = graphOf(inside.map(({ file, to }) => [roomOf(file), roomOf(to)] as const));
/** features/ as one. */
const ofFolders = graphOf(
  inside.map(({ file, to }) => [file.split('/')[1] ?? '', to.split('/')[1] ?? ''] as const),
);

describe('the house', () => {
  test('every file of src stands in a room of the table', () => {
    const unknown = files.map(roomOf).filter((room) => !isFeature(room) && !(room in table));
    expect([...new Set(unknown)]).toEqual([]);
  });

  test('imports keep to the table, types included', () => {
    const broken = inside.filter(({ file, to }) => !isAllowed(file, to));
    expect(broken.map(({ file, to }) => `${file} → ${to}`)).toEqual([]);
  });

  test('no circle of files, types included', () => {
    expect(circleIn(graphOf(inside.map(({ file, to }) => [file, to] as const)))).toBeUndefined();
  });

  test('no circle of rooms', () => {
    expect(circleIn(ofRooms)).toBeUndefined();
  });

  test(`at most ${maxFloors} floors and ${maxArrows} arrows`, () => {
    const floors = floorsOf(ofRooms);
    const arrows = [...ofFolders.values()].reduce((sum, targets) => sum + targets.size, 0);
    const height = Math.max(...floors.values());
    // biome-ignore lint/suspicious/noConsole: the figures of the house, for whoever changes it
    console.info(`${height} floors, ${arrows} arrows`);
    expect(height).toBeLessThanOrEqual(maxFloors);
    expect(arrows).toBeLessThanOrEqual(maxArrows);
  });

  test(`no file has more than ${maxLines} lines, but for data`, () => {
    const long = files
      .filter((file) => !file.endsWith('.data.ts'))
      .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
      .filter(({ lines }) => lines > maxLines);
    expect(long).toEqual([]);
  });

  test('packages of one room stay there', () => {
    const broken = imports.filter(
      ({ file, target }) => packages[target] && !packages[target].includes(roomOf(file)),
    );
    expect(broken.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  test('date-fns is imported by its parts: the whole of it takes a second and 300 MB', () => {
    expect(imports.filter(({ target }) => target === 'date-fns')).toEqual([]);
  });

  test('only types of @slack/types are imported', () => {
    const broken = imports.filter(({ target, typeOnly }) => target === '@slack/types' && !typeOnly);
    expect(broken).toEqual([]);
  });

  test('the environment is read at the top only', () => {
    const readers = files.filter((file) => /\bprocess\.env\b/.test(readFileSync(file, 'utf8')));
    expect(readers.filter((file) => !environmentReaders.includes(roomOf(file)))).toEqual([]);
  });
});

describe('the house as the test sees it', () => {
  test('it reads imports at all', () => {
    expect(inside.length).toBeGreaterThan(files.length);
  });

  test('it names a circle', () => {
    const graph = graphOf([
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'b'],
    ]);
    expect(circleIn(graph)).toEqual(['b', 'c', 'b']);
  });

  test('it refuses what the table does not say', () => {
    expect(isAllowed('src/slack/edge.ts', 'src/features/watches/index.ts')).toBe(false);
    expect(isAllowed('src/features/audit/answer.ts', 'src/features/watches/store/watch.ts')).toBe(false);
    expect(isAllowed('src/features/audit/answer.ts', 'src/features/watches/index.ts')).toBe(true);
    expect(isAllowed('src/outbox/outbox.ts', 'src/features/feature.ts')).toBe(false);
    expect(isAllowed('src/analytics/client.ts', 'src/log.ts')).toBe(true);
  });
});
